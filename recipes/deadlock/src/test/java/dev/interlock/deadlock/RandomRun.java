package dev.interlock.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.deadlock.DeadlockException.Member;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A random run of 2 to 6 actors, each of which holds something of its own and waits for what another holds. Some share
 * a client. The names are locks, read/write locks and semaphores.
 */
final class RandomRun {

    private final Stage stage;
    private final Random random;
    private final List<Actor> actors = new ArrayList<>();

    /** For each actor what somebody has to ask for to wait for it. */
    private final List<Demand> askedOf = new ArrayList<>();

    private RandomRun(Stage stage, long seed) throws Exception {
        this.stage = stage;
        this.random = new Random(seed);
        int count = 2 + random.nextInt(5);
        List<Interlock> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (i < 2 || random.nextInt(4) > 0) {
                clients.add(stage.client());
            }
            actors.add(stage.actor(clients.get(random.nextInt(clients.size()))));
        }
        for (Actor actor : actors) {
            askedOf.add(holdSomething(actor));
        }
    }

    /** The actor gets something, and perhaps more that nobody wants; returns what others cannot have therefore. */
    private Demand holdSomething(Actor actor) throws Exception {
        if (random.nextInt(3) == 0) {
            actor.holds(Demand.lock(stage.name()));
        }
        String name = stage.name();
        switch (random.nextInt(5)) {
            case 0 -> {
                actor.holds(Demand.write(name));
                return random.nextBoolean() ? Demand.read(name) : Demand.write(name);
            }
            case 1 -> {
                actor.holds(Demand.read(name));
                return Demand.write(name);
            }
            case 2 -> {
                int capacity = 1 + random.nextInt(4);
                int held = 1 + random.nextInt(capacity);
                actor.holds(Demand.permits(name, held, capacity));
                return Demand.permits(name, capacity - held + 1, capacity);
            }
            default -> {
                actor.holds(Demand.lock(name));
                return Demand.lock(name);
            }
        }
    }

    /** Each waits for the next, in random order; the one that begins last learns of it. */
    static void withCircle(Stage stage, long seed) throws Exception {
        RandomRun run = new RandomRun(stage, seed);
        List<Integer> order = run.shuffled();
        List<Future<@Nullable DeadlockException>> waiting = new ArrayList<>();
        for (int i = 0; i < order.size() - 1; i++) {
            waiting.add(run.waitForTheNext(order.get(i)));
        }
        stage.awaitPublished(waiting.size());

        DeadlockException deadlock = Actor.get(run.waitForTheNext(order.get(order.size() - 1)));

        assertThat(deadlock).as("the last comer of run %d", seed).isNotNull();
        assertThat(deadlock.circle())
                .as("run %d", seed)
                .extracting(Member::wanted)
                .containsExactlyElementsOf(run.namesFrom(order.get(order.size() - 1)));
        for (Future<@Nullable DeadlockException> other : waiting) {
            assertThat(Actor.get(other)).as("another of run %d", seed).isNull();
        }
    }

    /** Each but the last waits for one of those after it, so the last can end them all. */
    static void withoutCircle(Stage stage, long seed) throws Exception {
        RandomRun run = new RandomRun(stage, seed);
        int last = run.actors.size() - 1;
        List<Future<@Nullable DeadlockException>> waiting = new ArrayList<>();
        for (int from : run.shuffled()) {
            if (from < last) {
                int to = from + 1 + run.random.nextInt(last - from);
                waiting.add(run.actors.get(from).waitsFor(run.askedOf.get(to)));
            }
        }
        stage.awaitPublished(waiting.size());
        stage.awaitLooks(4 + run.actors.size());
        assertThat(waiting).as("run %d", seed).noneMatch(Future::isDone);

        run.actors.get(last).letsGo();

        for (Future<@Nullable DeadlockException> each : waiting) {
            assertThat(Actor.get(each)).as("run %d", seed).isNull();
        }
    }

    private List<Integer> shuffled() {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < actors.size(); i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        return order;
    }

    private Future<@Nullable DeadlockException> waitForTheNext(int from) {
        return actors.get(from).waitsFor(askedOf.get((from + 1) % actors.size()));
    }

    private List<String> namesFrom(int first) {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= actors.size(); i++) {
            names.add(askedOf.get((first + i) % actors.size()).name());
        }
        return names;
    }
}
