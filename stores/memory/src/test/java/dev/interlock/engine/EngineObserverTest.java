package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LeaseOrigin;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What observers are told, on which thread, in which order, and that no monitor is held then. Invariant I9. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineObserverTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Recorder told = new Recorder();
    private final Simulation one = Simulation.start(told);
    private final DistributedLock lock = one.lock("n");

    @Test
    void blockingCall_isReportedOnItsThread() {
        told.withThreads = true;
        String me = Thread.currentThread().getName();
        lock.lock();
        long token = lock.heldLease().token();
        one.advance(SECOND);
        lock.lock();
        lock.unlock();
        lock.unlock();
        assertThat(told.all())
                .as("a re-entry is none of its own")
                .containsExactly(
                        "n LOCK Exclusive on " + me,
                        "acquired " + token + " STORE PT0S on " + me,
                        "ended RELEASED PT1S on " + me);
    }

    @Test
    void asyncCall_beginsOnTheCallersThread_andIsGrantedOnTheStores() throws Exception {
        told.withThreads = true;
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> call = one.acquire("n");
        one.advance(Duration.ofMillis(100));
        onThread("answering", () -> one.store.letGo());
        onThread("releasing", () -> call.join().close());
        assertThat(told.all())
                .containsExactly(
                        "n LOCK Exclusive on " + Thread.currentThread().getName(),
                        "acquired " + call.join().token() + " STORE PT0.1S on answering",
                        "ended RELEASED PT0S on releasing");
    }

    @Test
    void handOver_isTheOriginOfTheNextLease() {
        Lease first = one.acquire("n").join();
        CompletableFuture<Lease> next = one.acquire("n");
        one.advance(Duration.ofMillis(5));
        first.close();
        assertThat(told.all().subList(2, 5))
                .containsExactlyInAnyOrder(
                        "n LOCK Exclusive",
                        "acquired " + next.join().token() + " HAND_OVER PT0.005S",
                        "ended RELEASED PT0.005S");
    }

    @Test
    void downgrade_isAHandOver() {
        DistributedReadWriteLock both = one.readWriteLock("n", LockOptions.defaults());
        Lease writer = both.writeLock().acquireAsync().toCompletableFuture().join();
        Lease reader = one.acquireBeside("n", writer, LeaseTerm.renewing()).join();
        assertThat(told.all())
                .containsExactly(
                        "n READ_WRITE Exclusive",
                        "acquired " + writer.token() + " STORE PT0S",
                        "n READ_WRITE Shared",
                        "acquired " + reader.token() + " HAND_OVER PT0S");
    }

    @Test
    void callerWhoseTimeIsOver_gaveUp_withoutAFailure() {
        Lease held = one.neighbour().acquire("n").join();
        // Shorter than the earliest poll: the supervisor makes a pause after each sweep, also before a deadline.
        Duration wait = Simulation.POLL_CAP.dividedBy(2);
        CompletableFuture<?> timed = one.tryAcquire("n", wait);
        one.advance(wait);
        assertThat(timed).isCompleted();
        assertThat(lock.tryLock()).isFalse();
        assertThat(told.all())
                .containsExactly("n LOCK Exclusive", "gaveUp null PT0.5S", "n LOCK Exclusive", "gaveUp null PT0S");
        held.close();
    }

    @Test
    void interruptedCaller_gaveUp_withTheInterrupt() throws Exception {
        told.withThreads = true;
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        FutureTask<?> call = new FutureTask<>(lock::acquire);
        Thread caller = new Thread(call, "caller");
        caller.start();
        Patience.await().until(() -> one.store.count(Verb.ACQUIRE) == 1);
        caller.interrupt();
        assertThatThrownBy(call::get).hasCauseInstanceOf(InterruptedException.class);
        assertThat(told.all())
                .containsExactly("n LOCK Exclusive on caller", "gaveUp InterruptedException PT0S on caller");
    }

    @Test
    void cancelledFuture_gaveUp_withTheCancellation() {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        one.acquire("n").cancel(false);
        assertThat(told.all()).containsExactly("n LOCK Exclusive", "gaveUp CancellationException PT0S");
    }

    /** The outcome counts, although nobody has looked at it when the future is cancelled. */
    @Test
    void grantThatComesBeforeTheCancellation_isAcquiredAndReleased() {
        one.store.road(Road.KEEP_ANSWERS, Verb.ACQUIRE);
        CompletableFuture<Lease> call = (CompletableFuture<Lease>) lock.acquireAsync();
        one.store.letGo();
        call.cancel(false);
        assertThat(told.all()).containsExactly("n LOCK Exclusive", "acquired 1024 STORE PT0S", "ended RELEASED PT0S");
    }

    @Test
    void silentStore_isTheFailure() {
        one.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        CompletableFuture<Lease> call = one.acquire("n");
        one.advance(Simulation.STORE_TIMEOUT.plusSeconds(1));
        assertThat(call).isCompletedExceptionally();
        String gaveUp = "gaveUp " + StoreUnavailableException.class.getSimpleName() + " ";
        assertThat(told.all())
                .hasSize(2)
                .startsWith("n LOCK Exclusive")
                .last()
                .asString()
                .startsWith(gaveUp);
        // A repetition, whose moment is random, may be the last thing before the end of the wait.
        assertThat(Duration.parse(told.all().get(1).substring(gaveUp.length())))
                .isBetween(Simulation.STORE_TIMEOUT, Simulation.STORE_TIMEOUT.plus(Simulation.LATE));
    }

    @Test
    void refusalOfTheStore_isTheFailure() {
        one.store.refuse(claim -> true);
        assertThatThrownBy(lock::lock).isInstanceOf(IllegalStateException.class);
        assertThat(told.all()).containsExactly("n LOCK Exclusive", "gaveUp IllegalStateException PT0S");
    }

    @Test
    void lostLease_endsOnce() {
        lock.lock(LeaseTerm.fixed(SECOND));
        long token = lock.heldLease().token();
        one.advance(SECOND.multipliedBy(2));
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(told.all())
                .containsExactly(
                        "n LOCK Exclusive",
                        "acquired " + token + " STORE PT0S",
                        "ended " + ReleaseOutcome.lost(LossCause.EXPIRED) + " PT0.988S");
    }

    @Test
    void requestsAreReported_andHandOversAreNone() {
        told.withRequests = true;
        one.advance(SECOND);
        Lease held = one.acquire("n").join();
        var timed = one.tryAcquire("n", Duration.ofMillis(5));
        one.advance(Duration.ofMillis(5));
        CompletableFuture<Lease> next = one.acquire("n");
        one.advance(Duration.ofMillis(3));
        held.close();
        assertThat(told.all())
                .containsExactly(
                        "n LOCK Exclusive",
                        "requested n",
                        "acquired 1024 STORE PT0S",
                        "n LOCK Exclusive",
                        "gaveUp null PT0.005S",
                        "n LOCK Exclusive",
                        "acquired 1025 HAND_OVER PT0.003S",
                        "ended RELEASED PT0.008S");
        assertThat(told.owners)
                .containsExactly(
                        one.store.requests(Verb.ACQUIRE).get(0).claim().owner().value());
        assertThat(timed).isCompletedWithValue(Optional.empty());
        next.join().close();
    }

    @Test
    void lossThatOnlyTheReleaseFinds_endsTheLeaseAsLost() {
        lock.lock();
        long token = lock.heldLease().token();
        Claim claim = one.store.requests(Verb.ACQUIRE).get(0).claim();
        assertThat(one.memory.release(claim.byForce()).toCompletableFuture().join())
                .isTrue();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(told.all())
                .startsWith("n LOCK Exclusive", "acquired " + token + " STORE PT0S")
                .hasSize(3)
                .last()
                .asString()
                .startsWith("ended LOST(");
    }

    @Test
    void closedClient_endsLeasesAndCallers() {
        Lease held = one.acquire("n").join();
        CompletableFuture<Lease> waiting = one.acquire("n");
        one.core.close();
        assertThat(waiting).isCompletedExceptionally();
        assertThat(told.all())
                .containsExactlyInAnyOrder(
                        "n LOCK Exclusive",
                        "acquired " + held.token() + " STORE PT0S",
                        "n LOCK Exclusive",
                        "gaveUp IllegalStateException PT0S",
                        "ended RELEASED PT0S");
    }

    @Test
    void renewals_andFailedOnes_areReported() {
        Lease held = one.acquire("n").join();
        one.advance(SECOND.multipliedBy(11));
        assertThat(told.all()).endsWith("renewed n");
        one.store.road(Road.REFUSE, Verb.RENEW);
        one.advance(SECOND.multipliedBy(10));
        assertThat(told.all()).endsWith("renewalFailed n");
        assertThat(told.owners)
                .containsOnly(
                        one.store.requests(Verb.ACQUIRE).get(0).claim().owner().value());
        assertThat(told.failures)
                .first()
                .asString()
                .endsWith("Could not renew lock 'n': The road to the store is closed");
        assertThat(told.left).isNotEmpty().allMatch(rest -> rest.compareTo(SECOND.multipliedBy(20)) <= 0);
        held.close();
    }

    @Test
    void repliesOfTheStore_areCounted_andFailuresAreNot() {
        one.acquire("n").join().close();
        assertThat(told.replies).hasValue(2);
        one.store.road(Road.REFUSE);
        CompletableFuture<Optional<Lease>> attempt = one.tryAcquire("n", Duration.ZERO);
        one.advance(SECOND);
        assertThat(attempt).isCompletedExceptionally();
        assertThat(told.replies).hasValue(2);
        lock.inspect();
        assertThat(told.replies).hasValue(3);
    }

    @Test
    void P04_throwingObserver_doesNoHarm_andOthersAreTold() {
        Recorder after = new Recorder();
        Simulation client = Simulation.start(new Thrower(true), new Thrower(false), after);
        client.acquire("n").join().close();
        assertThat(client.isAtRest()).isTrue();
        assertThat(after.all()).hasSize(3);
        assertThat(after.replies).hasValue(2);
    }

    @Test
    void noMonitorIsHeld_whenAnObserverIsCalled() {
        AtomicInteger calls = new AtomicInteger();
        Recorder checking = new Recorder();
        checking.withRequests = true;
        Simulation client = Simulation.start(checking);
        checking.before = () -> {
            calls.incrementAndGet();
            client.core.arbiters().all().forEach(arbiter -> assertThat(arbiter.isHeldByCurrentThread())
                    .isFalse());
        };
        Lease first = client.acquire("n").join();
        CompletableFuture<Lease> second = client.acquire("n", LeaseTerm.fixed(SECOND));
        client.acquire("n").cancel(false);
        client.store.road(Road.REFUSE, Verb.RENEW);
        client.advance(SECOND.multipliedBy(11));
        client.store.road(Road.OPEN, Verb.RENEW);
        client.advance(SECOND.multipliedBy(11));
        first.close();
        assertThat(second).isCompleted();
        client.advance(SECOND.multipliedBy(2));
        assertThat(checking.all())
                .contains("requested n", "renewed n", "renewalFailed n", "gaveUp CancellationException PT0S")
                .last()
                .asString()
                .startsWith("ended LOST");
        assertThat(calls.get()).isEqualTo(checking.all().size());
    }

    @Test
    void eachOfSeveralObservers_isToldEverything() {
        Recorder other = new Recorder();
        Simulation client = Simulation.start(other, new Recorder(), told);
        Lease held = client.acquire("n").join();
        CompletableFuture<Optional<Lease>> waiting = client.tryAcquire("n", SECOND);
        client.advance(SECOND.plusMillis(1));
        assertThat(waiting).isCompleted();
        held.close();
        assertThat(told.all())
                .containsExactly(
                        "n LOCK Exclusive",
                        "acquired " + held.token() + " STORE PT0S",
                        "n LOCK Exclusive",
                        "gaveUp null PT1S",
                        "ended RELEASED PT1.001S");
        assertThat(other.all()).isEqualTo(told.all());
    }

    @Test
    void eachOfSeveralObservers_isToldOfTheWait() {
        AtomicInteger waits = new AtomicInteger();
        LockObserver counting = new LockObserver() {
            @Override
            public Acquisition acquiring(String name, LockKind kind, Mode mode) {
                return new Acquisition() {
                    @Override
                    public void waiting(boolean blocked, Predicate<RuntimeException> end) {
                        waits.incrementAndGet();
                    }
                };
            }
        };
        Simulation client = Simulation.start(counting, counting, counting);
        client.acquire("n").join();
        assertThat(waits).hasValue(0);
        CompletableFuture<Lease> waiting = client.acquire("n");
        assertThat(waits).hasValue(3);
        waiting.cancel(false);
    }

    private static void onThread(String name, Runnable work) throws InterruptedException {
        Thread thread = new Thread(work, name);
        thread.start();
        thread.join();
    }

    /** Writes down what it is told. */
    private static final class Recorder implements LockObserver {

        private final Queue<String> lines = new ConcurrentLinkedQueue<>();
        final AtomicInteger replies = new AtomicInteger();
        final Queue<String> owners = new ConcurrentLinkedQueue<>();
        final Queue<Duration> left = new ConcurrentLinkedQueue<>();
        final List<StoreUnavailableException> failures = new CopyOnWriteArrayList<>();
        volatile Runnable before = () -> {};
        volatile boolean withThreads;
        volatile boolean withRequests;

        List<String> all() {
            return List.copyOf(lines);
        }

        private void add(String line) {
            before.run();
            lines.add(withThreads ? line + " on " + Thread.currentThread().getName() : line);
        }

        @Override
        public Acquisition acquiring(String name, LockKind kind, Mode mode) {
            add(name + " " + kind + " " + mode.getClass().getSimpleName());
            return new Acquisition() {
                @Override
                public void acquired(long token, LeaseOrigin origin, Duration waited) {
                    add("acquired " + token + " " + origin + " " + waited);
                }

                @Override
                public void gaveUp(@Nullable Throwable failure, Duration waited) {
                    add("gaveUp " + (failure == null ? null : failure.getClass().getSimpleName()) + " " + waited);
                }

                @Override
                public void ended(ReleaseOutcome outcome, Duration held) {
                    add("ended " + outcome + " " + held);
                }
            };
        }

        @Override
        public void requested(String name, String owner) {
            if (withRequests) {
                add("requested " + name);
                owners.add(owner);
            }
        }

        @Override
        public void renewed(String name, String owner) {
            add("renewed " + name);
            owners.add(owner);
        }

        @Override
        public void renewalFailed(String name, String owner, Duration remaining, StoreUnavailableException failure) {
            add("renewalFailed " + name);
            owners.add(owner);
            left.add(remaining);
            failures.add(failure);
        }

        @Override
        public void storeReplied() {
            replies.incrementAndGet();
        }
    }

    /** Throws whatever happens, at once or from the acquisition on. */
    private record Thrower(boolean atOnce) implements LockObserver {

        @Override
        public Acquisition acquiring(String name, LockKind kind, Mode mode) {
            if (atOnce) {
                throw new IllegalStateException("of the observer");
            }
            return new Acquisition() {
                @Override
                public void acquired(long token, LeaseOrigin origin, Duration waited) {
                    throw new IllegalStateException("of the observer");
                }

                @Override
                public void ended(ReleaseOutcome outcome, Duration held) {
                    throw new AssertionError("of the observer");
                }
            };
        }

        @Override
        public void storeReplied() {
            throw new IllegalStateException("of the observer");
        }
    }
}
