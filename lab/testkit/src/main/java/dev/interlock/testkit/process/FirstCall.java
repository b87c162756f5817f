package dev.interlock.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A process whose first call is {@code tryLock()}: it loads classes, connects and authenticates. */
public final class FirstCall {

    private static final int BUSY_LOOPS = 4;
    private static final int TIMES = 10;

    private FirstCall() {}

    /**
     * Starts the process again and again, beside threads that take all the time of the processors they can get.
     *
     * @param uri of a store whose server runs
     */
    public static void assertGranted(String uri) throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> loops = new ArrayList<>();
        for (int i = 0; i < BUSY_LOOPS; i++) {
            Thread loop = new Thread(() -> {
                while (!over.get()) {
                    Thread.onSpinWait();
                }
            });
            loop.setDaemon(true);
            loop.start();
            loops.add(loop);
        }
        try {
            for (int i = 0; i < TIMES; i++) {
                // Not the quick start of other children: that of an application.
                try (ChildJvm child = ChildJvm.start(
                        FirstCall.class,
                        List.of("-XX:TieredStopAtLevel=4", "-XX:+BytecodeVerificationRemote"),
                        List.of(uri, "first-call-" + i))) {
                    assertThat(child.await("tryLock ", Patience.FULL))
                            .as("process %d", i)
                            .startsWith("true");
                }
            }
        } finally {
            over.set(true);
            for (Thread loop : loops) {
                loop.join();
            }
        }
    }

    /** Tries a lock once, and prints what came of it and how long that took. */
    public static void main(String[] arguments) {
        try (Interlock client = Interlock.connect(arguments[0])) {
            long begun = System.nanoTime();
            String outcome;
            try {
                outcome = String.valueOf(client.lock(arguments[1]).tryLock());
            } catch (StoreUnavailableException e) {
                outcome = e.toString();
            }
            System.out.println("tryLock " + outcome + " after " + (System.nanoTime() - begun) / 1_000_000 + " ms");
            System.out.flush();
        }
    }
}
