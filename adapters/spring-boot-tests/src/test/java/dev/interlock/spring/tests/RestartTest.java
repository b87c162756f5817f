package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.spi.RunningMethods;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spring.LeaderElections;
import dev.interlock.spring.LeaderOnly;
import dev.interlock.spring.LeadershipEndedEvent;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Mono;

/** Applications that are stopped, paused, and started again, as often as somebody likes. */
class RestartTest {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    static class Jobs {
        @Locked("job")
        public String plain() {
            return "plain";
        }

        @Locked("job")
        public CompletionStage<String> stage() {
            return CompletableFuture.completedStage("stage");
        }

        @Locked("job")
        public Mono<String> mono() {
            return Mono.just("mono");
        }

        @LeaderOnly("job-leader")
        public Optional<String> leader() {
            return Optional.of("leader");
        }

        @Locked("endless")
        public CompletionStage<String> endless(CompletionStage<String> end) {
            return end;
        }
    }

    @BeforeEach
    void open() {
        context.registerBean(Interlock.class, Interlock::inMemory);
        context.register(InterlockAutoConfiguration.class, Jobs.class);
        context.refresh();
    }

    @AfterEach
    void close() {
        context.close();
    }

    private void assertWorks() {
        Jobs jobs = context.getBean(Jobs.class);
        assertThat(jobs.plain()).isEqualTo("plain");
        assertThat(jobs.stage().toCompletableFuture().join()).isEqualTo("stage");
        assertThat(jobs.mono().block()).isEqualTo("mono");
        await().until(() -> context.getBean(LeaderElections.class).isLeader("job-leader"));
        assertThat(jobs.leader()).contains("leader");
    }

    @Test
    void stoppedAndStarted_works() {
        for (int i = 0; i < 2; i++) {
            assertWorks();
            context.stop();
            Jobs jobs = context.getBean(Jobs.class);
            assertThatThrownBy(jobs::plain)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("stopped")
                    .hasMessageContaining("Jobs.plain");
            assertThat(jobs.leader()).isEmpty();
            context.start();
        }
        assertWorks();
    }

    /** Spring 7 has it, and pauses the contexts of tests that are not used at the moment; Spring 6 has neither. */
    @Test
    void restarted_works() {
        for (String verb : new String[] {"restart", "pause"}) {
            Method method = ReflectionUtils.findMethod(context.getClass(), verb);
            if (method != null) {
                ReflectionUtils.invokeMethod(method, context);
            }
            if (verb.equals("pause")) {
                context.start();
            }
            assertWorks();
        }
    }

    /** The methods of three elections that do not return when they are interrupted. */
    static class Stubborn {
        private final CountDownLatch end = new CountDownLatch(1);
        private final List<String> ended = new CopyOnWriteArrayList<>();
        private final Set<String> entered = ConcurrentHashMap.newKeySet();

        @LeaderOnly("one")
        public void one() {
            hold("one");
        }

        @LeaderOnly("two")
        public void two() {
            hold("two");
        }

        @LeaderOnly("three")
        public void three() {
            hold("three");
        }

        @EventListener
        public void on(LeadershipEndedEvent event) {
            ended.add(event.election());
        }

        public List<String> ended() {
            return ended;
        }

        public Set<String> entered() {
            return entered;
        }

        public void end() {
            end.countDown();
        }

        private void hold(String election) {
            entered.add(election);
            boolean over = false;
            while (!over) {
                try {
                    end.await();
                    over = true;
                } catch (InterruptedException e) {
                    // Stubborn.
                }
            }
        }
    }

    private static AnnotationConfigApplicationContext stubborn(Duration closeTimeout) {
        var application = new AnnotationConfigApplicationContext();
        application.registerBean(Interlock.class, () -> Interlock.builder(new MemoryStore().session())
                .closeTimeout(closeTimeout)
                .build());
        application.register(InterlockAutoConfiguration.class, Stubborn.class);
        application.refresh();
        LeaderElections elections = application.getBean(LeaderElections.class);
        Stubborn jobs = application.getBean(Stubborn.class);
        for (String election : List.of("one", "two", "three")) {
            await().until(() -> elections.isLeader(election));
        }
        for (Runnable job : List.<Runnable>of(jobs::one, jobs::two, jobs::three)) {
            Thread thread = new Thread(job);
            thread.setDaemon(true);
            thread.start();
        }
        await().until(() -> jobs.entered().size() == 3);
        return application;
    }

    /** One bound for all: with one after the other, the second would be told when the first has returned. */
    @Test
    void electionsAreLeftTogether() {
        var application = stubborn(Duration.ofMinutes(5));
        Stubborn jobs = application.getBean(Stubborn.class);
        CompletableFuture<Void> stopping = CompletableFuture.runAsync(application::stop);
        await().until(() -> Set.copyOf(jobs.ended()).equals(Set.of("one", "two", "three")));
        assertThat(stopping).isNotDone();
        jobs.end();
        stopping.join();
        application.close();
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void leadersMethod_thatOutlivesARestart_keepsItsElection(CapturedOutput output) {
        var application = stubborn(Duration.ofMillis(50));
        Stubborn jobs = application.getBean(Stubborn.class);
        LeaderElections elections = application.getBean(LeaderElections.class);
        application.stop();
        application.start();
        assertThat(elections.isLeader("one")).isFalse();
        jobs.one();
        assertThat(output.getAll().lines().filter(line -> line.contains("A method of the leader still runs")))
                .hasSize(3);
        jobs.end();
        for (String election : List.of("one", "two", "three")) {
            await().until(() -> elections.isLeader(election));
        }
        application.close();
    }

    /** As with a time-out of Spring that is shorter than that of the client: nobody waits for the methods any more. */
    @Test
    void applicationThatStartsWhileItLeaves_standsAgainEverywhere() {
        var application = stubborn(Duration.ofMinutes(5));
        Stubborn jobs = application.getBean(Stubborn.class);
        LeaderElections elections = application.getBean(LeaderElections.class);
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        elections.stop(() -> stopped.complete(null));
        await().until(() -> Set.copyOf(jobs.ended()).equals(Set.of("one", "two", "three")));
        elections.start();
        assertThat(stopped).isNotDone();
        jobs.end();
        stopped.join();
        for (String election : List.of("one", "two", "three")) {
            await().until(() -> elections.isLeader(election));
        }
        application.close();
    }

    /** What outlives the stop does not count for the next one as if it had begun after that. */
    @Test
    void methodThatRunsOnOverARestart_isWaitedForByTheNextStop() {
        CompletableFuture<String> end = new CompletableFuture<>();
        RunningMethods running = context.getBean(RunningMethods.class);
        var call = context.getBean(Jobs.class).endless(end).toCompletableFuture();
        await().until(() -> context.getBean(Interlock.class).lock("endless").isLocked());
        CompletableFuture<Void> first = running.end();
        assertThat(first).isNotDone();
        running.begin();
        assertThat(first).isDone();
        CompletableFuture<Void> second = running.end();
        assertThat(second).isNotDone();
        end.complete("end");
        assertThat(call.join()).isEqualTo("end");
        second.join();
        running.begin();
        assertWorks();
    }
}
