package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Time passes inside a step. The clock of the clients and their store jumps at its k-th reading, for each k of each
 * step that a claim takes: so whatever stands between two readings takes that long. No lease is valid then without its
 * claim in the store, and no two that exclude each other are (I1, I2): a deadline counts from the right reading.
 */
class EngineClockWalkTest {

    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Within the lease; within what clocks may differ in; at its end in the store; beyond. */
    private static final List<Duration> JUMPS =
            List.of(LEASE.dividedBy(2), LEASE.minusMillis(20), LEASE, LEASE.multipliedBy(2));

    private static final List<LeaseTerm> TERMS = List.of(LeaseTerm.fixed(LEASE), LeaseTerm.renewing(LEASE));

    /** So that the walk comes to an end: no step reads the clock so often. */
    private static final int MOST_READINGS = 10_000;

    private static final LockOptions LONG_TURNS =
            LockOptions.builder().handOver(1023, Duration.ofMinutes(1)).build();

    /** What one client does, and another beside it. */
    private static final class World {
        private final Simulation one = Simulation.unhurried();
        private final Simulation two = one.neighbour();
        private final LeaseTerm term;
        private final List<CompletableFuture<? extends Lease>> calls = new ArrayList<>();
        private int readings;
        private int jumpAt = -1;

        World(LeaseTerm term, Duration jump) {
            this.term = term;
            one.clock.beforeReading(() -> {
                if (readings++ == jumpAt) {
                    one.clock.advance(jump);
                }
            });
        }

        DistributedLock lock(Simulation client, LockOptions options) {
            return client.lock("n", options);
        }

        DistributedReadWriteLock pair(Simulation client) {
            return client.readWriteLock("n", LONG_TURNS);
        }

        @CanIgnoreReturnValue
        CompletableFuture<Lease> acquire(DistributedLock lock) {
            return keep(lock.acquireAsync(term));
        }

        @CanIgnoreReturnValue
        CompletableFuture<Lease> keep(CompletionStage<Lease> call) {
            CompletableFuture<Lease> future = call.toCompletableFuture();
            calls.add(future);
            return future;
        }

        /** What is held by this caller, if it is. */
        void release(CompletableFuture<Lease> call) {
            if (call.isDone() && !call.isCompletedExceptionally()) {
                var unused = call.join().releaseAsync();
            }
        }

        void jumpAt(int reading) {
            readings = 0;
            jumpAt = reading;
        }

        boolean hasJumped() {
            return jumpAt < readings;
        }

        /** Whether all that is true at this moment may be true at one moment. */
        void check(String when) {
            jumpAt = -1;
            List<EngineLease> valid = calls.stream()
                    .filter(call -> call.isDone() && !call.isCompletedExceptionally())
                    .map(call -> (EngineLease) call.join())
                    .filter(Lease::isValid)
                    .toList();
            for (EngineLease lease : valid) {
                assertThat(holders())
                        .as("claims in the store %s, with a valid %s", when, lease)
                        .contains(lease.life().claim().owner().value());
            }
            if (valid.stream().allMatch(lease -> lease.life().claim().id().kind() == LockKind.LOCK)) {
                assertThat(valid).as("valid %s", when).hasSizeLessThan(2);
            }
        }

        private List<String> holders() {
            return Stream.of(LockKind.LOCK, LockKind.READ_WRITE, LockKind.SEMAPHORE)
                    .map(kind -> one.memory
                            .inspect(new LockId("n", kind))
                            .toCompletableFuture()
                            .join())
                    .filter(Objects::nonNull)
                    .flatMap(status -> status.holders().stream())
                    .map(LockStatus.Holder::owner)
                    .toList();
        }
    }

    /** What happens before the clock may jump, and then the step in which it does. */
    private record Step(String name, Scene scene) {}

    private interface Scene {
        Runnable begin(World world);
    }

    private static List<Step> steps() {
        LockOptions options = LockOptions.defaults();
        return List.of(
                new Step("acquire", world -> () -> world.acquire(world.lock(world.one, options))),
                new Step("acquire after a wait", world -> waiting(world, options)),
                new Step(
                        "acquire in order, after a wait",
                        world -> waiting(world, options.toBuilder().fair(true).build())),
                new Step("hand-over", world -> handOver(world, world.lock(world.one, LONG_TURNS))),
                new Step(
                        "replacement",
                        world -> handOver(
                                world,
                                world.lock(
                                        world.one,
                                        options.toBuilder().handOver(1, LEASE).build()))),
                new Step("renewal", world -> {
                    world.acquire(world.lock(world.one, options)).join();
                    return () -> world.one.advance(LEASE.dividedBy(2), world.two);
                }),
                new Step("renewal whose answer is lost", world -> {
                    world.acquire(world.lock(world.one, options)).join();
                    return () -> {
                        world.one.store.road(TransitStore.Road.LOSE_ANSWERS, TransitStore.Verb.RENEW);
                        world.one.advance(LEASE.dividedBy(2), world.two);
                        world.one.store.road(TransitStore.Road.OPEN);
                    };
                }),
                new Step("late answer", world -> {
                    world.one.store.road(TransitStore.Road.KEEP_ANSWERS, TransitStore.Verb.ACQUIRE);
                    world.acquire(world.lock(world.one, options));
                    return world.one.store::letGo;
                }),
                new Step("extension", world -> {
                    Lease lease = world.acquire(world.lock(world.one, options)).join();
                    return () -> attempt(() -> lease.extend(LEASE.multipliedBy(2)));
                }),
                new Step("lapse", world -> {
                    CompletableFuture<Lease> call = world.acquire(world.lock(world.one, options));
                    world.acquire(world.lock(world.two, options));
                    return () -> attempt(() -> call.join().lapse(Duration.ofSeconds(1)));
                }),
                new Step("retained", world -> {
                    DistributedLock lock = world.lock(
                            world.one,
                            options.toBuilder().retained(Duration.ofMinutes(1)).build());
                    world.release(world.acquire(lock));
                    return () -> {
                        CompletableFuture<Lease> again = world.acquire(lock);
                        world.acquire(world.lock(world.two, options));
                        world.release(again);
                    };
                }),
                new Step("conversion", world -> {
                    Lease writer =
                            world.acquire(world.pair(world.one).writeLock()).join();
                    world.acquire(world.pair(world.two).readLock());
                    world.keep(world.one.acquireBeside("n", writer, world.term));
                    return () -> attempt(writer::release);
                }),
                new Step("shares", world -> {
                    world.acquire(world.pair(world.one).readLock());
                    return () -> {
                        world.acquire(world.pair(world.one).readLock());
                        world.acquire(world.pair(world.two).readLock());
                        world.acquire(world.pair(world.two).writeLock());
                    };
                }),
                new Step("permits", world -> {
                    world.keep(world.one
                            .semaphore(
                                    "n",
                                    3,
                                    options.toBuilder().lease(world.term).build())
                            .acquireAsync(2));
                    return () -> world.keep(world.two
                            .semaphore(
                                    "n",
                                    3,
                                    options.toBuilder().lease(world.term).build())
                            .acquireAsync(1));
                }));
    }

    private static Runnable waiting(World world, LockOptions options) {
        CompletableFuture<Lease> before = world.acquire(world.lock(world.two, options));
        world.acquire(world.lock(world.one, options));
        return () -> world.release(before);
    }

    private static Runnable handOver(World world, DistributedLock lock) {
        CompletableFuture<Lease> first = world.acquire(lock);
        world.acquire(lock);
        world.acquire(world.lock(world.two, LockOptions.defaults()));
        return () -> world.release(first);
    }

    /** A call that may find its lease lost. */
    private static void attempt(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            // What it says is the affair of other tests.
        }
    }

    @TestFactory
    Stream<DynamicTest> aJumpAtEachReading_leavesNobodyValidWithoutAClaim() {
        return steps().stream().flatMap(step -> TERMS.stream().flatMap(term -> JUMPS.stream()
                .map(jump -> DynamicTest.dynamicTest(
                        step.name() + ", " + term + ", a jump of " + jump, () -> walk(step, term, jump)))));
    }

    private static void walk(Step step, LeaseTerm term, Duration jump) {
        int at = 0;
        while (jumpsAt(step, term, jump, at)) {
            at++;
            assertThat(at).as("readings in one step").isLessThan(MOST_READINGS);
        }
        assertThat(at).as("readings in one step").isPositive();
    }

    /** Returns whether the step has so many readings. */
    private static boolean jumpsAt(Step step, LeaseTerm term, Duration jump, int reading) {
        World world = new World(term, jump);
        Runnable rest = step.scene().begin(world);
        world.jumpAt(reading);
        rest.run();
        boolean jumped = world.hasJumped();
        world.check("after a jump at reading " + reading);
        for (int slice = 1; slice <= 8; slice++) {
            world.one.advance(LEASE.dividedBy(4), world.two);
            world.check("after a jump at reading " + reading + ", and " + slice + " quarters of a lease");
        }
        return jumped;
    }
}
