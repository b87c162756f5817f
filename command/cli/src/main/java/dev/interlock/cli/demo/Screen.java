package dev.interlock.cli.demo;

import dev.interlock.DistributedLock;
import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.cli.common.Durations;
import dev.interlock.cli.common.Terminal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Shows the holder and the waiters, as the store reports them: on a terminal in one line that is redrawn, elsewhere in
 * one line per second.
 */
final class Screen {

    private static final String REDRAW = "\r\033[K";

    private final boolean redraw = Terminal.canRedraw();
    private final Duration period = redraw ? Duration.ofMillis(200) : Duration.ofSeconds(1);
    private final long startNanos = System.nanoTime();
    private final DistributedLock lock;
    private long shownNanos = startNanos;

    Screen(DistributedLock lock) {
        this.lock = lock;
    }

    /** Prints a line that stays. */
    void say(String line) {
        System.out.println((redraw ? REDRAW : "") + clock() + line);
    }

    /** Prints the live line if it is due. */
    void show(List<Worker> workers) {
        long now = System.nanoTime();
        if (now - shownNanos < period.toNanos()) {
            return;
        }
        shownNanos = now;
        String line = clock() + "  " + live(workers);
        if (redraw) {
            System.out.print(REDRAW + line);
            System.out.flush();
        } else {
            System.out.println(line);
        }
    }

    /** Ends the live line. */
    void clear() {
        if (redraw) {
            System.out.print(REDRAW);
            System.out.flush();
        }
    }

    private String live(List<Worker> workers) {
        try {
            return live(lock.inspect(), workers);
        } catch (StoreUnavailableException e) {
            // On a busy machine this happens. It matters only if the workers fail.
            return "the store does not answer";
        }
    }

    private static String live(LockStatus status, List<Worker> workers) {
        String holder = status.holders().stream()
                .map(h -> worker(workers, h.party().pid()) + " (lease " + Durations.text(h.remainingLease()) + ")")
                .collect(Collectors.joining(", "));
        String waiting = status.waiters().stream()
                .map(w -> worker(workers, w.party().pid()))
                .collect(Collectors.joining(" "));
        int increments = workers.stream().mapToInt(Worker::increments).sum();
        return String.format(
                Locale.ROOT,
                "holds: %-16s  waits: %-8s  increments: %d",
                holder.isEmpty() ? "-" : holder,
                waiting.isEmpty() ? "-" : waiting,
                increments);
    }

    private static String worker(List<Worker> workers, long pid) {
        return workers.stream()
                .filter(w -> w.pid() == pid)
                .map(w -> String.valueOf(w.number()))
                .findFirst()
                .orElse("pid " + pid);
    }

    private String clock() {
        return String.format(Locale.ROOT, "%5.1f s  ", (System.nanoTime() - startNanos) / 1e9);
    }
}
