package dev.interlock.testkit.contract.store;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Wake;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A claim that waits as the engine has it wait, but for the polls: once the store lets it sleep, it asks again only if
 * it is woken, so that no poll makes up for a wake that is lost.
 */
final class LastingWait {

    /** A store that lets a claim ask again sooner than this cannot wake it yet, and says so. */
    private static final Duration POLLING = Duration.ofMillis(200);

    private static final Duration PAUSE_AFTER_A_FAILURE = Duration.ofMillis(10);

    private final BlockingClient client;
    private final Claim claim;

    /** Wakes since the last acquire was sent. */
    private final Semaphore wakes = new Semaphore(0);

    private final Caller<Boolean> caller;
    private final AtomicInteger answers = new AtomicInteger();
    private volatile boolean sleeping;
    private volatile long askedNanos = System.nanoTime();

    private LastingWait(BlockingClient client, Claim claim) {
        this.client = client;
        this.claim = claim.waiting(Duration.ofMillis(1));
        this.caller = Caller.startAction(this::untilGranted);
    }

    /** Begins to wait. The client tells it of wakes by {@link #wake}. */
    static LastingWait begin(BlockingClient client, Claim claim) {
        return new LastingWait(client, claim);
    }

    private void untilGranted() throws InterruptedException {
        while (true) {
            wakes.drainPermits();
            askedNanos = System.nanoTime();
            Duration pause = ask();
            if (pause.isNegative()) {
                return;
            }
            sleeping = pause.compareTo(POLLING) >= 0;
            answers.incrementAndGet();
            if (sleeping) {
                wakes.acquire();
                sleeping = false;
            } else {
                var unused = wakes.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS);
            }
        }
    }

    /** When to ask again; negative if it was granted. */
    private Duration ask() throws InterruptedException {
        try {
            Attempt attempt =
                    client.store().acquire(claim).toCompletableFuture().get();
            return attempt instanceof Attempt.Busy busy ? busy.retryAfter() : Duration.ofNanos(-1);
        } catch (ExecutionException e) {
            return PAUSE_AFTER_A_FAILURE;
        }
    }

    /** What the store tells. */
    void wake(Wake wake) {
        if (wake.id().equals(claim.id())
                && (wake.owner() == null || claim.owner().equals(wake.owner()))) {
            wakes.release();
        }
    }

    /** Has it ask once more, as a poll would. */
    void poll() {
        wakes.release();
    }

    /** How often it was told that it has to wait. */
    int answers() {
        return answers.get();
    }

    boolean isGranted() {
        return caller.isDone();
    }

    /** Whether only a wake makes it ask again. */
    boolean isSleeping() {
        return sleeping && wakes.availablePermits() == 0;
    }

    /** When it asked last. */
    long askedNanos() {
        return askedNanos;
    }

    /** Returns when it is granted. */
    void granted() {
        caller.result();
    }

    /** It asks no more. */
    void end() {
        caller.interrupt();
    }

    Claim claim() {
        return claim;
    }
}
