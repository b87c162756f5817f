package dev.interlock.testkit.contract.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LockLostException;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.form.Form.Call;
import dev.interlock.testkit.contract.form.Form.Wait;
import dev.interlock.testkit.contract.form.Site.Obstacle;
import dev.interlock.testkit.fixture.LockClients;
import dev.interlock.testkit.fixture.LogWatch;
import dev.interlock.testkit.store.ColdStore;
import dev.interlock.testkit.store.FarStore;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * The table of forms: each form on each day. A body runs once, or not at all; inside the lock, or not at all; its
 * caller is told what became of it; and nothing is left. A form names the days that it does not have, with the reason.
 */
public abstract class FormTable {

    /** To a store that is far, and back. */
    private static final Duration EACH_WAY = Duration.ofMillis(150);

    /** The days. Those of a caller that gives up come once for each way to do so. */
    public enum Day {
        /** Nobody holds the lock. */
        FREE(FormTable::free),
        /** The body throws. */
        THROWS(FormTable::fails),
        /** The caller waits for the lock. */
        BUSY_AND_WAITS(FormTable::waits),
        /** The caller does not. */
        BUSY_AND_TRIES(FormTable::tries),
        /** The caller gives up while it waits. */
        BUSY_AND_GIVEN_UP(FormTable::givesUpWaiting),
        /** The client closes while the caller waits. */
        BUSY_AND_CLOSED(FormTable::closesWaiting),
        /** The caller gives up while the body runs. */
        GIVEN_UP_AT_WORK(FormTable::givesUpWork),
        /** As {@link #FREE}; answers take a while. */
        FAR(FormTable::free),
        /** As {@link #BUSY_AND_WAITS}. */
        FAR_BUSY_AND_WAITS(FormTable::waits),
        /** As {@link #BUSY_AND_TRIES}. */
        FAR_BUSY_AND_TRIES(FormTable::tries),
        /** The first answer is late, of a lock that is free. */
        COLD_AND_TRIES(FormTable::coldTry),
        /** The caller gives up before the first answer. */
        COLD_AND_GIVEN_UP(FormTable::coldAndGivenUp),
        /** A body calls the same form, with another name. */
        NESTED(FormTable::nested),
        /** Somebody ends the lease while the body runs. */
        LOST(FormTable::lost),
        /** The client closes while the body runs, for longer than the client waits. */
        CLOSING(FormTable::closing),
        /** The client is closed. */
        CLOSED(FormTable::closed),
        /** The client was closed, and another one is there. */
        OPENED_AGAIN(FormTable::openedAgain);

        @SuppressWarnings("ImmutableEnumChecker") // method references, without a state
        private final Course course;

        Day(Course course) {
            this.course = course;
        }

        private boolean hasWays() {
            return name().endsWith("GIVEN_UP") || this == GIVEN_UP_AT_WORK;
        }
    }

    private interface Course {
        void run(Scene scene) throws Exception;
    }

    /** A new store, as what opens sessions of it. */
    protected abstract Supplier<LockStore> sessions();

    /** The forms, by their names. */
    protected abstract Map<String, Form> forms();

    /** The days of the default tests; the others are wide. */
    protected Set<Day> usualDays() {
        return EnumSet.allOf(Day.class);
    }

    @TestFactory
    Stream<DynamicTest> eachForm_onEachDay() {
        return cells(usualDays());
    }

    @Tag("wide")
    @TestFactory
    Stream<DynamicTest> eachForm_onEachOtherDay() {
        EnumSet<Day> others = EnumSet.allOf(Day.class);
        others.removeAll(usualDays());
        return cells(others);
    }

    private Stream<DynamicTest> cells(Set<Day> days) {
        return forms().entrySet().stream().flatMap(form -> days.stream()
                .filter(day -> !form.getValue().refused().containsKey(day))
                .flatMap(day -> (day.hasWays() ? form.getValue().ways() : List.of(""))
                        .stream().map(way -> cell(form.getKey(), form.getValue(), day, way))));
    }

    private DynamicTest cell(String name, Form form, Day day, String way) {
        return DynamicTest.dynamicTest(name + ", " + day + (way.isEmpty() ? "" : " by " + way), () -> {
            try (Scene scene = new Scene(sessions(), form, day, way)) {
                day.course.run(scene);
                scene.assertNothingLeft();
            }
        });
    }

    /** A client of one form, and another client of its store. */
    private static final class Scene implements AutoCloseable {
        private final Form form;
        private final String way;
        private final LockClients clients;
        private final Interlock other;
        private final Interlock client;
        private final ColdStore cold;
        private final String name;
        private final Site site;
        private final FormBody body;

        Scene(Supplier<LockStore> sessions, Form form, Day day, String way) {
            this.form = form;
            this.way = way;
            clients = new LockClients(sessions);
            other = clients.open();
            name = clients.name();
            cold = new ColdStore(clients.store());
            if (!day.name().startsWith("COLD")) {
                cold.warmUp();
            }
            LockStore store = day.name().startsWith("FAR") ? new FarStore(cold, EACH_WAY) : cold;
            client = clients.open(
                    store, builder -> day == Day.CLOSING ? builder.closeTimeout(Duration.ofMillis(50)) : builder);
            site = form.site(other, name);
            body = new FormBody(site);
        }

        /** A call that finds nobody in its way. */
        Call callFreely() {
            site.open();
            return call(Wait.NONE);
        }

        Call call(Wait wait) {
            return form.begin(client, name, wait, body);
        }

        void awaitBegun() {
            await().until(() -> !body.heldAtBegin().isEmpty());
        }

        void awaitWaiting() {
            await().until(site::isWaitedFor);
        }

        void assertRanInside() {
            await().until(() -> !body.heldAtEnd().isEmpty());
            assertThat(body.heldAtBegin()).as("held at the begin").containsExactly(true);
            assertThat(body.heldAtEnd()).as("held at the end").containsExactly(true);
        }

        void assertDidNotRun() {
            assertThat(body.heldAtBegin()).as("bodies").isEmpty();
        }

        void assertNothingLeft() {
            await().until(() ->
                    other.administration().list(clients.prefix(), 10).isEmpty() && !site.isUsed());
            assertThat(site.isWaitedFor()).isFalse();
        }

        @Override
        public void close() {
            clients.closeAll();
        }
    }

    private static @Nullable String outcome(Call call) throws Exception {
        return call.result().get(Patience.seconds(), TimeUnit.SECONDS);
    }

    private static Throwable failure(Call call) throws Exception {
        try {
            throw new AssertionError("no failure, but " + outcome(call));
        } catch (ExecutionException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            return cause;
        }
    }

    private static void assertEnded(Call call) {
        try {
            await().until(() -> call.result().isDone());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("The call has not ended: " + call, e);
        }
        assertThat(call.result()).isCompletedExceptionally();
    }

    private static void free(Scene scene) throws Exception {
        Call call = scene.callFreely();
        scene.awaitBegun();
        assertThat(call.result()).isNotDone();
        assertThat(scene.site.isHeld()).isTrue();
        scene.body.end("done");
        assertThat(outcome(call)).isEqualTo("done");
        scene.assertRanInside();
    }

    private static void fails(Scene scene) throws Exception {
        Call call = scene.callFreely();
        scene.body.fail(new IllegalStateException("out of paper"));
        assertThat(failure(call)).isInstanceOf(IllegalStateException.class).hasMessage("out of paper");
        assertThat(scene.body.heldAtBegin()).containsExactly(true);
    }

    private static void waits(Scene scene) throws Exception {
        Call call;
        try (Obstacle obstacle = scene.site.occupy()) {
            call = scene.call(Wait.UNLIMITED);
            scene.awaitWaiting();
            scene.assertDidNotRun();
            assertThat(obstacle.holds()).isTrue();
        }
        scene.body.end("done");
        assertThat(outcome(call)).isEqualTo("done");
        assertThat(scene.body.heldAtBegin()).containsExactly(true);
    }

    private static void tries(Scene scene) throws Exception {
        Obstacle obstacle = scene.site.occupy();
        assertThat(outcome(scene.call(Wait.NONE))).isNull();
        scene.assertDidNotRun();
        assertThat(obstacle.holds()).isTrue();
        obstacle.vanish();
    }

    private static void givesUpWaiting(Scene scene) throws Exception {
        Obstacle obstacle = scene.site.occupy();
        Call call = scene.call(Wait.UNLIMITED);
        scene.awaitWaiting();
        call.giveUp(scene.way);
        assertEndedWaiting(scene, call, obstacle);
    }

    private static void closesWaiting(Scene scene) throws Exception {
        Obstacle obstacle = scene.site.occupy();
        Call call = scene.call(Wait.UNLIMITED);
        scene.awaitWaiting();
        scene.client.close();
        if (scene.form.isInterruptedAtTheEnd()) {
            // It is not told: nobody waits for it but its client, which is closed.
            call.giveUp(scene.form.ways().get(0));
        }
        assertEndedWaiting(scene, call, obstacle);
    }

    private static void assertEndedWaiting(Scene scene, Call call, Obstacle obstacle) {
        assertEnded(call);
        await().until(() -> !scene.site.isWaitedFor());
        assertThat(obstacle.holds()).isTrue();
        obstacle.vanish();
        scene.assertNothingLeft();
        scene.assertDidNotRun();
    }

    private static void givesUpWork(Scene scene) {
        Call call = scene.callFreely();
        scene.awaitBegun();
        call.giveUp(scene.way);
        assertEnded(call);
        scene.assertRanInside();
    }

    /** An answer that is late is none: the lock was free. */
    private static void coldTry(Scene scene) throws Exception {
        Call call = scene.callFreely();
        await().until(scene.cold::isAsked);
        assertThat(call.result()).isNotDone();
        scene.assertDidNotRun();
        scene.cold.warmUp();
        scene.body.end("done");
        assertThat(outcome(call)).isEqualTo("done");
        assertThat(scene.body.heldAtBegin()).containsExactly(true);
    }

    private static void coldAndGivenUp(Scene scene) {
        Call call = scene.call(Wait.UNLIMITED);
        await().until(scene.cold::isAsked);
        call.giveUp(scene.way);
        assertEnded(call);
        scene.cold.warmUp();
        scene.assertNothingLeft();
        scene.assertDidNotRun();
    }

    private static void nested(Scene scene) throws Exception {
        String name = scene.clients.name();
        Site innerSite = scene.form.site(scene.other, name);
        FormBody inner = new FormBody(innerSite);
        inner.end("nested");
        scene.body.middle(() -> scene.body.end("with " + scene.form.nested(scene.client, name, inner)));
        innerSite.open();
        assertThat(outcome(scene.callFreely())).isEqualTo("with nested");
        assertThat(inner.heldAtBegin()).containsExactly(true);
        assertThat(scene.body.heldAtBegin()).containsExactly(true);
    }

    private static void lost(Scene scene) throws Exception {
        try (LogWatch log = new LogWatch()) {
            Call call = scene.callFreely();
            scene.awaitBegun();
            scene.site.takeAway();
            if (scene.form.isInterruptedAtTheEnd()) {
                assertEnded(call);
                return;
            }
            scene.body.end("done");
            if (scene.form.isLossLogged()) {
                assertThat(outcome(call)).isEqualTo("done");
                assertThat(log.problems()).singleElement().asString().contains("lost");
            } else {
                assertThat(failure(call)).isInstanceOf(LockLostException.class);
            }
        }
        assertThat(scene.body.heldAtBegin()).containsExactly(true);
    }

    private static void closing(Scene scene) throws Exception {
        Call call = scene.callFreely();
        scene.awaitBegun();
        scene.client.close();
        if (scene.form.isInterruptedAtTheEnd()) {
            assertEnded(call);
            scene.assertRanInside();
            return;
        }
        assertThat(call.result()).isNotDone();
        assertThat(scene.site.isHeld()).as("held when the client is closed").isTrue();
        scene.body.end("done");
        assertThat(outcome(call)).isEqualTo("done");
        scene.assertRanInside();
    }

    private static void closed(Scene scene) throws Exception {
        scene.client.close();
        assertThat(failure(scene.call(Wait.NONE))).isInstanceOf(IllegalStateException.class);
        scene.assertDidNotRun();
    }

    private static void openedAgain(Scene scene) throws Exception {
        scene.client.close();
        scene.body.end("done");
        scene.site.open();
        Call call = scene.form.begin(scene.clients.open(), scene.name, Wait.NONE, scene.body);
        assertThat(outcome(call)).isEqualTo("done");
        assertThat(scene.body.heldAtBegin()).containsExactly(true);
    }
}
