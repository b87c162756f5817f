package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.spring.Locked;
import dev.interlock.spring.RunningMethods;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Closing an application: no new locked method, those that run come to their end, then the locks are released. */
class ShutdownTest {

    static class Slow {
        @Locked("slow")
        public boolean hold(CountDownLatch entered, CountDownLatch end, Interlock interlock)
                throws InterruptedException {
            entered.countDown();
            end.await();
            return interlock.lock("slow").isHeldByCurrentThread();
        }
    }

    @Test
    void close_waitsForTheMethodsThatRun() throws Exception {
        var context = new AnnotationConfigApplicationContext();
        context.registerBean(Interlock.class, Interlock::inMemory);
        context.register(InterlockAutoConfiguration.class, Slow.class);
        context.refresh();
        Slow slow = context.getBean(Slow.class);
        Interlock interlock = context.getBean(Interlock.class);
        RunningMethods running = context.getBean(RunningMethods.class);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Boolean> call = CompletableFuture.supplyAsync(() -> {
            try {
                return slow.hold(entered, end, interlock);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        entered.await();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(context::close);
        await().atMost(Duration.ofMinutes(5)).until(running::isClosing);
        assertThat(closing).isNotDone();
        assertThatThrownBy(() -> slow.hold(new CountDownLatch(1), new CountDownLatch(0), interlock))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closing");
        end.countDown();
        assertThat(call.join())
                .as("the lock was still held at the end of the body")
                .isTrue();
        closing.join();
        assertThatThrownBy(() -> interlock.lock("slow").lock()).isInstanceOf(IllegalStateException.class);
    }
}
