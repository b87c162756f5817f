package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Two clients whose callers come, hold, downgrade, leave and give up at random, on terms of all kinds. At every step:
 * beside a valid write lease there is no other but that which its holder took besides (I2), and its token is larger
 * than all before (I1, I3). In the end, when the roads are open and all have let go, everybody has had their turn (I5)
 * and nothing is left (I6).
 */
final class ReadWriteWalk {

    private static final List<LeaseTerm> TERMS = List.of(
            LeaseTerm.renewing(),
            LeaseTerm.renewing(),
            LeaseTerm.renewing(Duration.ofSeconds(5)),
            LeaseTerm.renewing().maxHold(Duration.ofSeconds(2)),
            LeaseTerm.fixed(Duration.ofSeconds(2)),
            LeaseTerm.fixed(Duration.ofSeconds(30)));

    private static final List<LockOptions> OPTIONS = List.of(
            LockOptions.defaults(),
            LockOptions.builder().handOver(2, Duration.ofMinutes(1)).build(),
            LockOptions.builder().handOver(0, Duration.ZERO).build());

    private final Random random;
    private final boolean lossy;
    private final Simulation one = Simulation.start();
    private final Simulation two = one.neighbour();
    private final List<Call> waiting = new ArrayList<>();
    private final List<Hold> holds = new ArrayList<>();
    private long largestToken;

    /** A caller that waits. */
    private record Call(Simulation client, CompletableFuture<Lease> future, boolean writes, @Nullable Lease beside) {}

    /** One that holds. */
    private record Hold(Simulation client, Lease lease, boolean writes, @Nullable Lease beside) {}

    ReadWriteWalk(long seed, boolean lossy) {
        this.random = new Random(seed);
        this.lossy = lossy;
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
            look();
        }
        end();
    }

    private void step() {
        int what = random.nextInt(100);
        if (what < 30) {
            come(what < 20 ? 1 : 0);
        } else if (what < 55) {
            leave();
        } else if (what < 60) {
            downgrade();
        } else if (what < 65) {
            giveUp();
        } else if (what < 75 && lossy) {
            disturb(random.nextBoolean() ? one : two);
        } else if (what < 98) {
            pass(Duration.ofMillis(1 + random.nextInt(12)));
        } else {
            pass(Duration.ofMillis(1 + random.nextInt(4_000)));
        }
    }

    private void come(int readers) {
        Simulation client = random.nextBoolean() ? one : two;
        DistributedReadWriteLock lock = client.readWriteLock("n", pick(OPTIONS));
        boolean writes = readers == 0;
        DistributedLock side = writes ? lock.writeLock() : lock.readLock();
        waiting.add(new Call(client, side.acquireAsync(pick(TERMS)).toCompletableFuture(), writes, null));
    }

    private void leave() {
        if (!holds.isEmpty()) {
            var unused = holds.remove(random.nextInt(holds.size())).lease().releaseAsync();
        }
    }

    /** Takes a share beside a write lease that is held; whether the write lease goes first is for later steps. */
    private void downgrade() {
        for (Hold hold : holds) {
            if (hold.writes() && hold.lease().isValid()) {
                waiting.add(new Call(
                        hold.client(),
                        hold.client().acquireBeside("n", hold.lease(), pick(TERMS)),
                        false,
                        hold.lease()));
                return;
            }
        }
    }

    private void giveUp() {
        if (!waiting.isEmpty()) {
            waiting.get(random.nextInt(waiting.size())).future().cancel(false);
        }
    }

    private void disturb(Simulation client) {
        if (random.nextInt(3) == 0) {
            client.store.road(pick(List.of(Road.values())), pick(List.of(Verb.values())));
        } else {
            client.store.road(Road.OPEN);
            client.store.letGo();
        }
    }

    private void pass(Duration time) {
        one.advance(time, two);
    }

    private void look() {
        List<Call> decided =
                waiting.stream().filter(call -> call.future().isDone()).toList();
        waiting.removeAll(decided);
        int known = holds.size();
        for (Call call : decided) {
            if (!call.future().isCompletedExceptionally()) {
                Lease lease = call.future().join();
                holds.add(new Hold(call.client(), lease, call.writes(), call.beside()));
            }
        }
        // Of leases that were granted in one step the order is not known.
        long before = largestToken;
        for (Hold hold : holds.subList(known, holds.size())) {
            if (hold.writes()) {
                assertThat(hold.lease().token()).as("token of a writer").isGreaterThan(before);
            }
            largestToken = Math.max(largestToken, hold.lease().token());
        }
        holds.stream().filter(hold -> hold.writes() && hold.lease().isValid()).forEach(this::assertAlone);
    }

    private void assertAlone(Hold writer) {
        for (Hold hold : holds) {
            if (!hold.equals(writer) && hold.lease().isValid()) {
                assertThat(hold.beside())
                        .as("beside %s: %s", writer.lease(), hold.lease())
                        .isSameAs(writer.lease());
            }
        }
    }

    private void end() {
        for (Simulation client : List.of(one, two)) {
            client.store.road(Road.OPEN);
            client.store.letGo();
        }
        for (int i = 0; !waiting.isEmpty() || !holds.isEmpty(); i++) {
            assertThat(i)
                    .as("rounds until everybody had a turn; %s wait", waiting)
                    .isLessThan(1_000);
            while (!holds.isEmpty()) {
                var unused = holds.remove(0).lease().releaseAsync();
            }
            pass(Duration.ofMillis(500));
            look();
        }
        pass(Duration.ofSeconds(62));
        assertThat(one.isAtRest()).as("one is at rest").isTrue();
        assertThat(two.isAtRest()).as("two is at rest").isTrue();
        var status =
                one.memory.inspect(one.readWriteId("n")).toCompletableFuture().join();
        assertThat(status.holders()).isEmpty();
        assertThat(status.waiters()).isEmpty();
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
