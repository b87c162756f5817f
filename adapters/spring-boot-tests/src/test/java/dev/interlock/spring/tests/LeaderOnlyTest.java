package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LeadershipEnd;
import dev.interlock.LeadershipEnd.Reason;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spring.LeaderElectedEvent;
import dev.interlock.spring.LeaderElections;
import dev.interlock.spring.LeaderOnly;
import dev.interlock.spring.LeadershipEndedEvent;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;

/** Methods that only the leader runs, and the events of an election. */
class LeaderOnlyTest {

    private final MemoryStore store = new MemoryStore();

    /** A job, and what its application hears. */
    static class Job {
        private final List<Object> events = new CopyOnWriteArrayList<>();
        private final CountDownLatch entered = new CountDownLatch(1);

        /** A proxy has no fields of its own. */
        public List<Object> events() {
            return events;
        }

        public boolean isEntered() {
            return entered.getCount() == 0;
        }

        @LeaderOnly("${job.election}")
        public long token(@Nullable Lease leadership) {
            return Objects.requireNonNull(leadership).token();
        }

        @LeaderOnly("${job.election}")
        public Optional<String> optional() {
            return Optional.of("led");
        }

        /** Returns whether it was interrupted. */
        @LeaderOnly("${job.election}")
        public boolean hold() {
            entered.countDown();
            try {
                Thread.sleep(Duration.ofDays(1).toMillis());
                return false;
            } catch (InterruptedException e) {
                return true;
            }
        }

        @EventListener
        public void on(LeaderElectedEvent event) {
            events.add(event.election());
        }

        @EventListener
        public void on(LeadershipEndedEvent event) {
            events.add(event.end());
        }
    }

    private AnnotationConfigApplicationContext application(Class<?> job, String... properties) {
        var context = new AnnotationConfigApplicationContext();
        TestPropertyValues.of("job.election=reports").and(properties).applyTo(context);
        context.registerBean(
                Interlock.class, () -> Interlock.builder(store.session()).build());
        context.register(InterlockAutoConfiguration.class, job);
        try {
            context.refresh();
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
        return context;
    }

    @Test
    void onlyTheLeaderRuns_andTheNextOneAfterIt() {
        var first = application(Job.class);
        await().until(() -> leads(first));
        try (var second = application(Job.class)) {
            Job leader = first.getBean(Job.class);
            Job other = second.getBean(Job.class);
            LeaderElections elections = first.getBean(LeaderElections.class);
            long token = leader.token(null);
            assertThat(elections.leadership("reports").map(Lease::token)).contains(token);
            assertThat(leader.optional()).contains("led");
            assertThat(other.token(null)).isZero();
            assertThat(other.optional()).isEmpty();
            await().until(() -> leader.events().equals(List.of("reports")));

            CompletableFuture<Boolean> held = CompletableFuture.supplyAsync(leader::hold);
            await().until(leader::isEntered);
            first.close();

            assertThat(held.join()).as("interrupted").isTrue();
            assertThat(leader.events()).containsExactly("reports", new LeadershipEnd(Reason.LEFT, null));
            await().until(() -> leads(second));
            assertThat(other.token(null)).isGreaterThan(token);
        } finally {
            first.close();
        }
    }

    static class Stubborn {
        @LeaderOnly("reports")
        public void work(Interlock interlock, CountDownLatch entered, CompletableFuture<Void> end) {
            interlock.lock("inner").lock();
            try {
                entered.countDown();
                // An interrupt does not end this.
                end.join();
            } finally {
                interlock.lock("inner").unlock();
            }
        }
    }

    /** It goes on, and the next leader must not work beside it, nor anybody under its other locks. */
    @Test
    void close_keepsWhatTheThreadOfAMethodHoldsBesides() throws Exception {
        var application = new AnnotationConfigApplicationContext();
        application.registerBean(Interlock.class, () -> Interlock.builder(store.session())
                .closeTimeout(Duration.ofMillis(100))
                .build());
        application.register(InterlockAutoConfiguration.class, Stubborn.class);
        application.refresh();
        Stubborn stubborn = application.getBean(Stubborn.class);
        Interlock interlock = application.getBean(Interlock.class);
        CountDownLatch entered = new CountDownLatch(1);
        CompletableFuture<Void> end = new CompletableFuture<>();
        await().until(() -> leads(application));
        CompletableFuture<Void> work = CompletableFuture.runAsync(() -> stubborn.work(interlock, entered, end));
        entered.await();

        application.close();

        try (Interlock next = Interlock.builder(store.session()).build()) {
            assertThat(next.administration().list("", 10))
                    .extracting(LockStatus::name)
                    .containsExactly("inner", "reports");
            end.complete(null);
            work.join();
            await().until(() -> next.administration().list("", 10).isEmpty());
        }
    }

    private static boolean leads(AnnotationConfigApplicationContext application) {
        return application.getBean(LeaderElections.class).isLeader("reports");
    }

    @Test
    void electionOfTheProperties_isJoined_andMayBeGivenUp() {
        try (var application = application(Object.class, "interlock.elections=nightly")) {
            LeaderElections elections = application.getBean(LeaderElections.class);
            await().until(() -> elections.isLeader("nightly"));
            assertThat(elections.isLeader("reports")).isFalse();
            assertThat(elections.abdicate("reports")).isFalse();
            long token = elections.leadership("nightly").orElseThrow().token();
            assertThat(elections.abdicate("nightly")).isTrue();
            await().until(() -> elections
                    .leadership("nightly")
                    .filter(lease -> lease.token() > token)
                    .isPresent());
        }
    }

    @Test
    void methodThatEveryInstanceWouldRun_isRefused() {
        assertThatThrownBy(() -> application(Hidden.class)).hasStackTraceContaining("private, static or final");
        assertThatThrownBy(() -> application(Later.class)).hasStackTraceContaining("asynchronous method");
        assertThatThrownBy(() -> application(Nameless.class)).hasStackTraceContaining("names no election");
    }

    static class Hidden {
        @SuppressWarnings("UnusedMethod")
        @LeaderOnly("x")
        private void run() {}
    }

    static class Later {
        @LeaderOnly("x")
        public CompletionStage<String> run() {
            return CompletableFuture.completedStage("");
        }
    }

    static class Nameless {
        @LeaderOnly("")
        public void run() {}
    }
}
