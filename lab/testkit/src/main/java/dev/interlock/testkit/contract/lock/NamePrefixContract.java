package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LockObserver;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The names of a client with a prefix begin with it in the store, and nowhere else. */
interface NamePrefixContract extends LockFixture {

    @Test
    default void namePrefix_isInTheStore_andNowhereElse() throws Exception {
        String prefix = clients().prefix() + "app:";
        Queue<String> told = new ConcurrentLinkedQueue<>();
        LockObserver observer = new LockObserver() {
            @Override
            public @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode) {
                told.add(name);
                return null;
            }

            @Override
            public void requested(String name, String owner) {
                told.add(name);
            }
        };
        Interlock app = clients().open(builder -> builder.namePrefix(prefix).observer(observer));
        Interlock other = clients().open();
        Lease before = other.lock(clients().prefix() + "orders").acquire(LONG);
        DistributedLock lock = app.lock("orders");

        Lease lease = lock.acquire(LONG);

        assertThat(lock.name()).isEqualTo("orders");
        assertThat(lease.name()).isEqualTo("orders");
        assertThat(lock.inspect().name()).isEqualTo("orders");
        assertThat(lock.inspect().holders().get(0).token()).isEqualTo(lease.token());
        assertThat(app.administration().list("", 10))
                .extracting(LockStatus::name)
                .containsExactly("orders");
        assertThat(app.administration().list("x", 10)).isEmpty();
        assertThat(other.administration().list(prefix, 10))
                .extracting(LockStatus::name)
                .containsExactly(prefix + "orders");
        assertThat(other.lock(prefix + "orders").tryAcquire()).isEmpty();
        lease.extend(Duration.ofMinutes(10));
        assertThat(lease.remaining()).isGreaterThan(LONG.length());

        assertThat(app.administration()
                        .forceUnlock(app.administration().inspect("orders").get(0)))
                .isTrue();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.lost(LossCause.FORCED));
        assertThatThrownBy(lease::ensureValid)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("'orders'");
        assertThat(told).hasSizeGreaterThan(1).containsOnly("orders");
        before.close();
    }

    @Test
    default void namePrefix_waiter_isWoken_andTheLeaseIsRenewed() throws Exception {
        String prefix = clients().prefix() + "app:";
        DistributedLock held =
                clients().open(builder -> builder.namePrefix(prefix)).lock("woken");
        DistributedLock waited = clients()
                .open(builder -> storeWakes() ? builder.namePrefix(prefix).pollCap(NEVER) : builder.namePrefix(prefix))
                .lock("woken");
        Lease first = held.acquire(LONG);
        CompletableFuture<Lease> next = waited.acquireAsync(RENEWED).toCompletableFuture();
        await().until(() -> !storeListsWaiters() || !held.inspect().waiters().isEmpty());

        first.close();

        Lease second = next.get(Patience.seconds(), TimeUnit.SECONDS);
        LockFixture.awaitRenewal(second);
        assertThat(second.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }
}
