package dev.interlock.support;

import dev.interlock.engine.Lincheck;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tasks of a loop count without a lock, whether they run on its thread or on the caller's: one after the other, each
 * sees what those before it wrote, and none is forgotten. Planted: {@code runHere} sets the number of tasks, instead of
 * comparing it with none.
 */
@Tag("scaled")
@Tag("wide")
public class EventLoopLincheckTest {

    /** One for all, since it has a thread. */
    private static final EventLoop LOOP = new EventLoop("interlock-lincheck", thread -> false);

    private int counter;

    @Operation
    public int onTheLoop() {
        CompletableFuture<Integer> counted = new CompletableFuture<>();
        LOOP.run(() -> counted.complete(++counter));
        return counted.join();
    }

    @Operation
    public int here() {
        CompletableFuture<Integer> counted = new CompletableFuture<>();
        LOOP.runHere(() -> counted.complete(++counter));
        return counted.join();
    }

    @Test
    void stress() {
        Lincheck.stress(3, 4, Counter.class, EventLoopLincheckTest.class);
    }

    /** The same, for one thread. */
    public static class Counter {
        private int counter;

        public int onTheLoop() {
            return ++counter;
        }

        public int here() {
            return ++counter;
        }
    }
}
