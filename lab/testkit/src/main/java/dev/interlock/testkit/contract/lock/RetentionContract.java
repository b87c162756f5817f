package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Locks that are kept until somebody asks: who asks gets them long before their time is over. On a store that lacks
 * {@link Capability#RETENTION}, the call is refused, and leaves nothing behind.
 */
interface RetentionContract extends LockFixture {

    /** Neither the idle time nor the lease ends within a test. */
    LockOptions RETAINED = LockOptions.builder().retained(NEVER).build();

    /** Whether the store is one that this is for; if not, shows that it refuses. */
    private static boolean isOffered(LockStore store, DistributedLock lock) throws Exception {
        if (store.capabilities().contains(Capability.RETENTION)) {
            return true;
        }
        assertThatThrownBy(lock::tryLock)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("retained()");
        assertThat(LockFixture.<Boolean>answer(lock::isLocked)).isFalse();
        return false;
    }

    @Test
    default void retainedLock_isTakenAgain_andGivenBackToWhoAsks() throws Exception {
        LockStore store = clients().store();
        Interlock client = clients().open(store, b -> b);
        DistributedLock lock = client.lock(clients().name(), RETAINED);
        if (!isOffered(store, lock)) {
            return;
        }
        DistributedLock other = elsewhere(lock);
        long token = 0;
        for (int i = 0; i < 3; i++) {
            try (Lease lease = lock.acquire()) {
                assertThat(lease.token()).isGreaterThan(token);
                token = lease.token();
            }
        }
        assertThat(LockFixture.<Boolean>answer(other::isLocked)).isTrue();

        try (Lease next = Caller.start(other::acquire).result()) {
            assertThat(next.token()).isGreaterThan(token);
        }

        await().until(() -> !LockFixture.<Boolean>answer(other::isLocked));
    }

    /** Whichever of them comes, in any order, and whether the lock is in use or not. */
    @Test
    default void retainedLock_goesToAFairCaller_andToOneWhoWaitsWhileItIsHeld() throws Exception {
        LockStore store = clients().store();
        Interlock client = clients().open(store, b -> b);
        DistributedLock lock = client.lock(clients().name(), RETAINED);
        if (!store.capabilities().contains(Capability.RETENTION)) {
            return;
        }
        Interlock second = clients().open();
        DistributedLock fair =
                second.lock(lock.name(), LockOptions.builder().fair(true).build());
        lock.acquire().close();

        Caller.start(fair::acquire).result().close();

        Lease held = lock.acquire();
        Caller<Lease> waiting = Caller.start(elsewhere(lock)::acquire).awaitBlocked();
        held.close();
        waiting.result().close();
    }

    /** Hints that are lost cost a poll, and no update. I1, I2. */
    @Test
    default void retainedLock_underContention_losesNoUpdate_andGoesToAll() throws Exception {
        LockStore store = clients().store();
        Interlock client = clients().open(store, b -> b);
        String name = clients().name();
        if (!store.capabilities().contains(Capability.RETENTION)) {
            return;
        }
        Interlock second = clients().open();
        int turns = 50;
        long[] countAndToken = {0, 0};
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (Interlock each : List.of(client, client, second, second)) {
            DistributedLock lock = each.lock(name, RETAINED);
            callers.add(Caller.startAction(() -> {
                for (int i = 0; i < turns; i++) {
                    try (Lease lease = lock.acquire()) {
                        assertThat(lease.token()).isGreaterThan(countAndToken[1]);
                        countAndToken[1] = lease.token();
                        countAndToken[0]++;
                    }
                }
            }));
        }
        for (Caller<Boolean> caller : callers) {
            caller.result();
        }
        assertThat(countAndToken[0]).isEqualTo(4L * turns);
    }

    @Test
    default void retainedLock_isFree_whenItsClientClosesOrItsTimeIsOver() throws Exception {
        LockStore store = clients().store();
        Interlock client = clients().open(store, b -> b);
        DistributedLock lock = client.lock(clients().name(), RETAINED);
        if (!store.capabilities().contains(Capability.RETENTION)) {
            return;
        }
        DistributedLock brief = client.lock(
                clients().name(),
                LockOptions.builder().retained(Duration.ofMillis(1)).build());
        Interlock second = clients().open();
        lock.acquire().close();
        brief.acquire().close();

        await().until(() -> !LockFixture.<Boolean>answer(second.lock(brief.name())::isLocked));
        assertThat(LockFixture.<Boolean>answer(second.lock(lock.name())::isLocked))
                .isTrue();
        client.close();

        await().until(() -> !LockFixture.<Boolean>answer(second.lock(lock.name())::isLocked));
    }
}
