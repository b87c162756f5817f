package dev.interlock.testkit.contract.cancel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.cancel.Scene.Answers;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * The walk of cancellation. Each form of asynchronous call is given up in each way, at each step that it takes from the
 * call to its grant, and after it. Then the name must be free, the client must have forgotten the call, and no body may
 * have begun after its caller had gone.
 *
 * <pre>
 *   {forms} x {ways to give up} x {the lock is free, held in this client, held in another} x {steps}
 * </pre>
 *
 * <p>In one way also with a store whose answers are under way for a while: then a call is given up while the store has
 * done what it asked for, and just before and after the client learns of it.
 */
public abstract class CancellationWalk {

    /** Guards against a call that takes steps for ever. */
    private static final int MOST_STEPS = 1000;

    /** A form of asynchronous call. */
    public interface Form {
        /**
         * Begins a call, which acquires {@link Scene#name()} through {@link Scene#client()} and then, if it has a body,
         * calls {@link Scene#body()} under the lock, whose end it does not see. Says {@link Scene#begun} as soon as the
         * call can be given up.
         *
         * @param way one of {@link CancellationWalk#ways}
         * @return ends what the caller has got, if the call was granted before it was given up
         */
        Runnable begin(Scene scene, String way) throws Exception;

        /** Takes what the call wants; what it returns gives that back. */
        default Runnable hold(Interlock client, String name) throws Exception {
            return client.lock(name).acquire()::close;
        }

        /**
         * Whether another thread may complete the call. Then it is not obtruded, which replaces a lease that has just
         * arrived: that was the caller's.
         */
        default boolean isCompletedElsewhere() {
            return false;
        }
    }

    private enum Held {
        NOBODY,
        HERE,
        ELSEWHERE
    }

    /** A new store, as what opens sessions of it. */
    protected abstract Supplier<LockStore> sessions();

    /** The forms, by their names. */
    protected abstract Map<String, Form> forms();

    /** How a call can be given up. */
    protected abstract List<String> ways();

    @TestFactory
    Stream<DynamicTest> atEachStep_nothingIsLeft_andNoBodyBegins() {
        return forms().entrySet().stream()
                .flatMap(form -> ways(form.getValue().isCompletedElsewhere()).flatMap(way -> Stream.of(Held.values())
                        .map(held -> DynamicTest.dynamicTest(
                                form.getKey() + ", " + way + ", held by " + held,
                                () -> walk(form.getValue(), way, held, Answers.AT_ONCE)))));
    }

    @TestFactory
    Stream<DynamicTest> whileAnAnswerIsUnderWay_nothingIsLeft_andNoBodyBegins() {
        String way = ways().get(0);
        return forms().entrySet().stream().flatMap(form -> Stream.of(Held.values())
                .map(held -> DynamicTest.dynamicTest(
                        form.getKey() + ", " + way + ", held by " + held,
                        () -> walk(form.getValue(), way, held, Answers.LATER))));
    }

    private Stream<String> ways(boolean completedElsewhere) {
        return ways().stream().filter(way -> !(completedElsewhere && way.startsWith("obtrude")));
    }

    private void walk(Form form, String way, Held held, Answers answers) throws Exception {
        int at = 0;
        while (isGivenUpOnTheWay(form, way, held, answers, at)) {
            at++;
            assertThat(at).as("steps of one call").isLessThan(MOST_STEPS);
        }
        assertThat(at).as("steps of one call").isPositive();
    }

    /** Gives a call up at this step, or after its last one; returns whether it had as many. */
    private boolean isGivenUpOnTheWay(Form form, String way, Held held, Answers answers, int at) throws Exception {
        try (Scene scene = new Scene(sessions(), at, Scene.Consumption.QUEUED, answers)) {
            Runnable letGo = hold(form, scene, held);
            scene.walk();
            Runnable taker = form.begin(scene, way);
            scene.pump(() -> true);
            scene.letGo(letGo);
            scene.pump(() -> scene.isGivenUp() || scene.isDecided());
            boolean onTheWay = scene.isGivenUp();
            scene.giveUpNow();
            scene.pump(() -> true);
            scene.walked();
            taker.run();
            ensureNothingLeft(scene, "step " + at);
            return onTheWay;
        }
    }

    private static Runnable hold(Form form, Scene scene, Held held) throws Exception {
        return switch (held) {
            case NOBODY -> () -> {};
            case HERE -> form.hold(scene.client(), scene.name());
            case ELSEWHERE -> form.hold(scene.other(), scene.name());
        };
    }

    private static void ensureNothingLeft(Scene scene, String when) {
        scene.pump(scene::isNothingLeft);
        assertThat(scene.isNothingLeft())
                .as("nothing is left, given up at %s: %s", when, scene.books())
                .isTrue();
        assertThat(scene.ranAfter()).as("body after giving up at %s", when).isFalse();
        assertThat(scene.bodies()).as("bodies").isLessThan(2);
    }

    /**
     * The same by chance, with threads: a call is given up at about the moment of its grant, which is another thread's.
     */
    @TestFactory
    @Tag(Effort.SCALED)
    Stream<DynamicTest> atAnyMoment_nothingIsLeft() {
        return forms().entrySet().stream().flatMap(form -> ways(true)
                .map(way -> DynamicTest.dynamicTest(form.getKey() + ", " + way, () -> {
                    Random random = new Random(form.getKey().hashCode());
                    for (int i = 0; i < Effort.pick(3, 3000); i++) {
                        race(form.getValue(), way, random.nextInt(60_000));
                    }
                })));
    }

    private void race(Form form, String way, int nanos) throws Exception {
        try (Scene scene = new Scene(sessions(), -1, Scene.Consumption.THREADS, Answers.AT_ONCE)) {
            Runnable letGo = form.hold(scene.client(), scene.name());
            Runnable taker = form.begin(scene, way);
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
                long until = System.nanoTime() + nanos;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                scene.giveUpNow();
            });
            letGo.run();
            other.get(Patience.seconds(), TimeUnit.SECONDS);
            taker.run();
            scene.pump(scene::isNothingLeft);
            assertThat(scene.isNothingLeft())
                    .as("nothing is left: %s", scene.books())
                    .isTrue();
        }
    }
}
