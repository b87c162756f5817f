package dev.interlock.testkit.contract.store;

import static dev.interlock.testkit.fixture.StoreClient.LONG_LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Inspect: who holds, since when, until when, with which token; who waits. */
interface InspectContract extends StoreFixture {

    /** Tokens have room for the hand-overs inside a process. */
    long TOKENS_PER_FENCE = 1024;

    @Test
    default void inspect_ofANameThatNobodyUsed_isEmpty() {
        LockId lock = clients().lock();

        LockStatus status = client().inspect(lock);

        assertThat(status).isEqualTo(new LockStatus(lock.name(), List.of(), List.of()));
    }

    @Test
    default void inspect_tellsTheHolder() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Claim held = a.claim(lock);
        long fence = a.granted(held);

        LockStatus status = b.inspect(lock);

        assertThat(status.name()).isEqualTo(lock.name());
        assertThat(status.isLocked()).isTrue();
        LockStatus.Holder holder = b.holder(lock);
        assertThat(holder.owner()).isEqualTo(held.owner().value());
        assertThat(holder.party()).isEqualTo(a.party());
        assertThat(holder.token()).isEqualTo(fence * TOKENS_PER_FENCE);
        assertThat(holder.remainingLease()).isBetween(LONG_LEASE.dividedBy(2), LONG_LEASE);
        assertThat(holder.heldFor()).isBetween(Duration.ZERO, Patience.limit());
    }

    @Test
    default void inspect_countsTheHold_throughRenewalAndRepetition() {
        StoreClient a = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);
        await().until(() -> a.holder(lock).heldFor().compareTo(Duration.ofMillis(20)) > 0);
        Duration before = a.holder(lock).heldFor();
        long token = a.holder(lock).token();

        a.renew(held);
        a.granted(held);

        assertThat(a.holder(lock).heldFor()).isGreaterThanOrEqualTo(before);
        assertThat(a.holder(lock).token()).isEqualTo(token);
    }

    @Test
    default void inspect_changesNothing() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        a.hold(lock, Duration.ofMillis(300));

        await().pollInterval(Duration.ofMillis(5)).until(() -> !b.inspect(lock).isLocked());

        b.granted(b.claim(lock));
    }

    /** The parts of a party are text of other people: a thread's name may be anything. */
    @Test
    default void inspect_tellsAHostileParty() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        Party odd = new Party("h'o\"s;t", Long.MAX_VALUE, "a,p|p:\t\u00fc{}%", "thread\n1 \\ \ud83d\udd12 ]] --");
        Claim held = Claim.of(lock, OwnerId.of("odd-client:with:colons", 7), LONG_LEASE, odd);
        a.granted(held);
        b.busy(Claim.of(lock, OwnerId.of("other'client", 8), LONG_LEASE, odd).waiting(Duration.ofSeconds(1)));

        LockStatus status = a.inspect(lock);

        assertThat(a.holder(lock).party()).isEqualTo(odd);
        assertThat(a.holder(lock).owner()).isEqualTo("odd-client:with:colons:7");
        if (storeListsWaiters()) {
            assertThat(status.waiters()).extracting(LockStatus.Waiter::party).containsExactly(odd);
        }
    }

    @Test
    default void inspect_tellsAPartyOfWhomNothingIsKnown() {
        StoreClient a = client();
        LockId lock = clients().lock();
        a.granted(Claim.of(lock, OwnerId.of("unknown-" + lock.name(), 1), LONG_LEASE, Party.UNKNOWN));

        assertThat(a.holder(lock).party()).isEqualTo(Party.UNKNOWN);
    }
}
