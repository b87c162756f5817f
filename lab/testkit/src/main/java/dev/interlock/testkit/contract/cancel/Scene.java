package dev.interlock.testkit.contract.cancel;

import dev.interlock.Interlock;
import dev.interlock.LockObserver;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.store.LateAnswersStore;
import dev.interlock.testkit.store.SteppingStore;
import dev.interlock.testkit.store.Verb;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call that is given up at one of its steps. All code of the user runs on the thread of the test, which takes it
 * from a queue: so the order of the steps is the same each time. A step is the begin or the end of a request to the
 * store, of the arrival of its answer, of a wake, of a task of the callback executor and of a callback of an observer,
 * and whatever the form adds.
 */
public final class Scene implements Executor, AutoCloseable {

    private static final Duration AMPLE = Duration.ofMinutes(5);

    private final Thread thread = Thread.currentThread();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger over = new AtomicInteger();

    /** The tasks that have a thread: each may yet begin a call. */
    private final AtomicInteger running = new AtomicInteger();

    private final Interlock client;
    private final Interlock other;
    private final int at;
    private final Consumption consumption;
    private final Answers answers;
    private int steps;
    private int bodies;
    private boolean due;
    private boolean givenUp;
    private boolean ranAfter;
    private boolean lettingGo;
    private @Nullable Runnable giveUp;

    /** Whether a step counts: only those of the call itself do, and not what the test does before and after it. */
    private volatile boolean walking;

    private volatile boolean decided;

    /** What becomes of the tasks. */
    enum Consumption {
        /** They wait for {@link #pump}. */
        QUEUED,
        /** Each has a thread. */
        THREADS
    }

    /** When the answers of the store arrive at the client. */
    enum Answers {
        /** Within the request. */
        AT_ONCE,
        /** As a task, after those that wait already. */
        LATER
    }

    Scene(Supplier<LockStore> sessions, int at, Consumption consumption, Answers answers) {
        this.at = at;
        this.consumption = consumption;
        this.answers = answers;
        client = Interlock.builder(new LateAnswersStore(new SteppingStore(sessions.get(), this::step), this::delivery))
                .attemptTimeout(AMPLE)
                .storeTimeout(AMPLE)
                .callbackExecutor(this)
                .observer(new Books())
                .build();
        other = Interlock.builder(sessions.get()).build();
    }

    /** The client whose call it is. */
    public Interlock client() {
        return client;
    }

    /** Another client of the same store. What it does is no step. */
    public Interlock other() {
        return other;
    }

    /** The name of the lock. */
    public String name() {
        return "given-up";
    }

    /** The call has begun, or is about to: from now on it can be given up. */
    public void begun(Runnable how) {
        giveUp = how;
        if (due) {
            giveUpNow();
        }
    }

    /** The call takes a step. */
    public void step() {
        if (walking && Thread.currentThread() == thread && steps++ == at) {
            giveUpNow();
        }
    }

    /** The body of the call, whose lock is held. */
    public void body() {
        bodies++;
        ranAfter = ranAfter || givenUp;
        step();
    }

    void walk() {
        walking = true;
    }

    /** What the test does from now on is no step, and gets its answers at once. */
    void walked() {
        walking = false;
    }

    /** Who delivers the answer to the request that is sent now. Inspections block whoever asks. */
    private Executor delivery(Verb verb) {
        boolean isAwaited = lettingGo || verb == Verb.INSPECT;
        lettingGo = false;
        boolean isLate = answers == Answers.LATER && walking && !isAwaited && Thread.currentThread() == thread;
        return isLate ? tasks::add : Runnable::run;
    }

    /** The holder lets go. It waits for the answer to its request, the first one, on the thread of the test. */
    void letGo(Runnable holder) {
        lettingGo = true;
        holder.run();
        lettingGo = false;
    }

    void giveUpNow() {
        Runnable how = giveUp;
        if (how == null) {
            due = true;
        } else if (!givenUp) {
            givenUp = true;
            how.run();
        }
    }

    boolean isGivenUp() {
        return givenUp;
    }

    int bodies() {
        return bodies;
    }

    /** Whether the body has begun when the call had been given up. */
    boolean ranAfter() {
        return ranAfter;
    }

    /** Whether the call has its outcome. */
    boolean isDecided() {
        return decided;
    }

    /** Whether the client has forgotten the call, and the store has. */
    boolean isNothingLeft() {
        return running.get() == 0
                && begun.get() == over.get()
                && other.administration().list("", 10).isEmpty()
                && other.lock(name()).inspect().waiters().isEmpty();
    }

    String books() {
        return "calls=" + begun + ", over=" + over + ", locks="
                + other.administration().list("", 10) + ", tasks=" + (tasks.size() + running.get());
    }

    @Override
    public void execute(Runnable task) {
        if (consumption == Consumption.THREADS) {
            running.incrementAndGet();
            Thread runner = new Thread(
                    () -> {
                        try {
                            task.run();
                        } finally {
                            running.decrementAndGet();
                        }
                    },
                    "callback");
            runner.setDaemon(true);
            runner.start();
        } else {
            tasks.add(task);
        }
    }

    /** Runs the tasks, until there are none, and it is so. */
    void pump(BooleanSupplier until) {
        long begunNanos = System.nanoTime();
        while (true) {
            Runnable task = tasks.poll();
            if (task != null) {
                step();
                task.run();
                step();
            } else if (until.getAsBoolean()
                    || System.nanoTime() - begunNanos > Patience.limit().toNanos()) {
                return;
            } else {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() {
        client.close();
        other.close();
    }

    /** What the client says of its calls: each begins once, and is over once. */
    private final class Books implements LockObserver {
        @Override
        public Acquisition acquiring(String name, LockKind kind, Mode mode) {
            begun.incrementAndGet();
            boolean ofTheCall = walking;
            step();
            return new Acquisition() {
                @Override
                public void acquired(long token, dev.interlock.LeaseOrigin origin, Duration waited) {
                    decided = decided || ofTheCall;
                    step();
                }

                @Override
                public void gaveUp(@Nullable Throwable failure, Duration waited) {
                    over.incrementAndGet();
                    decided = decided || ofTheCall;
                    step();
                }

                @Override
                public void ended(ReleaseOutcome outcome, Duration held) {
                    over.incrementAndGet();
                    step();
                }
            };
        }
    }
}
