package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.spi.RunningMethods;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** {@code @Async} and {@code @Locked} on one method: the thread that runs the method locks, and not its caller. */
class AsyncTest {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @EnableAsync(proxyTargetClass = true)
    static class Asynchronous {}

    static class Jobs {
        @Locked("job")
        @Async
        public void plain(Interlock interlock, CompletableFuture<Thread> owner) {
            if (interlock.lock("job").isHeldByCurrentThread()) {
                owner.complete(Thread.currentThread());
            } else {
                owner.completeExceptionally(new AssertionError("not held by the thread of the body"));
            }
        }

        @Async
        @Locked("job")
        public CompletableFuture<Boolean> stage(Interlock interlock, CompletableFuture<String> work) {
            return work.thenApply(value -> interlock.lock("job").isLocked());
        }

        @Locked("job")
        public CompletableFuture<String> work(CompletableFuture<String> work) {
            return work;
        }
    }

    @BeforeEach
    void open() {
        context.registerBean(Interlock.class, Interlock::inMemory);
        context.register(InterlockAutoConfiguration.class, Asynchronous.class, Jobs.class);
        context.refresh();
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void threadOfTheBody_holdsTheLock_andTheCallerDoesNotWaitForIt() throws Exception {
        Jobs jobs = context.getBean(Jobs.class);
        Interlock interlock = context.getBean(Interlock.class);
        CompletableFuture<Thread> owner = new CompletableFuture<>();
        try (Lease busy = interlock.lock("job").acquire()) {
            jobs.plain(interlock, owner);
            RunningMethods running = context.getBean(RunningMethods.class);
            await().until(() -> running.running().size() == 1);
            assertThat(owner).isNotDone();
            assertThat(busy.isValid()).isTrue();
        }
        assertThat(owner.join()).isNotSameAs(Thread.currentThread());
        await().until(() -> !interlock.lock("job").isLocked());
    }

    @Test
    void stage_isLockedUntilItEnds() {
        Jobs jobs = context.getBean(Jobs.class);
        Interlock interlock = context.getBean(Interlock.class);
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<Boolean> locked = jobs.stage(interlock, work);
        await().until(() -> interlock.lock("job").isLocked());
        work.complete("done");
        assertThat(locked.join()).isTrue();
        assertThat(interlock.lock("job").isLocked()).isFalse();
    }

    /** Its cancel may reach what its owner does by then. */
    @Test
    void stageThatHasEnded_isNotCancelled() {
        AtomicInteger cancels = new AtomicInteger();
        CompletableFuture<String> work = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                cancels.incrementAndGet();
                return super.cancel(mayInterrupt);
            }
        };
        CompletableFuture<String> result = context.getBean(Jobs.class).work(work);
        work.complete("done");
        assertThat(result.join()).isEqualTo("done");
        assertThat(result.cancel(true)).isFalse();
        assertThat(cancels).hasValue(0);
    }
}
