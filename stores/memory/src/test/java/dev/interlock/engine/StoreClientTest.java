package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.StoreRefusal;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a client waits for a reply, and what it makes of a failure. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreClientTest {

    private static final long LONG = Patience.AMPLE.toNanos();

    private final Simulation one = Simulation.start();
    private final StoreClient client = one.core.context().store();

    private static class Listing extends ForwardingStore implements LockCatalog {

        boolean closed;

        Listing(LockStore delegate) {
            super(delegate);
        }

        @Override
        public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public void close() {
            closed = true;
            super.close();
        }
    }

    private StoreClient over(LockStore store) {
        EngineContext context = one.core.context();
        return new StoreClient(store, client.clock(), context.timeouts(), context.observers());
    }

    private RuntimeException failure(@Nullable Throwable failure) {
        RuntimeException[] thrown = new RuntimeException[1];
        assertThatThrownBy(() -> client.await(CompletableFuture.failedFuture(failure), LONG, "look"))
                .isInstanceOfSatisfying(RuntimeException.class, e -> thrown[0] = e);
        return thrown[0];
    }

    // ---- replies

    @Test
    void refusalForGood_isThrownAsItIs() {
        assertThat(failure(new StoreRefusal("never")))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("never");
        assertThat(failure(new UnsupportedOperationException("cannot")))
                .isExactlyInstanceOf(UnsupportedOperationException.class)
                .hasMessage("cannot");
    }

    /** Also of a native library. A caller that waits would wait in vain. */
    @Test
    void aClassThatCannotBeLoaded_isRefusedForGood_byItsName() {
        assertThat(failure(new NoClassDefFoundError("io/netty/resolver/AddressResolverGroup")))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("A class that the store needs cannot be loaded: add its jar, or give all jars of the driver"
                        + " one version: NoClassDefFoundError: io/netty/resolver/AddressResolverGroup");
    }

    /** A routing data source without a tenant, a pool that is closed: nothing that a store has decided. */
    @Test
    void anIllegalStateOfSomebodyElse_mayPass() {
        assertThat(failure(new IllegalStateException("no tenant")))
                .isExactlyInstanceOf(StoreUnavailableException.class)
                .hasMessage("Could not look: no tenant");
    }

    @Test
    void failureThatMayPass_saysWhatCouldNotBeDone_andWhy() {
        IOException broken = new IOException("broken");
        assertThat(failure(broken))
                .isExactlyInstanceOf(StoreUnavailableException.class)
                .hasMessage("Could not look: broken")
                .hasCause(broken);
        assertThat(failure(new IOException(" "))).hasMessage("Could not look: IOException");
        assertThat(failure(new IOException((String) null))).hasMessage("Could not look: IOException");
    }

    /** However large the readings of the clock are: a wait of a millisecond ends. */
    @Test
    void await_withoutAReply_endsAfterItsTime() {
        one.clock.advance(Duration.ofDays(36_500));
        CompletableFuture<String> reply = new CompletableFuture<>();
        assertThatThrownBy(() -> client.await(reply, TimeUnit.MILLISECONDS.toNanos(1), "look"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("Could not look: the store did not answer within 1 ms");
        assertThat(reply).isCancelled();
    }

    @Test
    void await_ofAnInterruptedThread_hasTheReply_andKeepsTheInterrupt() {
        CompletableFuture<String> reply = new CompletableFuture<>();
        Thread caller = Thread.currentThread();
        caller.interrupt();
        Thread answering = new Thread(() -> {
            while (caller.isInterrupted()) {
                Thread.onSpinWait();
            }
            reply.complete("answer");
        });
        answering.start();
        assertThat(client.await(reply, LONG, "look")).isEqualTo("answer");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void silence_saysForHowLong_andTheLastFailure() {
        long begun = client.clock().now();
        one.clock.advance(Duration.ofSeconds(3));
        IOException broken = new IOException("broken");
        assertThat(client.silence(LockId.lock("n"), begun, true, true, null))
                .hasMessage("Could not acquire lock 'n': the store did not answer for 3000 ms")
                .hasNoCause();
        assertThat(client.silence(LockId.lock("n"), begun, true, false, broken))
                .hasMessage("Could not acquire lock 'n' within 3000 ms: broken")
                .hasCause(broken);
        assertThat(client.silence(LockId.lock("n"), begun, true, true, broken))
                .hasMessage("Could not acquire lock 'n' within 3000 ms: the store did not answer since it last said:"
                        + " broken")
                .hasCause(broken);
        assertThat(client.silence(LockId.lock("n"), begun, false, true, null))
                .hasMessage("Could not acquire lock 'n': the store could not be connected to for 3000 ms")
                .hasNoCause();
        assertThat(client.silence(new LockId("n", LockKind.SEMAPHORE), begun, true, true, null))
                .hasMessageStartingWith("Could not reach semaphore 'n': ");
        assertThat(client.silence(new LockId("n", LockKind.LATCH), begun, true, true, null))
                .hasMessageStartingWith("Could not reach latch 'n': ");
    }

    // ---- what the store can do

    @Test
    void catalog_isRefused_ifTheStoreDoesNotSayThatItLists() {
        StoreClient silent = over(new Listing(new MemoryStore()) {
            @Override
            public Set<Capability> capabilities() {
                return EnumSet.noneOf(Capability.class);
            }
        });
        assertThatThrownBy(() -> silent.catalog("n")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void catalog_isRefused_ifTheStoreIsNone_whateverItSays() {
        StoreClient boasting = over(new ForwardingStore(new MemoryStore()) {
            @Override
            public Set<Capability> capabilities() {
                return EnumSet.allOf(Capability.class);
            }
        });
        assertThatThrownBy(() -> boasting.catalog("n")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void catalog_isTheStore_ifItListsAndSaysSo() {
        Listing store = new Listing(new MemoryStore());
        assertThat(over(store).catalog("n")).isSameAs(store);
    }

    @Test
    void close_closesTheStore() {
        Listing store = new Listing(new MemoryStore());
        over(store).close();
        assertThat(store.closed).isTrue();
    }

    /** On SQL a store leaves out claims whose rows others keep locked; on several nodes those of a silent node. */
    @Test
    void claimThatAnAnswerLeavesOut_mayBeLockedByOthers() {
        assertThat(StoreClient.notRenewed("lock 'a'", null, 0))
                .hasMessage("Could not renew lock 'a': the store answered without it: its node is silent, or others"
                        + " keep it locked");
    }
}
