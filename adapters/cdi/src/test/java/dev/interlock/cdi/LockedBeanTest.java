package dev.interlock.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.annotation.LockBusyException;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.SkipObserver;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.se.SeContainer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Methods of beans hold their locks, in each of their forms. */
class LockedBeanTest {

    private final SeContainer container = Containers.of(Orders.class, Inherited.class, Skips.class);
    private final Interlock interlock = container.select(Interlock.class).get();
    private final Orders orders = container
            .select(Orders.class, jakarta.enterprise.inject.Default.Literal.INSTANCE)
            .get();

    @AfterEach
    void nothingIsLeft() {
        await().untilAsserted(() ->
                assertThat(interlock.administration().list("", 10)).isEmpty());
        container.close();
    }

    /** Something with an id. */
    public record Order(String id) {}

    @ApplicationScoped
    static class Orders {

        @Locked(value = "order:{id}", waitAtMost = "0s")
        String run(String id, Supplier<String> body, @Nullable Lease lease) {
            assertThat(Objects.requireNonNull(lease).isValid()).isTrue();
            return body.get();
        }

        @Locked("order:{order.id}")
        void charge(Order order, Runnable body) {
            body.run();
        }

        @Locked("order:{0}")
        void waits(String id) {}

        @Locked(value = "order:{id}", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        List<String> skip(String id) {
            return List.of("ran");
        }

        @Locked(value = "order:{id}", waitAtMost = "0s", onBusy = Locked.OnBusy.FALLBACK, fallback = "late")
        String instead(String id) {
            return "ran";
        }

        String late(String id) {
            return "instead of " + id;
        }

        @Locked("outer:{id}")
        @Locked("order:{id}")
        void both(String id, Runnable body) {
            body.run();
        }

        @Locked("order:{id}")
        void loses(String id, CountDownLatch begun) throws InterruptedException {
            begun.countDown();
            new CountDownLatch(1).await();
        }

        @Locked("order:{id}")
        CompletionStage<String> stage(String id, CompletableFuture<String> body) {
            return body;
        }

        @Locked("order:{id}")
        Uni<String> uni(String id, Supplier<Uni<String>> body, @Nullable Lease lease) {
            assertThat(Objects.requireNonNull(lease).isValid()).isTrue();
            return body.get();
        }

        @Locked(value = "order:{id}", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        Uni<String> skippedUni(String id) {
            return Uni.createFrom().item("ran");
        }

        @Locked("order:{id}")
        Multi<Integer> multi(String id) {
            return Multi.createFrom().items(1, 2, 3);
        }

        @Locked("order:{id}")
        void named(Object id) {}
    }

    /** Each of its public methods is locked, and those of the class that it extends. */
    @Locked("whole")
    public static class Whole {

        public void inherited(Runnable body) {
            body.run();
        }
    }

    @Dependent
    public static class Inherited extends Whole {

        public void own(Runnable body) {
            body.run();
        }

        @Locked("other")
        public void other(Runnable body) {
            body.run();
        }

        void notPublic(Runnable body) {
            body.run();
        }
    }

    @ApplicationScoped
    static class Skips implements SkipObserver {

        private final List<String> skipped = new CopyOnWriteArrayList<>();

        @Override
        public void skipped(String method) {
            skipped.add(method);
        }

        List<String> all() {
            return skipped;
        }
    }

    private boolean isLocked(String name) {
        return interlock.lock(name).isLocked();
    }

    /** Runs something while another thread has the lock. */
    private void whileHeld(String name, Runnable action) throws InterruptedException {
        try (Lease held = interlock.lock(name).acquire()) {
            assertThat(held.isValid()).isTrue();
            action.run();
        }
    }

    @Test
    void method_holdsItsLock_whileItRuns() {
        assertThat(orders.run("7", () -> isLocked("order:7") + " " + isLocked("order:8"), null))
                .isEqualTo("true false");
        assertThat(isLocked("order:7")).isFalse();
    }

    @Test
    void name_takesAProperty_ofAnArgument() {
        orders.charge(new Order("7"), () -> assertThat(isLocked("order:7")).isTrue());
        assertThat(isLocked("order:7")).isFalse();
    }

    @Test
    void name_ofNullOrWithoutAText_isRefused() {
        assertThatThrownBy(() -> orders.waits(nothing()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not be null: {0} on " + Orders.class.getName() + ".waits");
        assertThatThrownBy(() -> orders.named(new Object()))
                .hasMessageContaining("would not be the same each time")
                .hasMessageContaining("no toString() of its own");
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // what a caller passes by mistake
    private static <T> T nothing() {
        return null;
    }

    @Test
    void exception_ofTheMethod_passes_andTheLockIsReleased() {
        assertThatThrownBy(() -> orders.run(
                        "7",
                        () -> {
                            throw new IllegalStateException("no money");
                        },
                        null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no money");
        assertThat(isLocked("order:7")).isFalse();
    }

    @Test
    void busy_throws_skips_orFallsBack() throws InterruptedException {
        whileHeld("order:7", () -> {
            assertThatThrownBy(() -> orders.run("7", () -> "ran", null)).isInstanceOf(LockBusyException.class);
            assertThat(orders.skip("7")).isEmpty();
            assertThat(orders.instead("7")).isEqualTo("instead of 7");
            assertThat(orders.skip("8")).containsExactly("ran");
        });
        assertThat(orders.instead("7")).isEqualTo("ran");
        assertThat(container.select(Skips.class).get().all()).containsExactly(Orders.class.getName() + ".skip");
    }

    @Test
    void busy_isWaitedFor() throws InterruptedException {
        Thread waiting = new Thread(() -> orders.waits("7"));
        whileHeld("order:7", () -> {
            waiting.start();
            await().until(waiting::getState, Thread.State.WAITING::equals);
        });
        waiting.join();
    }

    @Test
    void repeated_takesBoth() {
        orders.both("7", () -> assertThat(isLocked("outer:7") && isLocked("order:7"))
                .isTrue());
    }

    @Test
    void annotationOnAClass_isForItsPublicMethods() {
        Inherited bean = container.select(Inherited.class).get();
        bean.inherited(() -> assertThat(isLocked("whole")).isTrue());
        bean.own(() -> assertThat(isLocked("whole")).isTrue());
        bean.other(() -> assertThat(isLocked("whole")).isFalse());
        bean.other(() -> assertThat(isLocked("other")).isTrue());
        bean.notPublic(() -> assertThat(isLocked("whole")).isFalse());
    }

    @Test
    void lostLease_interruptsTheMethod() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Void> call = CompletableFuture.runAsync(() -> {
            try {
                orders.loses("7", begun);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        begun.await();
        interlock.administration().forceUnlock("order:7");
        assertThatThrownBy(call::join).hasCauseInstanceOf(LockLostException.class);
    }

    @Test
    void stage_holdsTheLock_untilItCompletes() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> result = orders.stage("7", body).toCompletableFuture();
        await().until(() -> isLocked("order:7"));
        assertThat(result).isNotDone();
        body.complete("ran");
        assertThat(result.join()).isEqualTo("ran");
        assertThat(isLocked("order:7")).isFalse();
    }

    @Test
    void cancelledStage_cancelsTheWork_andReleases() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> result = orders.stage("7", body).toCompletableFuture();
        await().until(() -> isLocked("order:7"));
        result.cancel(true);
        assertThatThrownBy(body::join).isInstanceOf(CancellationException.class);
        await().until(() -> !isLocked("order:7"));
    }

    @Test
    void cancelledStage_thatWaits_beginsNothing() throws InterruptedException {
        whileHeld("order:7", () -> {
            CompletableFuture<String> body = new CompletableFuture<>();
            CompletableFuture<String> result = orders.stage("7", body).toCompletableFuture();
            result.cancel(true);
            assertThat(body).isNotDone();
        });
        await().until(() -> !isLocked("order:7"));
    }

    @Test
    void uni_holdsTheLock_forEachSubscriber_untilItsItem() {
        Uni<String> uni = orders.uni("7", () -> Uni.createFrom().item(() -> "held " + isLocked("order:7")), null);
        assertThat(isLocked("order:7")).isFalse();
        assertThat(uni.await().indefinitely()).isEqualTo("held true");
        assertThat(isLocked("order:7")).isFalse();
        assertThat(uni.await().indefinitely()).isEqualTo("held true");
        assertThat(isLocked("order:7")).isFalse();
    }

    @Test
    void uni_thatIsCancelled_releases() {
        CompletableFuture<String> body = new CompletableFuture<>();
        var subscription = orders.uni("7", () -> Uni.createFrom().completionStage(body), null)
                .subscribe()
                .with(item -> {});
        await().until(() -> isLocked("order:7"));
        subscription.cancel();
        await().until(() -> !isLocked("order:7"));
    }

    @Test
    void uni_failsAsItsBodyDoes() {
        Uni<String> uni = orders.uni("7", () -> Uni.createFrom().failure(new IllegalStateException("no money")), null);
        assertThatThrownBy(() -> uni.await().indefinitely()).hasMessage("no money");
        assertThat(isLocked("order:7")).isFalse();
    }

    @Test
    void uni_thatIsSkipped_hasNoItem() throws InterruptedException {
        whileHeld("order:7", () -> assertThat(orders.skippedUni("7").await().indefinitely())
                .isNull());
        assertThat(orders.skippedUni("7").await().indefinitely()).isEqualTo("ran");
    }

    @Test
    void multi_holdsTheLock_untilItEnds() {
        AssertSubscriber<Integer> subscriber = orders.multi("7").subscribe().withSubscriber(AssertSubscriber.create(2));
        await().until(() -> subscriber.getItems().size() == 2);
        assertThat(isLocked("order:7")).isTrue();
        subscriber.request(1);
        subscriber.awaitCompletion();
        assertThat(subscriber.getItems()).containsExactly(1, 2, 3);
        assertThat(isLocked("order:7")).isFalse();
    }
}
