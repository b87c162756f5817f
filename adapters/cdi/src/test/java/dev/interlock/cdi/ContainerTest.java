package dev.interlock.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.LockedMethodException;
import dev.interlock.testkit.fixture.LogWatch;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The client of a container, from its start to its end. */
class ContainerTest {

    /** The application has its own client. */
    @ApplicationScoped
    static class OwnClient {

        @Produces
        @Singleton
        Interlock client() {
            return Interlock.inMemory();
        }

        void close(@Disposes Interlock client) {
            client.close();
        }
    }

    /** The application has two clients, one of them with a name. */
    @ApplicationScoped
    static class NamedClients {

        @Produces
        @Singleton
        @Named("orders")
        Interlock orders() {
            return Interlock.inMemory();
        }
    }

    @ApplicationScoped
    static class OfOrders {

        @Locked(value = "a", client = "orders")
        void run() {}
    }

    @ApplicationScoped
    static class Job {

        @Locked("job")
        void run(CountDownLatch begun, CountDownLatch end) {
            begun.countDown();
            await().until(() -> end.getCount() == 0);
        }

        @Locked("${job.name:nightly}")
        void placeholder(Runnable body) {
            body.run();
        }
    }

    @Test
    void settings_areTakenFromTheConfiguration() {
        try (SeContainer container = Containers.with(
                Map.of(
                        "interlock.uri",
                        "memory:",
                        "interlock.defaults.lease",
                        "20s",
                        "interlock.defaults.max-hold",
                        "5m",
                        "job.name",
                        "weekly"),
                Job.class)) {
            Interlock client = container.select(Interlock.class).get();
            assertThat(client.lockOptions().lease().length()).isEqualTo(Duration.ofSeconds(20));
            assertThat(client.lockOptions().lease().maxHold()).contains(Duration.ofMinutes(5));
            container.select(Job.class).get().placeholder(() -> assertThat(
                            client.lock("weekly").isLocked())
                    .isTrue());
        }
    }

    @Test
    void aClientOfTheApplication_wins() {
        try (SeContainer container = Containers.with(Map.of(), OwnClient.class, Job.class)) {
            Interlock client = container.select(Interlock.class).get();
            container.select(Job.class).get().placeholder(() -> assertThat(
                            client.lock("nightly").isLocked())
                    .isTrue());
        }
    }

    @Test
    void withoutAStore_theStartSaysWhatToSet() {
        assertThatThrownBy(() -> Containers.with(Map.of(), Job.class))
                .isInstanceOf(LockedMethodException.class)
                .hasMessageContaining("set interlock.uri, for example to redis://");
        // Without locked methods nobody needs a store.
        Containers.with(Map.of(), OwnClient.class).close();
    }

    @Test
    void aNamedClient_isChosen_andAnUnknownOneRefused() {
        try (SeContainer container = Containers.with(Map.of(), NamedClients.class, OfOrders.class)) {
            container.select(OfOrders.class).get().run();
        }
        assertThatThrownBy(() -> Containers.of(OfOrders.class))
                .isInstanceOf(LockedMethodException.class)
                .hasMessageContaining("no bean of type Interlock is @Named(\"orders\")");
    }

    // ---- the end

    @Test
    void closing_waitsForARunningMethod_andRefusesOthers() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        SeContainer container = Containers.of(Job.class);
        Job job = container.select(Job.class).get();
        Interlock client = container.select(Interlock.class).get();
        CompletableFuture<Void> running = CompletableFuture.runAsync(() -> job.run(begun, end));
        await().until(() -> begun.getCount() == 0);
        Future<?> closing = CompletableFuture.runAsync(container::close);
        await().until(() -> refuses(() -> job.placeholder(() -> {})));
        assertThat(closing).isNotDone();
        assertThat(client.lock("job").isLocked()).isTrue();
        end.countDown();
        running.join();
        await().until(closing::isDone);
        assertThatThrownBy(() -> client.lock("job").tryLock()).isInstanceOf(IllegalStateException.class);
    }

    private static boolean refuses(Runnable call) {
        try {
            call.run();
            return false;
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage()).contains("is closing");
        }
    }

    @Test
    void closing_isBounded_andSaysWhatStillRuns() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Void> running;
        try (LogWatch log = new LogWatch()) {
            try (SeContainer container = Containers.with(
                    Map.of("interlock.uri", "memory:", "interlock.close-timeout", "100ms"), Job.class)) {
                Job job = container.select(Job.class).get();
                running = CompletableFuture.runAsync(() -> job.run(begun, end));
                await().until(() -> begun.getCount() == 0);
            }
            assertThat(log.problems()).anySatisfy(line -> assertThat(line)
                    .contains("still run after interlock.close-timeout")
                    .contains(Job.class.getName() + ".run [job]"));
        }
        end.countDown();
        await().until(running::isDone);
    }

    // ---- what is refused at the start

    static class UnknownParameter {
        @Locked("order:{ordr}")
        void run(String order) {}
    }

    static class OutsideOfBraces {
        @Locked("order:#id")
        void run(String id) {}
    }

    static class OfSpring {
        @Locked("order:#{#id}")
        void run(String id) {}
    }

    static class OneBrace {
        @Locked("order:{id")
        void run(String id) {}
    }

    static class AnArray {
        @Locked("order:{ids}")
        void run(String[] ids) {}
    }

    static class UnknownProperty {
        @Locked("order:{order.number}")
        void run(LockedBeanTest.Order order) {}
    }

    static class UnknownPlaceholder {
        @Locked("order:${no.such.key}")
        void run() {}
    }

    static class PrivateMethod {
        @SuppressWarnings("UnusedMethod")
        @Locked("a")
        private void run() {}
    }

    static class LaterResult {
        @Locked("a")
        Future<String> run() {
            return CompletableFuture.completedFuture("");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    UnknownParameter   | the method has no parameter of that name: it has [order]
                    OutsideOfBraces    | has the parameter id outside of braces in its name
                    OfSpring           | mentions {#id} in its name
                    OneBrace           | with a brace that has no other: "order:{id"
                    AnArray            | has {ids} in its name, but a value of type java.lang.String[] is an array
                    UnknownProperty    | has no public method number() or getNumber()
                    UnknownPlaceholder | the configuration has no no.such.key
                    PrivateMethod      | is on a method that is private, static or final
                    LaterResult        | whose work may go on after the method
                    """)
    void whatCannotWork_isRefusedAtTheStart(String type, String message) throws ClassNotFoundException {
        Class<?> bean = Class.forName(getClass().getName() + "$" + type);
        assertThatThrownBy(() -> Containers.of(bean))
                .isInstanceOf(LockedMethodException.class)
                .hasMessageContaining("@Locked on " + bean.getName() + ".run ")
                .hasMessageContaining(message);
    }
}
