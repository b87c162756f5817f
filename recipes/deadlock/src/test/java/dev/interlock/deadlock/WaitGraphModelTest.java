package dev.interlock.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random histories of actors that lock and wait. A model plays the best that can come: whoever does not wait lets go of
 * everything, and whoever gets what it waits for does not wait any more. Who waits in the end is stuck, and nobody
 * else.
 */
class WaitGraphModelTest {

    private static final int HISTORIES = 4_000;
    private static final int CAPACITY = 3;

    /** What one actor has or wants of a name. */
    private record Claim(int actor, LockId id, Mode mode, long fence) {}

    /** Holders and queues. */
    private static final class Model {
        final List<Claim> held = new ArrayList<>();
        final Map<Integer, Claim> waiting = new LinkedHashMap<>();

        Model copy() {
            Model copy = new Model();
            copy.held.addAll(held);
            copy.waiting.putAll(waiting);
            return copy;
        }

        /** Whether it fits beside the holders and, if there is an order, beside those who came before. */
        boolean fits(Claim claim) {
            List<Claim> beside = new ArrayList<>();
            held.stream().filter(other -> other.id().equals(claim.id())).forEach(beside::add);
            for (Claim before : waiting.values()) {
                if (before.equals(claim)) {
                    break;
                }
                if (before.id().equals(claim.id()) && claim.id().kind() != LockKind.LOCK) {
                    beside.add(before);
                }
            }
            if (claim.mode() instanceof Mode.Permits wanted) {
                int taken = beside.stream()
                        .mapToInt(other -> ((Mode.Permits) other.mode()).count())
                        .sum();
                return taken + wanted.count() <= CAPACITY;
            }
            return claim.mode() instanceof Mode.Shared
                    ? beside.stream().allMatch(other -> other.mode() instanceof Mode.Shared)
                    : beside.isEmpty();
        }

        /** Lets everything happen that can; whoever is left waits for ever. */
        void playOn() {
            boolean changed = true;
            while (changed) {
                changed = held.removeIf(claim -> !waiting.containsKey(claim.actor()));
                for (Claim claim : List.copyOf(waiting.values())) {
                    if (fits(claim)) {
                        waiting.remove(claim.actor());
                        held.add(claim);
                        changed = true;
                    }
                }
            }
        }
    }

    @Test
    void stuck_areThoseWhoWaitForEver_andTheLastOfAKnotClosesIt() {
        int circles = 0;
        int free = 0;
        for (int seed = 0; seed < HISTORIES; seed++) {
            Random random = new Random(seed);
            Model model = new Model();
            List<Wait> waits = new ArrayList<>();
            int actors = 2 + random.nextInt(5);
            for (int step = 1; step <= 20; step++) {
                int actor = random.nextInt(actors);
                if (model.waiting.containsKey(actor)) {
                    continue;
                }
                Claim claim = claim(actor, step, random);
                if (model.fits(claim)) {
                    model.held.add(claim);
                    continue;
                }
                model.waiting.put(actor, claim);
                Wait last = wait(model, claim, step);
                waits.add(last);
                WaitGraph graph = new WaitGraph(names(model), waits);
                Model end = model.copy();
                end.playOn();

                for (Wait wait : waits) {
                    assertThat(graph.isStuck(wait))
                            .as("history %d, step %d, wait %s", seed, step, wait)
                            .isEqualTo(end.waiting.containsKey((int) wait.number()));
                }
                WaitGraph.Circle circle = graph.closedBy(last);
                if (circle == null) {
                    free++;
                } else {
                    circles++;
                    assertThat(circle.members().get(0)).isEqualTo(last);
                    assertThat(circle.knot()).allMatch(graph::isStuck);
                    // As the one does that gets the exception and lets go.
                    waits.remove(last);
                    model.waiting.remove(actor);
                    model.held.removeIf(mine -> mine.actor() == actor);
                }
            }
        }
        assertThat(circles).as("circles").isGreaterThan(HISTORIES / 10);
        assertThat(free).as("waits without a circle").isGreaterThan(HISTORIES);
    }

    /** A claim of any name, perhaps of one that the actor holds: then it waits for itself. */
    private static Claim claim(int actor, int step, Random random) {
        int name = random.nextInt(4);
        LockId id =
                switch (random.nextInt(3)) {
                    case 0 -> LockId.lock("lock-" + name);
                    case 1 -> new LockId("rw-" + name, LockKind.READ_WRITE);
                    default -> new LockId("permits-" + name, LockKind.SEMAPHORE);
                };
        Mode mode =
                switch (id.kind()) {
                    case LOCK -> Mode.exclusive();
                    case READ_WRITE -> random.nextBoolean() ? Mode.shared() : Mode.fair();
                    default -> new Mode.Permits(1 + random.nextInt(CAPACITY), CAPACITY);
                };
        return new Claim(actor, id, mode, step);
    }

    private static Wait wait(Model model, Claim claim, int step) {
        List<Hold> held = model.held.stream()
                .filter(mine -> mine.actor() == claim.actor())
                .map(mine -> new Hold(mine.id(), mine.fence(), mine.mode() instanceof Mode.Shared))
                .toList();
        return new Wait("c" + claim.actor(), claim.actor(), claim.id(), claim.mode(), step, step, step, "t", held);
    }

    private static Map<LockId, LockStatus> names(Model model) {
        Map<LockId, LockStatus> names = new HashMap<>();
        List<Claim> all = new ArrayList<>(model.held);
        all.addAll(model.waiting.values());
        for (Claim any : all) {
            LockId id = any.id();
            names.put(
                    id,
                    new LockStatus(
                            id.name(),
                            id.kind(),
                            model.held.stream()
                                    .filter(claim -> claim.id().equals(id))
                                    .map(claim -> new LockStatus.Holder(
                                            "c" + claim.actor() + ":1",
                                            Party.UNKNOWN,
                                            claim.mode(),
                                            Duration.ZERO,
                                            Duration.ZERO,
                                            claim.fence() * 1024))
                                    .toList(),
                            model.waiting.values().stream()
                                    .filter(claim -> claim.id().equals(id))
                                    .map(claim -> new LockStatus.Waiter(
                                            "c" + claim.actor() + ":2", Party.UNKNOWN, claim.mode(), Duration.ZERO))
                                    .toList(),
                            id.kind() == LockKind.SEMAPHORE ? CAPACITY : 1));
        }
        return names;
    }
}
