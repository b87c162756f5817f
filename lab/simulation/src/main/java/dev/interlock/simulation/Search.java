package dev.interlock.simulation;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs one seed after the other, on several threads, until one fails or enough have passed. */
public final class Search {

    private static final int CHUNK = 64;

    private final Setting.Kind kind;
    private final long first;
    private final long count;
    private final long untilNanos;
    private final int threads;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong passed = new AtomicLong();
    private final AtomicLong processorNanos = new AtomicLong();
    private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
    private final Coverage coverage;

    /**
     * A seed that fails.
     *
     * @param plan its plan
     * @param violation what it breaks
     */
    record Failure(Plan plan, Violation violation) {}

    /**
     * A search.
     *
     * @param kind the kind of lock
     * @param first the first seed
     * @param count how many seeds at most
     * @param limitNanos for how long at most
     * @param threads on how many threads
     * @param coverage counts what is seen
     */
    Search(Setting.Kind kind, long first, long count, long limitNanos, int threads, Coverage coverage) {
        this.kind = kind;
        this.first = first;
        this.count = count;
        this.untilNanos = System.nanoTime() + limitNanos;
        this.threads = threads;
        this.coverage = coverage;
    }

    /**
     * The first seed that fails, the rule that it breaks, and what was seen; null if all pass. On one thread, so that
     * it is the same each time. Called in other class loaders, too, which share no class of ours.
     */
    public static String @Nullable [] firstFailure(String kind, long seeds) {
        Search search = new Search(Setting.Kind.valueOf(kind), 1, seeds, TimeUnit.DAYS.toNanos(30), 1, new Coverage());
        return search.run(() -> {})
                .map(failure -> new String[] {
                    Long.toString(failure.plan().setting().seed()),
                    failure.violation().rule().name(),
                    failure.violation().text()
                })
                .orElse(null);
    }

    /** Runs; {@code progress} is called about once a second. */
    Optional<Failure> run(Runnable progress) {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread worker = new Thread(this::work, "simulation-" + kind + "-" + i);
            worker.setDaemon(true);
            worker.start();
            workers.add(worker);
        }
        try {
            for (Thread worker : workers) {
                while (worker.isAlive()) {
                    worker.join(1_000);
                    progress.run();
                }
            }
        } catch (InterruptedException e) {
            next.set(count);
            Thread.currentThread().interrupt();
        }
        return Optional.ofNullable(failure.get());
    }

    private void work() {
        try {
            runChunks();
        } finally {
            long unused =
                    processorNanos.addAndGet(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
        }
    }

    private void runChunks() {
        while (failure.get() == null) {
            long from = next.getAndAdd(CHUNK);
            long to = Math.min(from + CHUNK, count);
            for (long i = from; i < to; i++) {
                if (System.nanoTime() - untilNanos >= 0 || !passes(first + i)) {
                    return;
                }
            }
            if (to < from + CHUNK) {
                return;
            }
        }
    }

    private boolean passes(long seed) {
        Plan plan = Plan.of(seed, kind);
        Optional<Violation> violation;
        try {
            History history = World.run(plan);
            coverage.add(history);
            violation = Checker.check(plan, history);
        } catch (RuntimeException | Error e) {
            violation = Optional.of(new Violation(Violation.Rule.ERROR, 0, Errors.describe(e)));
        }
        if (violation.isEmpty()) {
            passed.incrementAndGet();
            return true;
        }
        Failure failed = new Failure(plan, violation.get());
        failure.accumulateAndGet(failed, Search::earlier);
        return false;
    }

    private static Failure earlier(@Nullable Failure one, Failure other) {
        return one != null
                        && one.plan().setting().seed() <= other.plan().setting().seed()
                ? one
                : other;
    }

    long passed() {
        return passed.get();
    }

    /** The processor time that the runs have taken. */
    long processorNanos() {
        return processorNanos.get();
    }

    // ---- reports

    /** What failed, how, and how to see it again. */
    static String headline(Failure failure) {
        Setting setting = failure.plan().setting();
        return String.format(
                Locale.ROOT,
                "seed %d of %s breaks %s%n%s%nlab/simulation/run --kind %2$s --seed %1$d shows it again.%n",
                setting.seed(),
                setting.kind(),
                failure.violation().rule(),
                failure.violation().text());
    }

    /** The smallest plan that still fails, and its drawing. To find it may take minutes. */
    static String smallest(Failure failure) {
        Plan smallest = Shrinker.shrink(failure.plan(), failure.violation().rule());
        History history = World.run(smallest);
        Violation violation = Checker.check(smallest, history).orElse(failure.violation());
        return String.format(
                Locale.ROOT,
                "%nthe smallest plan that does%n%s%n%s at %s ms: %s%n%n%s",
                smallest.describe(),
                violation.rule(),
                Timeline.millis(violation.atNanos()),
                violation.text(),
                Drawing.of(smallest, history));
    }
}
