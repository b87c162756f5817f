package dev.interlock.barrier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An interrupt is for the body of the call, and for nobody else. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AsyncCallTest {

    @Test
    void endedStage_interruptsTheBody_howeverItIsEnded() throws Exception {
        List<Consumer<CompletableFuture<Boolean>>> ways = List.of(
                stage -> stage.cancel(false),
                stage -> stage.complete(true),
                stage -> stage.completeExceptionally(new IllegalStateException()),
                stage -> stage.orTimeout(1, TimeUnit.NANOSECONDS),
                stage -> stage.obtrudeValue(true));
        for (Consumer<CompletableFuture<Boolean>> way : ways) {
            CountDownLatch interrupted = new CountDownLatch(1);
            AsyncCall<Boolean> stage = AsyncCall.start("call", call -> {
                try {
                    new CountDownLatch(1).await();
                } finally {
                    interrupted.countDown();
                }
                return true;
            });
            way.accept(stage);
            interrupted.await();
        }
    }

    @Test
    void cancellationAfterTheEnd_interruptsNoStageThatFollows() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        CountDownLatch added = new CountDownLatch(1);
        AsyncCall<Boolean> stage = AsyncCall.start("call", call -> {
            added.await();
            return true;
        });
        CompletableFuture<Boolean> next = stage.thenApply(value -> {
            begun.countDown();
            try {
                cancelled.await();
                return Thread.interrupted();
            } catch (InterruptedException e) {
                return true;
            }
        });
        added.countDown();
        begun.await();
        assertThat(stage.cancel(true)).isFalse();
        cancelled.countDown();
        assertThat(next.get()).as("interrupted").isFalse();
    }
}
