package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The participants of a lock, as people see them. */
class ParticipantTest extends EngineSuite {

    /** No turn ends. */
    private static final LockOptions OPTIONS = LockOptions.defaults().handOver(1000, Duration.ofHours(1));

    private static String holder(DistributedLock lock) {
        return lock.inspect().holders().get(0).party().thread();
    }

    private static Lease get(CompletableFuture<Lease> soon) throws Exception {
        return soon.get(Patience.seconds(), TimeUnit.SECONDS);
    }

    @Test
    void lockPassesOn_toAnotherParticipant_withAClaimOfItsOwn() throws Exception {
        Interlock client = clients().open();
        String name = clients().name();
        DistributedLock one = client.lock(name, OPTIONS.participant("job-1"));
        DistributedLock two = client.lock(name, OPTIONS.participant("job-2"));
        Lease first = one.acquire();
        assertThat(holder(one)).isEqualTo("job-1");
        CompletableFuture<Lease> second = two.acquireAsync().toCompletableFuture();
        CompletableFuture<Lease> third =
                client.lock(name, OPTIONS).acquireAsync().toCompletableFuture();

        first.close();

        Lease next = get(second);
        assertThat(holder(one)).isEqualTo("job-2");
        assertThat(next.token() - first.token()).isGreaterThanOrEqualTo(1024);
        next.close();
        Lease last = get(third);
        assertThat(holder(one)).doesNotStartWith("job-");
        last.close();
    }

    /** The control: callers of one participant share a claim. */
    @Test
    void lockPassesOn_toTheSameParticipant_withoutTheStore() throws Exception {
        DistributedLock lock = clients().open().lock(clients().name(), OPTIONS.participant("job-1"));
        Lease first = lock.acquire();
        CompletableFuture<Lease> second = lock.acquireAsync().toCompletableFuture();

        first.close();

        try (Lease next = get(second)) {
            assertThat(next.token()).isEqualTo(first.token() + 1);
        }
    }

    @Test
    void waitingClaim_isOfWhoWaits() throws Exception {
        Interlock client = clients().open();
        String name = clients().name();
        Lease held = clients().open().lock(name).acquire(LONG);
        CompletableFuture<Lease> first =
                client.lock(name, OPTIONS.participant("job-1")).acquireAsync().toCompletableFuture();
        DistributedLock second = client.lock(name, OPTIONS.participant("job-2"));
        awaitWaiter(second, "job-1");
        CompletableFuture<Lease> next = second.acquireAsync().toCompletableFuture();

        first.cancel(true);

        awaitWaiter(second, "job-2");
        held.close();
        get(next).close();
        await().until(() -> !second.isLocked());
    }

    private static void awaitWaiter(DistributedLock lock, String participant) {
        await().untilAsserted(() -> assertThat(lock.inspect().waiters())
                .extracting(LockStatus.Waiter::party)
                .singleElement()
                .satisfies(party -> assertThat(party.thread()).isEqualTo(participant)));
    }

    @Test
    void readers_ofDifferentParticipants_haveClaimsOfTheirOwn() throws Exception {
        Interlock client = clients().open();
        String name = clients().name();
        DistributedReadWriteLock one = client.readWriteLock(name, OPTIONS.participant("reader-1"));
        try (Lease first = one.readLock().acquire();
                Lease second = client.readWriteLock(name, OPTIONS.participant("reader-2"))
                        .readLock()
                        .acquire()) {
            assertThat(first.isValid() && second.isValid()).isTrue();
            assertThat(one.readLock().inspect().holders())
                    .extracting(holder -> holder.party().thread())
                    .containsExactlyInAnyOrder("reader-1", "reader-2");
        }
    }

    @Test
    void idThatIsEmptyOrTooLong_isRefused() {
        assertThatThrownBy(() -> OPTIONS.participant("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> OPTIONS.participant("p".repeat(129))).isInstanceOf(IllegalArgumentException.class);
        assertThat(OPTIONS.participant("p".repeat(128)).participant()).hasSize(128);
        assertThat(OPTIONS.participant("p")
                        .fair()
                        .nonReentrant()
                        .forgetLostHolds()
                        .participant())
                .isEqualTo("p");
    }
}
