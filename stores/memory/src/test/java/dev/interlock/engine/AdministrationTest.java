package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockAdministration;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.StoreRefusal;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that are over when the store has replied, and what an operator sees. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AdministrationTest {

    private final Simulation one = Simulation.start();
    private final DistributedLock lock = one.lock("n");

    private List<LockStatus> used() {
        return new Administration(one.core).inspect("n");
    }

    // ---- who waits in this client

    /** No claim in the store stands for them: the holder's client hands the lease over itself. */
    @Test
    void callersBehindTheirOwnClient_areKnown_untilTheyAreServed() {
        Lease held = one.acquire("n").join();
        CompletableFuture<Lease> second = one.acquire("n");
        one.advance(Duration.ofSeconds(1));
        CompletableFuture<Lease> third = one.acquire("n");
        Administration administration = new Administration(one.core);
        assertThat(administration.withLocalWaiters(lock.inspect()).waiters())
                .extracting(LockStatus.Waiter::waitingFor)
                .containsExactly(Duration.ofSeconds(1), Duration.ZERO);
        third.cancel(false);
        held.close();
        assertThat(second).isCompleted();
        assertThat(administration.withLocalWaiters(lock.inspect()).waiters()).isEmpty();
    }

    /** The claim that the store lists is that of the first in line. */
    @Test
    void callersBehindAnotherClient_areShownOnce() {
        Simulation two = one.neighbour();
        Lease held = two.acquire("n").join();
        CompletableFuture<Lease> first = one.lock(
                        "n", LockOptions.builder().fair(true).build())
                .acquireAsync()
                .toCompletableFuture();
        CompletableFuture<Lease> second = one.lock(
                        "n", LockOptions.builder().fair(true).build())
                .acquireAsync()
                .toCompletableFuture();
        LockStatus seen = new Administration(one.core).withLocalWaiters(lock.inspect());
        assertThat(seen.waiters()).hasSize(2);
        assertThat(List.of(held.isValid(), first.isDone(), second.isDone())).containsExactly(true, false, false);
    }

    // ---- which locks of a name are in use

    @Test
    void lockThatNobodyUses_isNotShown() {
        assertThat(used()).isEmpty();
    }

    /** Its capacity is a number, as the count of a latch is, and holds nobody up. */
    @Test
    void semaphoreWhosePermitsAreFree_isNotShown() {
        one.semaphore("n", 2, LockOptions.defaults()).resize(3);
        assertThat(used()).isEmpty();
    }

    @Test
    void latchThatIsNotAtZero_isShown() {
        EngineLatch latch = new EngineLatch(one.core, new LockId("n", LockKind.LATCH));
        latch.trySetCount(1);
        assertThat(used()).extracting(LockStatus::kind).containsExactly(LockKind.LATCH);
        latch.countDown();
        assertThat(used()).isEmpty();
    }

    @Test
    void lockThatSomebodyWaitsFor_isShown_evenIfNobodyHoldsIt() {
        Simulation two = one.neighbour();
        Lease held = two.acquire("n").join();
        CompletableFuture<Lease> waiting = one.lock(
                        "n", LockOptions.builder().fair(true).build())
                .acquireAsync()
                .toCompletableFuture();
        one.store.road(Road.KEEP_REQUESTS);
        held.close();
        assertThat(waiting).isNotDone();
        assertThat(used()).singleElement().satisfies(status -> {
            assertThat(status.isLocked()).isFalse();
            assertThat(status.waiters()).hasSize(1);
        });
    }

    /** What cannot be read may be held, so the name is not called free. */
    @Test
    void aKindThatCannotBeRead_isTheError_unlessAnotherIsInUse() {
        try (Interlock client = refusing(Map.of(LockKind.LOCK, new StoreRefusal("damaged")))) {
            assertThatThrownBy(() -> client.administration().inspect("n"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("damaged");

            client.latch("n").trySetCount(1);
            assertThat(client.administration().inspect("n"))
                    .extracting(LockStatus::kind)
                    .containsExactly(LockKind.LATCH);
        }
    }

    /** Its kind has been left between the two requests. */
    @Test
    void aNameThatWasInUseAsAnotherKind_isFree() {
        try (Interlock client = refusing(Map.of(
                LockKind.LOCK,
                StoreRefusal.ofOtherKind("in use as a read/write lock"),
                LockKind.SEMAPHORE,
                new UnsupportedOperationException("no semaphores")))) {
            assertThat(client.administration().inspect("n")).isEmpty();
        }
    }

    @Test
    void aStoreThatRefusesEveryKind_isTheError() {
        RuntimeException none = new UnsupportedOperationException("no such thing");
        try (Interlock client =
                refusing(Arrays.stream(LockKind.values()).collect(Collectors.toMap(kind -> kind, kind -> none)))) {
            assertThatThrownBy(() -> client.administration().inspect("n"))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("no such thing");
        }
    }

    /** A client of a store that refuses to show these kinds. */
    private static Interlock refusing(Map<LockKind, RuntimeException> refusals) {
        return Interlock.builder(new ForwardingStore(new MemoryStore()) {
                    @Override
                    public CompletionStage<LockStatus> inspect(LockId id) {
                        RuntimeException refusal = refusals.get(id.kind());
                        return refusal == null ? delegate.inspect(id) : CompletableFuture.failedFuture(refusal);
                    }

                    @Override
                    public Set<Capability> capabilities() {
                        return delegate.capabilities();
                    }
                })
                .build();
    }

    // ---- one request

    @Test
    void requestToLetGo_saysWhetherSomebodyHasHeardIt() {
        LockAdministration administration = one.administration();
        assertThat(administration.requestRevocation("n")).isFalse();
        one.neighbour().acquire("n").join();
        assertThat(administration.requestRevocation("n")).isTrue();
    }

    @Test
    void requestToLetGo_isForLocksAndReadWriteLocks() {
        LockAdministration administration = one.neighbour().administration();
        List<String> asked = new ArrayList<>();
        one.acquire("n").join().onRevocationRequested(() -> asked.add("lock"));
        Lease reader = one.readWriteLock("n", LockOptions.defaults())
                .readLock()
                .acquireAsync()
                .toCompletableFuture()
                .join();
        reader.onRevocationRequested(() -> asked.add("reader"));
        assertThat(administration.requestRevocation("n")).isTrue();
        assertThat(asked).containsExactlyInAnyOrder("lock", "reader");
    }

    @Test
    void requestToLetGo_ofAStatus_isForItsKind() {
        LockAdministration administration = one.neighbour().administration();
        List<String> asked = new ArrayList<>();
        one.acquire("n").join().onRevocationRequested(() -> asked.add("lock"));
        Lease reader = one.readWriteLock("n", LockOptions.defaults())
                .readLock()
                .acquireAsync()
                .toCompletableFuture()
                .join();
        reader.onRevocationRequested(() -> asked.add("reader"));
        List<LockStatus> seen = administration.inspect("n");
        assertThat(seen).extracting(LockStatus::kind).containsExactly(LockKind.LOCK, LockKind.READ_WRITE);
        assertThat(administration.requestRevocation(seen.get(1))).isTrue();
        assertThat(asked).containsExactly("reader");
        assertThat(administration.requestRevocation(seen.get(0))).isTrue();
        assertThat(asked).containsExactly("reader", "lock");
        reader.close();
        assertThat(administration.requestRevocation(seen.get(1)))
                .as("the lock is held still")
                .isFalse();
    }

    @Test
    void requestToLetGo_ofAKindWithoutIt_isRefused() {
        for (LockKind kind : List.of(LockKind.SEMAPHORE, LockKind.LATCH)) {
            LockStatus seen = new LockStatus("n", kind, List.of(), List.of(), 1);
            assertThatThrownBy(() -> one.administration().requestRevocation(seen))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContainingAll("'n'", kind.name().toLowerCase(Locale.ROOT));
        }
    }

    /** A request whose reply was lost may have been executed: only with the same owner is it not executed twice. */
    @Test
    void requestWithoutAReply_isRepeated_withTheSameOwner() {
        EngineLatch latch = new EngineLatch(one.core, new LockId("n", LockKind.LATCH));
        latch.trySetCount(2);
        one.store.forgetRequests();
        one.store.road(Road.BREAK_ONCE, Verb.EXECUTE);

        latch.countDown();

        assertThat(latch.count()).isOne();
        assertThat(one.store.commands())
                .hasSize(2)
                .containsOnly(one.store.commands().get(0));
    }

    @Test
    void requestThatFails_isRepeated_untilTheStoreCountsAsSilent() {
        one.store.road(Road.REFUSE, Verb.EXECUTE);
        // Each look at the clock takes so long.
        one.clock.beforeReading(() -> one.clock.advance(Duration.ofMillis(250)));
        assertThatThrownBy(() -> one.administration().requestRevocation("n"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageStartingWith("Could not ask the holder of 'n'");
        assertThat(one.store.count(Verb.EXECUTE)).isGreaterThan(2);
        EngineLatch latch = new EngineLatch(one.core, new LockId("n", LockKind.LATCH));
        assertThatThrownBy(latch::countDown).hasMessageStartingWith("Could not change 'n'");
    }

    @Test
    void requestOfAnInterruptedThread_isNotRepeated() {
        one.store.road(Road.REFUSE, Verb.EXECUTE);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> one.administration().requestRevocation("n"))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(one.store.count(Verb.EXECUTE)).isOne();
    }

    /** None of them is sent by a thread that must not wait for the reply. */
    @Test
    void threadThatMayNotWait_isRefused() {
        boolean[] forbidden = new boolean[1];
        MemoryStore memory = new MemoryStore();
        TransitStore store = new TransitStore(memory) {
            @Override
            public void ensureMayWait() {
                if (forbidden[0]) {
                    throw new IllegalStateException("Not on this thread");
                }
            }
        };
        try (Interlock client = Interlock.builder(store).build()) {
            DistributedLock held = client.lock("n");
            held.lock();
            LockStatus status = held.inspect();
            forbidden[0] = true;
            for (Runnable request : List.<Runnable>of(
                    held::inspect,
                    () -> client.administration().requestRevocation("n"),
                    () -> client.administration().forceUnlock("n"),
                    () -> client.administration().forceUnlock(status),
                    () -> client.administration().list("n", 10),
                    client.latch("l")::countDown)) {
                assertThatThrownBy(request::run).hasMessage("Not on this thread");
            }
            forbidden[0] = false;
            assertThat(held.isHeldByCurrentThread()).isTrue();
            assertThat(memory.inspect(LockId.lock("n"))
                            .toCompletableFuture()
                            .join()
                            .isLocked())
                    .isTrue();
        }
    }

    /** The callers behind a lease of their own client are not in the store, so nothing wakes them but its end. */
    @Test
    void forceByAnotherClient_isLearntAtOnce_andTheQueueGoesOn() {
        Simulation holding = Simulation.start();
        Simulation other = holding.neighbour();
        CompletableFuture<Lease> held = holding.acquire("n");
        CompletableFuture<Lease> next = holding.acquire("n");
        DistributedReadWriteLock sides = holding.readWriteLock("n", LockOptions.defaults());
        CompletableFuture<Lease> writer = sides.writeLock().acquireAsync().toCompletableFuture();
        CompletableFuture<Lease> reader = sides.readLock().acquireAsync().toCompletableFuture();

        assertThat(other.administration().forceUnlock("n")).as("of both kinds").isTrue();
        holding.advance(Simulation.LATE, other);

        assertThat(held.join().isValid()).isFalse();
        assertThat(held.join().release().lossCause()).isEqualTo(LossCause.FORCED);
        assertThat(next).isCompletedWithValueMatching(Lease::isValid);
        assertThat(writer.join().isValid()).isFalse();
        assertThat(reader).isCompletedWithValueMatching(Lease::isValid);
    }

    /** The reply may be older than the message; and messages may be forged. */
    @Test
    void forceDuringARenewal_isLearntWithTheNext() {
        Simulation holding = Simulation.start();
        Simulation other = holding.neighbour();
        CompletableFuture<Lease> held = holding.acquire("n", LeaseTerm.fixed(Duration.ofMinutes(1)));
        OwnerId owner = new OwnerId(held.join().id());
        holding.core.arbiters().wake(new Wake.Changed(LockId.lock("n"), owner));
        holding.advance(Simulation.LATE, other);
        assertThat(holding.store.count(Verb.RENEW)).isEqualTo(1);
        assertThat(held.join().isValid()).isTrue();

        holding.store.road(Road.KEEP_ANSWERS, Verb.RENEW);
        holding.core.arbiters().wake(new Wake.Changed(LockId.lock("n"), owner));
        holding.advance(Simulation.LATE, other);
        assertThat(other.administration().forceUnlock("n")).isTrue();
        holding.store.road(Road.OPEN, Verb.RENEW);
        holding.store.letGo();
        holding.advance(Simulation.LATE, other);

        assertThat(held.join().isValid()).isFalse();
        assertThat(held.join().release().lossCause()).isEqualTo(LossCause.FORCED);
    }

    @Test
    void ownersOfAClient_beginWithTheIdThatItsObserversAreTold() {
        AtomicReference<String> told = new AtomicReference<>("");
        LockObserver observer = new LockObserver() {
            @Override
            public void opened(String clientId, Set<Capability> capabilities) {
                told.set(clientId);
            }

            @Override
            public @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode) {
                return null;
            }
        };
        try (Interlock client =
                Interlock.builder(new MemoryStore()).observer(observer).build()) {
            assertThat(told.get()).isNotBlank();
            assertThat(client.lock("n").tryAcquire().orElseThrow().id()).startsWith(told.get());
        }
    }

    @Test
    void actionsOfABuilder_getTheClient_whenObserversKnowItsId() {
        List<String> told = new ArrayList<>();
        AtomicReference<Interlock> built = new AtomicReference<>();
        LockObserver observer = new LockObserver() {
            @Override
            public void opened(String clientId, Set<Capability> capabilities) {
                told.add("opened");
            }

            @Override
            public @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode) {
                told.add(name);
                return null;
            }
        };
        try (Interlock client = Interlock.builder(new MemoryStore())
                .whenBuilt(built::set)
                .whenBuilt(early -> assertThat(early.lock("early").tryAcquire()).isPresent())
                .observer(observer)
                .build()) {
            assertThat(built).hasValue(client);
            assertThat(told).containsExactly("opened", "early");
        }
        InterlockBuilder failing = Interlock.builder(new MemoryStore()).whenBuilt(client -> {
            throw new UnsupportedOperationException("of the action");
        });
        assertThatThrownBy(failing::build).hasMessage("of the action");
    }
}
