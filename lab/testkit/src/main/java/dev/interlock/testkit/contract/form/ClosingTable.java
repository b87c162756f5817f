package dev.interlock.testkit.contract.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.form.Form.Call;
import dev.interlock.testkit.contract.form.Form.Wait;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.LockClients;
import dev.interlock.testkit.fixture.LogWatch;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The table of closing: each form in which code runs under a lock, with each work. The owner closes while somebody else
 * waits for the lock. What has ended is released at once; work that ends in time is waited for; what does not end keeps
 * its lock until the lease has run out in the store, and a line of the log says so. Nobody is let in before that, the
 * caller is told what became of its work, and closing returns.
 *
 * <p>The clock of the store stands still, so no lease ends by itself. Work ignores its interrupt.
 */
public abstract class ClosingTable {

    /** Comes after the name of a form, and before what is special in this row. */
    protected static final String VARIANT = " / ";

    /** Longer than a test: only work that ends lets an owner that is so patient close. */
    private static final Duration PATIENT = Duration.ofDays(1);

    private static final Duration IMPATIENT = Duration.ofMillis(50);

    /** Of clients; a form may have an own one. */
    private static final Duration LEASE = Duration.ofMinutes(30);

    /** Longer than a lease of any form. */
    private static final Duration LEAP = Duration.ofHours(2);

    private static final Duration POLL_CAP = Duration.ofMillis(20);

    /** What becomes of the work. */
    public enum Work {
        /** It has thrown before the owner closes. */
        THREW(ClosingTable::threw, true),
        /** It ends while the owner closes. */
        ENDS(ClosingTable::ends, true),
        /** It throws while the owner closes. */
        THROWS(ClosingTable::fails, true),
        /** It goes on. */
        NEVER_ENDS(ClosingTable::neverEnds, false);

        @SuppressWarnings("ImmutableEnumChecker") // method references, without a state
        private final Course course;

        private final boolean patiently;

        Work(Course course, boolean patiently) {
            this.course = course;
            this.patiently = patiently;
        }
    }

    private interface Course {
        void run(Scene scene) throws Exception;
    }

    /** A new store with this clock, as what opens sessions of it. */
    protected abstract Supplier<LockStore> sessions(LongSupplier nanoClock);

    /** The forms, by their names. One may stand in several rows, whose names go on with {@link #VARIANT}. */
    protected abstract Map<String, Form> forms();

    /** The names of the forms that there are, found by reflection where that can tell. */
    protected abstract Collection<String> found();

    /** A name for a method that is a form. */
    protected static String named(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", method.getName() + "(", ")"));
    }

    @Test
    void eachForm_isInTheTable() {
        Set<String> inTheTable = forms().keySet().stream()
                .map(name -> name.contains(VARIANT) ? name.substring(0, name.indexOf(VARIANT)) : name)
                .collect(Collectors.toSet());
        assertThat(inTheTable).containsExactlyInAnyOrderElementsOf(found());
    }

    @TestFactory
    Stream<DynamicTest> eachForm_withEachWork() {
        return forms().entrySet().stream()
                .flatMap(form -> Arrays.stream(Work.values()).map(work -> cell(form.getKey(), form.getValue(), work)));
    }

    private DynamicTest cell(String name, Form form, Work work) {
        return DynamicTest.dynamicTest(name + ", " + work, () -> {
            try (Scene scene = new Scene(this, form, work.patiently)) {
                work.course.run(scene);
                scene.assertNothingLeft();
            }
        });
    }

    /** The owner of a call, and other clients of its store, of which one wants the lock. */
    private static final class Scene implements AutoCloseable {
        private final Form form;
        private final boolean patiently;
        private final AtomicLong clock = new AtomicLong();
        private final LogWatch log = new LogWatch();
        private final LockClients clients;
        private final Interlock other;
        private final Interlock client;
        private final String name;
        private final Site site;
        private final FormBody body;
        private final Call call;
        private final Caller<Long> next;

        Scene(ClosingTable table, Form form, boolean patiently) {
            this.form = form;
            this.patiently = patiently;
            clients = new LockClients(table.sessions(clock::get));
            other = clients.open(builder -> builder.pollCap(POLL_CAP));
            name = clients.name();
            client = clients.open(builder -> builder.closeTimeout(patiently ? PATIENT : IMPATIENT)
                    .lockOptions(options -> options.lease(LeaseTerm.renewing(LEASE))));
            site = form.site(other, name);
            body = new FormBody(site, true);
            call = form.begin(client, name, Wait.UNLIMITED, body);
            soon().until(body::isRunning);
            next = Caller.start(this::enter);
            soon().until(() -> site.isWaitedFor() || next.isDone());
        }

        /** Comes when it is let in; returns when that was by the clock of the store, at once if the work goes on. */
        private long enter() throws InterruptedException {
            try (Site.Obstacle inside = site.occupy()) {
                assertThat(inside.holds()).isTrue();
                long now = clock.get();
                assertThat(now == 0 && body.isRunning())
                        .as("let in while the work went on, and its lease")
                        .isFalse();
                return now;
            }
        }

        /** Whether the work went on when that was closed. */
        Caller<Boolean> shutDown() {
            return Caller.start(() -> {
                form.shutDown(client, patiently);
                return body.isRunning();
            });
        }

        void assertWorksAlone() {
            assertThat(next.isDone()).as("somebody else was let in").isFalse();
            assertThat(site.isHeld()).as("held").isTrue();
            assertThat(call.result()).as("the call").isNotDone();
        }

        /** Nobody was let in before the work had ended; and nothing had to run out. */
        void assertReleasedAtOnce() {
            assertThat(next.result()).as("let in").isZero();
            assertThat(body.heldAtBegin()).as("held at the begin").containsExactly(true);
            assertThat(body.heldAtEnd()).as("held at the end").containsExactly(true);
            assertThat(complaints()).isEmpty();
        }

        /** Of a client that leaves leases. */
        List<String> complaints() {
            return log.problems().stream()
                    .filter(line -> line.contains("work under its locks goes on"))
                    .toList();
        }

        /** The lease had run out before the work ended. */
        void assertToldOfTheLoss() throws Exception {
            if (form.isInterruptedAtTheEnd()) {
                // By the interrupt, and not by what becomes of its call.
                soon().until(() -> call.result().isDone());
            } else if (form.isLossLogged()) {
                assertThat(outcome(call)).isEqualTo("done");
                assertThat(log.problems()).anyMatch(line -> line.contains("lost"));
            } else {
                assertThat(failure(call)).isInstanceOf(LockLostException.class);
            }
        }

        void assertNothingLeft() {
            soon().until(() -> other.administration().list(clients.prefix(), 10).isEmpty() && !site.isUsed());
            assertThat(site.isWaitedFor()).isFalse();
        }

        /** Of a test that has failed, the work ends now, and nobody waits for its owner. */
        @Override
        public void close() {
            body.end("over");
            shutDown().awaitBlockedOrDone();
            clients.closeAll();
            log.close();
        }
    }

    private static ConditionFactory soon() {
        return await().pollInterval(Duration.ofMillis(2));
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

    private static void threw(Scene scene) throws Exception {
        scene.assertWorksAlone();
        scene.body.fail(new IllegalStateException("out of paper"));
        assertThat(failure(scene.call)).hasMessage("out of paper");
        assertThat(scene.shutDown().result()).isFalse();
        scene.assertReleasedAtOnce();
    }

    private static void ends(Scene scene) throws Exception {
        Caller<Boolean> closing = scene.shutDown().awaitBlockedOrDone();
        scene.assertWorksAlone();
        scene.body.end("done");
        assertThat(outcome(scene.call)).isEqualTo("done");
        assertThat(closing.result()).as("closed while the work went on").isFalse();
        scene.assertReleasedAtOnce();
    }

    private static void fails(Scene scene) throws Exception {
        Caller<Boolean> closing = scene.shutDown().awaitBlockedOrDone();
        scene.assertWorksAlone();
        scene.body.fail(new IllegalStateException("out of paper"));
        assertThat(failure(scene.call)).hasMessage("out of paper");
        assertThat(closing.result()).as("closed while the work went on").isFalse();
        scene.assertReleasedAtOnce();
    }

    private static void neverEnds(Scene scene) throws Exception {
        assertThat(scene.shutDown().result()).as("the work goes on").isTrue();
        assertThat(scene.complaints()).singleElement().asString().contains(scene.name);
        scene.assertWorksAlone();
        scene.clock.addAndGet(LEAP.toNanos());
        assertThat(scene.next.result()).as("let in").isEqualTo(LEAP.toNanos());
        assertThat(scene.body.isRunning()).as("the work goes on").isTrue();
        scene.body.end("done");
        scene.assertToldOfTheLoss();
    }
}
