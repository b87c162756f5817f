package dev.interlock.test;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Printable;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What happens to the locks of the code under test: somebody else holds one, or the code loses one. A name is that of a
 * lock as the code under test knows it. Each method that waits does so for a bounded time, and says then what it has
 * waited for. Thread-safe.
 */
public final class Locks {

    /** Others hold for so long without a renewal, so that {@link TestClock#advance} has little to do. */
    private static final LeaseTerm LONG = LeaseTerm.renewing(Duration.ofDays(30));

    /** For how much longer than a lease time passes before it has surely run out in the client. */
    private static final Duration MORE = Duration.ofSeconds(1);

    /** What the client learns by the time alone, when the clock has been moved. */
    private static final Set<LossCause> BY_THE_CLOCK =
            EnumSet.of(LossCause.EXPIRED, LossCause.PAUSED, LossCause.STORE_UNREACHABLE);

    private final TestClock clock;
    private final TestStore store;
    private final String prefix;
    private final Interlock others;
    private final Supplier<Interlock> opener;
    private final List<ControlledStore> stores;
    private final Ledger ledger;
    private final Map<String, Lease> held = new ConcurrentHashMap<>();
    private final Map<String, List<Runnable>> whenWaiting = new ConcurrentHashMap<>();
    private final Map<String, Room> rooms = new ConcurrentHashMap<>();
    private final List<CompletableFuture<Void>> begun = new CopyOnWriteArrayList<>();

    /**
     * @param prefix what names begin with in the store
     * @param others a client for what others do
     * @param opener opens one more client under test
     * @param stores those of the clients under test
     * @param patience for how long code under test may wait, by the real time
     */
    Locks(
            TestClock clock,
            TestStore store,
            String prefix,
            Interlock others,
            Supplier<Interlock> opener,
            List<ControlledStore> stores,
            Duration patience) {
        this.clock = clock;
        this.store = store;
        this.prefix = prefix;
        this.others = others;
        this.opener = opener;
        this.stores = stores;
        this.ledger = new Ledger(patience, this::waits, this::describe);
    }

    /**
     * Has somebody else hold this lock, until {@link #release} or the end of the test. Does not wait for it.
     *
     * @param name the name
     * @throws IllegalStateException if it is not free; the message says who holds it
     */
    public void hold(String name) {
        Optional<Lease> lease = others.lock(name).tryAcquire(LONG);
        held.put(
                name,
                lease.orElseThrow(() -> new IllegalStateException("Nobody else can hold lock '" + Printable.of(name)
                        + "' now: " + describe(name) + "; call hold before the code under test acquires it")));
    }

    /**
     * Ends what {@link #hold} has begun. A caller that waits gets the lock.
     *
     * @param name the name
     * @throws IllegalStateException if nobody else holds it
     */
    public void release(String name) {
        Lease lease = held.remove(Objects.requireNonNull(name, "name"));
        if (lease == null) {
            throw new IllegalStateException("No call of hold is to be undone for lock '" + Printable.of(name) + "': "
                    + describe(name) + "; the code under test releases what it holds itself");
        }
        lease.close();
    }

    /**
     * Has the code under test lose this lock, which it holds now, on whatever thread. Call it while that code works,
     * for example in a mock that it calls. When this returns, the client knows of the loss: the lease is not valid any
     * more, its {@link Lease#onLost} callbacks have been started, and {@code unlock} will throw.
     *
     * <ul>
     *   <li>{@link LossCause#DELETED}, {@link LossCause#FORCED}, {@link LossCause#SESSION_LOST}: the lock is free then.
     *   <li>{@link LossCause#TAKEN}: somebody else has it then, as by {@link #hold}.
     *   <li>{@link LossCause#EXPIRED}: the clock is put forward to the end of a fixed lease.
     *   <li>{@link LossCause#PAUSED}: the clock is put forward in one step, as if the process had been stopped for
     *       longer than the lease lasts. It loses its other leases as well.
     *   <li>{@link LossCause#STORE_UNREACHABLE}: the store is silent while the clock is put forward to the end of the
     *       lease. The process loses its other leases as well, and the store answers again.
     * </ul>
     *
     * @param name the name
     * @param cause why
     * @throws IllegalStateException if no code under test holds it, if its lease does not end by this cause, or if the
     *     test has a real store and the cause needs its clock
     */
    public void lose(String name, LossCause cause) {
        Objects.requireNonNull(cause, "cause");
        if (!ledger.isHeld(name)) {
            throw new IllegalStateException("Nobody can lose lock '" + Printable.of(name) + "': " + describe(name)
                    + "; call lose while the code under test holds it, for example in a mock that it calls");
        }
        boolean byClock = BY_THE_CLOCK.contains(cause);
        if (!byClock && !store.isReachable()) {
            throw new IllegalStateException("The store does not answer, so the code under test cannot learn that lock '"
                    + Printable.of(name) + "' is lost by " + cause + ": call answer() of the store before, or take"
                    + " STORE_UNREACHABLE");
        }
        switch (cause) {
            case DELETED -> end(name, Renewal.DELETED);
            case FORCED -> end(name, Renewal.FORCED);
            case SESSION_LOST -> end(name, Renewal.SESSION_LOST);
            case TAKEN -> {
                end(name, Renewal.TAKEN);
                hold(name);
            }
            case EXPIRED -> clock.advance(restOfLease(name));
            case PAUSED -> clock.jump(restOfLease(name));
            case STORE_UNREACHABLE -> beUnreachable(name);
        }
        if (!ledger.await(byClock ? MORE : Bounded.LIMIT, () -> !ledger.isHeld(name))) {
            throw new IllegalStateException("Lock '" + Printable.of(name) + "' is not lost by " + cause + ": "
                    + describe(name) + ". A lease that is renewed does not run out: for EXPIRED give it"
                    + " LeaseTerm.fixed, or take another cause");
        }
    }

    private void end(String name, Renewal how) {
        stores.forEach(each -> each.end(prefix + name, how));
    }

    private void beUnreachable(String name) {
        Duration rest = restOfLease(name);
        store.silent();
        try {
            clock.advance(rest);
        } finally {
            store.answer();
        }
    }

    private Duration restOfLease(String name) {
        return others.administration().inspect(name).stream()
                .flatMap(status -> status.holders().stream())
                .map(LockStatus.Holder::remainingLease)
                .reduce(Duration.ZERO, (one, other) -> one.compareTo(other) > 0 ? one : other)
                .plus(MORE);
    }

    /**
     * Runs this once, on a thread of its own, as soon as code under test waits for the lock: to test a wait on one
     * thread.
     *
     * <pre>{@code
     * locks.hold("orders");
     * locks.whenWaiting("orders", () -> locks.release("orders"));
     * service.settle();  // waits, and gets it
     * }</pre>
     *
     * <p>A single attempt, such as {@code tryLock()}, does not wait.
     *
     * @param name the name
     * @param action what to do, such as {@code () -> clock.advance(Duration.ofSeconds(10))}; what it throws fails the
     *     test at its end, and ends the waits for the lock with an {@link IllegalStateException}
     */
    public void whenWaiting(String name, Runnable action) {
        Objects.requireNonNull(action, "action");
        whenWaiting
                .computeIfAbsent(checked(name), key -> new CopyOnWriteArrayList<>())
                .add(action);
        if (ledger.isWaitedFor(name)) {
            waits(name);
        }
    }

    private void waits(String name) {
        List<Runnable> actions = whenWaiting.remove(name);
        if (actions != null) {
            begun.add(CompletableFuture.runAsync(() -> run(name, actions), Bounded::onAThread));
        }
    }

    /** Those who wait would do so for nothing after a failure, and hide it. */
    private void run(String name, List<Runnable> actions) {
        try {
            actions.forEach(Runnable::run);
        } catch (Throwable e) {
            ledger.endWaits(
                    name::equals,
                    () -> new IllegalStateException(
                            "What whenWaiting(\"" + Printable.of(name) + "\") was to do has failed: " + e, e));
            throw e;
        }
    }

    /**
     * Returns when code under test waits for the lock, on whatever thread.
     *
     * @param name the name
     * @throws IllegalStateException if nobody waits within 20 seconds
     */
    public void awaitWaiting(String name) {
        if (!ledger.await(Bounded.LIMIT, () -> ledger.isWaitedFor(name))) {
            throw new IllegalStateException("Nobody waits for lock '" + Printable.of(name) + "': " + describe(name)
                    + "; a single attempt, as tryLock(), does not wait");
        }
    }

    /**
     * Marks the beginning of work that the lock protects: in a mock, or a subclass, that the code under test calls.
     * Closing it is the end. {@link LockAssert#wasNeverEnteredTwiceAtOnce} says whether two have overlapped, also if
     * one of them had lost the lock, or never had it.
     *
     * @param name the name
     * @return the work; closing it twice does nothing
     */
    public Work enter(String name) {
        Room room = rooms.computeIfAbsent(checked(name), key -> new Room());
        return new Work(room, room.enter());
    }

    /** Work that a lock protects, between {@link Locks#enter} and {@link #close}. */
    public static final class Work implements AutoCloseable {

        private final Room room;
        private final Object mark;

        private Work(Room room, Object mark) {
            this.room = room;
            this.mark = mark;
        }

        /** The work has ended. */
        @Override
        public void close() {
            room.leave(mark);
        }
    }

    /** Who works, and who has met whom. Its monitor guards it. */
    private static final class Room {

        private final List<Object> inside = new ArrayList<>();
        private final List<String> meetings = new ArrayList<>();
        private int times;

        synchronized Object enter() {
            Object mark = new ThreadMark(Thread.currentThread().getName());
            times++;
            if (!inside.isEmpty()) {
                meetings.add(mark + " while " + inside);
            }
            inside.add(mark);
            return mark;
        }

        synchronized void leave(Object mark) {
            inside.remove(mark);
        }

        synchronized List<Object> inside() {
            return List.copyOf(inside);
        }

        synchronized List<String> meetings() {
            return List.copyOf(meetings);
        }

        synchronized int times() {
            return times;
        }
    }

    /** Equal to nothing but itself. */
    private static final class ThreadMark {

        private final String thread;

        ThreadMark(String thread) {
            this.thread = thread;
        }

        @Override
        public String toString() {
            return "thread '" + Printable.of(thread) + "'";
        }
    }

    /**
     * Opens one more client of the same store, as another process would: for code that runs on several nodes. It is
     * under test as the first one, and closed after the test.
     *
     * @return the client
     */
    public Interlock newClient() {
        return opener.get();
    }

    // ---- for the rest of the package

    Ledger ledger() {
        return ledger;
    }

    /** Whether anybody holds it, by the store. */
    boolean isHeld(String name) {
        return others.administration().inspect(name).stream().anyMatch(LockStatus::isLocked);
    }

    /** How often somebody has entered. */
    int timesEntered(String name) {
        Room room = rooms.get(name);
        return room == null ? 0 : room.times();
    }

    /** Who has entered while somebody was inside. */
    List<String> meetings(String name) {
        Room room = rooms.get(name);
        return room == null ? List.of() : room.meetings();
    }

    /** Who holds the lock, for a message. */
    String describe(String name) {
        String byTest = ledger.acquired(name).stream()
                .filter(Ledger.Acquired::isHeld)
                .map(each -> "thread '" + Printable.of(each.thread().getName()) + "'")
                .distinct()
                .collect(Collectors.joining(", "));
        if (held.containsKey(name)) {
            return "somebody else holds it, by hold(\"" + Printable.of(name) + "\")";
        }
        if (!byTest.isEmpty()) {
            return "it is held by " + byTest;
        }
        return isHeld(name) ? "another program holds it" : "it is free";
    }

    /** Ends what the test waits for and what others do, and has the store answer. */
    void reset() {
        ledger.endWaits(
                name -> true, () -> new IllegalStateException("The test has ended, and this call has waited on"));
        store.answer();
        whenWaiting.clear();
        rooms.clear();
        held.values().forEach(Lease::close);
        held.clear();
    }

    /**
     * Waits for the actions that have begun, for a bounded time.
     *
     * @throws AssertionError if one has failed, or does not end
     */
    void checkActions() {
        try {
            CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new))
                    .orTimeout(Bounded.LIMIT.toNanos(), TimeUnit.NANOSECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new AssertionError(
                    "What whenWaiting was to do has failed, or has not ended: " + e.getCause(), e.getCause());
        } finally {
            begun.clear();
        }
    }

    /**
     * Fails if anything is left after a moment, or if nobody has waited as {@link #whenWaiting} expects.
     *
     * @throws AssertionError with the names and the threads
     */
    void checkNothingLeft(Duration moment) {
        ledger.await(moment, () -> left().isEmpty());
        List<String> left = left();
        whenWaiting.keySet().stream()
                .map(name -> "Nobody has waited for lock '" + Printable.of(name) + "', as whenWaiting expects: does"
                        + " the code under test use this name?")
                .forEach(left::add);
        if (!left.isEmpty()) {
            throw new AssertionError(String.join(". ", left));
        }
    }

    private List<String> left() {
        List<String> left = ledger.left();
        rooms.forEach((name, room) -> {
            List<Object> inside = room.inside();
            if (!inside.isEmpty()) {
                left.add("Work is not over after the test, by enter(\"" + Printable.of(name) + "\"): " + inside
                        + "; close what enter returns");
            }
        });
        return left;
    }

    /** Ends by force what the test has left, so that the next test of the same client has it. */
    void endAll() {
        for (Ledger.Acquired acquired : ledger.acquired()) {
            if (acquired.isHeld()) {
                others.administration().forceUnlock(acquired.name());
            }
        }
    }

    private static String checked(String name) {
        return LockId.lock(name).name();
    }
}
