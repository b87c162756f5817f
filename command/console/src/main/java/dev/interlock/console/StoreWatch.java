package dev.interlock.console;

import dev.interlock.LockStatus;
import dev.interlock.spi.Log;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at one store again and again, on a thread of its own, for any number of pages: each second, and less often if a
 * look takes long or the store does not answer. It writes what begins and ends into the history, and tells of each
 * look.
 *
 * <p>The state is one immutable object, which the thread replaces; anybody may read it. All other fields that change
 * belong to the thread, but for {@code forced} and {@code holds}, which are concurrent.
 */
final class StoreWatch implements AutoCloseable {

    /** The most names of a store that are listed. */
    static final int MOST_NAMES = 20_000;

    /** A look that takes long is followed by a pause that is so many times as long. */
    private static final int PAUSES = 2;

    /** How long a hold counts as one of late: this long, to twice as long. */
    private static final Duration LATE = Duration.ofMinutes(5);

    /** Names whose holds are counted: of more than that, those of late are forgotten. */
    private static final int MOST_COUNTED = 50_000;

    /** Of so many holds that have ended between two looks the store is asked how. */
    private static final int MOST_ASKED = 50;

    /** How long to wait for a look under way when the watch is closed. */
    private static final long CLOSE_MILLIS = 5000;

    /** A look that takes longer is overdue: longer than a store has to answer. */
    static final Duration OVERDUE = Duration.ofSeconds(15);

    /** Whether the store answers. */
    enum Condition {
        /** It has not been asked yet. */
        CONNECTING,
        /** It answers. */
        UP,
        /** It does not answer. */
        DOWN,
        /** It answers, and refuses. */
        REFUSED
    }

    /**
     * What is known of the store.
     *
     * @param condition whether it answers
     * @param since since when
     * @param message what is wrong, else empty
     * @param snapshot the last look that succeeded
     * @param lookMillis how long that took
     * @param nextLook when the next one begins
     */
    record State(
            Condition condition, Instant since, String message, Snapshot snapshot, long lookMillis, Instant nextLook) {

        private State with(Condition newCondition, Instant at, String newMessage) {
            boolean same = condition == newCondition;
            return new State(newCondition, same ? since : at, newMessage, snapshot, lookMillis, nextLook);
        }
    }

    private final String id;
    private final WatchedStore store;
    private final History history;
    private final InstantSource clock;
    private final Duration period;
    private final BiConsumer<StoreWatch, Snapshot.Difference> listener;
    private final Thread thread = new Thread(this::run, "interlock-console-watch");

    /** Has a permit if a look is wanted at once. */
    private final Semaphore wanted = new Semaphore(0);

    /** The owners of claims that the console has ended. */
    private final Set<String> forced = ConcurrentHashMap.newKeySet();

    /** How many holds of a name have begun of late: since the last turn, and in the time before. */
    private volatile Map<SeenName.Key, Integer> holds = new ConcurrentHashMap<>();

    private volatile Map<SeenName.Key, Integer> holdsBefore = Map.of();
    private Instant turned;

    private volatile State state;
    private volatile boolean closed;

    /** When the look under way has begun; null between looks. */
    private volatile @Nullable Instant looking;

    /** Why what was seen is not written down; empty if it is. */
    private volatile String historyProblem = "";

    private int failures;

    /** The look before, if its end is known to the history and nothing went wrong since. */
    private @Nullable Instant watchedUntil;

    /** Whether the history may have as going on what is not. */
    private boolean unreconciled = true;

    /**
     * A watch that has not begun.
     *
     * @param id what the API calls the store
     * @param period how long to wait between two looks
     * @param listener told of each look, and of each change of the state, by the thread
     */
    StoreWatch(
            String id,
            WatchedStore store,
            History history,
            InstantSource clock,
            Duration period,
            BiConsumer<StoreWatch, Snapshot.Difference> listener) {
        this.id = id;
        this.store = store;
        this.history = history;
        this.clock = clock;
        this.period = period;
        this.listener = listener;
        Instant now = clock.instant();
        this.turned = now;
        this.state = new State(Condition.CONNECTING, now, "", Snapshot.none(), 0, now);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    String id() {
        return id;
    }

    WatchedStore store() {
        return store;
    }

    State state() {
        return state;
    }

    String historyProblem() {
        return historyProblem;
    }

    /** Since when a look is under way that should have ended; null if there is none. */
    @Nullable
    Instant overdueSince() {
        Instant since = looking;
        return since != null && since.plus(OVERDUE).isBefore(clock.instant()) ? since : null;
    }

    /** How many holds of the name have begun of late. */
    int holds(SeenName.Key key) {
        return holds.getOrDefault(key, 0) + holdsBefore.getOrDefault(key, 0);
    }

    /** Looks at once, since something has happened. */
    void lookNow() {
        wanted.release();
    }

    /** The console is about to end the claim of this owner, or, if not {@code ending}, has found that it cannot. */
    void force(String owner, boolean ending) {
        if (ending) {
            forced.add(owner);
        } else {
            forced.remove(owner);
        }
    }

    private void run() {
        // What takes long once, as the first connection does, says nothing of the next look.
        Duration before = Duration.ZERO;
        try {
            while (!closed) {
                long started = System.nanoTime();
                looking = clock.instant();
                try {
                    look();
                } catch (RuntimeException e) {
                    // A defect must not end the looks at this store.
                    Log.of(StoreWatch.class).log(Level.WARNING, "A look has failed", e);
                }
                looking = null;
                Duration took = Duration.ofNanos(System.nanoTime() - started);
                Duration pause = pause(took.compareTo(before) < 0 ? took : before);
                before = took;
                if (wanted.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                    wanted.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    /** Announces the next look, after looks that take so long. */
    private Duration pause(Duration look) {
        Duration most = Times.LONGEST_PAUSE;
        Duration pause = failures > 0
                ? period.multipliedBy(1L << Math.min(failures - 1, 16))
                : longer(period, look.multipliedBy(PAUSES));
        pause = pause.compareTo(most) > 0 ? most : pause;
        State now = state;
        state = new State(
                now.condition,
                now.since,
                now.message,
                now.snapshot,
                now.lookMillis,
                clock.instant().plus(pause));
        return pause;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private void look() {
        List<LockStatus> locks;
        long started = System.nanoTime();
        try {
            locks = store.client().administration().list("", MOST_NAMES + 1);
        } catch (UnsupportedOperationException | IllegalStateException e) {
            failed(Condition.REFUSED, e);
            return;
        } catch (RuntimeException e) {
            // Whatever a driver throws: the next look may succeed.
            failed(Condition.DOWN, e);
            return;
        }
        Instant at = clock.instant();
        boolean complete = locks.size() <= MOST_NAMES;
        Snapshot before = state.snapshot;
        Snapshot seen = before.next(complete ? locks : locks.subList(0, MOST_NAMES), at, complete);
        Snapshot.Difference difference = seen.since(before);
        boolean first = before.at().equals(Instant.EPOCH);
        boolean continued = watchedUntil != null && !isLate(watchedUntil, at);
        failures = 0;
        if (!first) {
            count(difference, at);
        }
        write(difference, seen, continued ? watchedUntil : null);
        State now = state.with(Condition.UP, at, "");
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
        state = new State(now.condition, now.since, "", seen, took, now.nextLook);
        listener.accept(this, difference);
    }

    /** Whether the time between the looks is longer than any pause: the machine was suspended. */
    private static boolean isLate(Instant before, Instant at) {
        return Duration.between(before, at).compareTo(Times.LONGEST_PAUSE.multipliedBy(2)) > 0;
    }

    private void failed(Condition condition, RuntimeException failure) {
        failures++;
        watchedUntil = null;
        if (!closed) {
            state = state.with(condition, clock.instant(), store.explanation().apply(failure));
            listener.accept(this, new Snapshot.Difference(List.of(), List.of(), List.of(), List.of()));
        }
    }

    private void count(Snapshot.Difference difference, Instant at) {
        if (Duration.between(turned, at).compareTo(LATE) > 0 || holds.size() > MOST_COUNTED) {
            holdsBefore = holds;
            holds = new ConcurrentHashMap<>();
            turned = at;
        }
        Map<SeenName.Key, Integer> counted = holds;
        difference.begun().stream()
                .filter(change -> change.claim().holds())
                .forEach(change -> counted.merge(change.key(), 1, Integer::sum));
    }

    /** @param before the look before; null if it is not known what happened since */
    private void write(Snapshot.Difference difference, Snapshot seen, @Nullable Instant before) {
        List<Span> begun = new ArrayList<>();
        difference.begun().forEach(change -> begun.add(Span.begun(store.uri(), change.key(), change.claim())));
        List<Span> ended = new ArrayList<>();
        Asker asker = new Asker();
        difference.ended().forEach(change -> ended.add(ended(change, seen.at(), before != null, asker)));
        List<Span> present = null;
        if (unreconciled) {
            present = new ArrayList<>();
            for (SeenName name : seen.names()) {
                for (SeenClaim claim : name.holders()) {
                    present.add(Span.begun(store.uri(), name.key(), claim));
                }
                for (SeenClaim claim : name.waiters()) {
                    present.add(Span.begun(store.uri(), name.key(), claim));
                }
            }
        }
        try {
            history.look(store.uri(), before, seen.at(), present == null ? begun : present, ended, present);
            unreconciled = false;
            watchedUntil = seen.at();
            historyProblem = "";
        } catch (IOException e) {
            // What was seen now is written with the next look, as far as it is there then.
            unreconciled = true;
            watchedUntil = null;
            historyProblem = String.valueOf(e.getMessage());
        }
    }

    private Span ended(Snapshot.Change change, Instant at, boolean watched, Asker asker) {
        SeenClaim claim = change.claim();
        Span span = Span.begun(store.uri(), change.key(), claim);
        if (!claim.holds()) {
            SeenClaim held = holder(change.now(), claim.owner());
            return held == null
                    ? span.ended(claim.seen(), at, watched ? Span.End.GONE : Span.End.UNSEEN)
                    : span.ended(claim.seen(), held.since(), Span.End.GRANTED);
        }
        if (forced.remove(claim.owner())) {
            return span.ended(claim.seen(), at, Span.End.FORCED);
        }
        if (!watched) {
            return span.ended(claim.seen(), at, Span.End.UNSEEN);
        }
        if (claim.left()) {
            return span.ended(claim.seen(), at, Span.End.LAPSED);
        }
        boolean over = !claim.leaseEnd().isAfter(at);
        boolean byForce = asker.wasForced(change.key(), claim);
        return span.ended(claim.seen(), at, byForce ? Span.End.FORCED : over ? Span.End.LOST : Span.End.ENDED);
    }

    /** Asks the store how holds have ended, after one look: for so many, and so long, as it delays no other look. */
    private final class Asker {

        private final long untilNanos = System.nanoTime() + period.toNanos();
        private int left = MOST_ASKED;

        /** Whether the store remembers that somebody has ended this claim by force. */
        boolean wasForced(SeenName.Key key, SeenClaim claim) {
            if (left <= 0 || System.nanoTime() - untilNanos >= 0) {
                return false;
            }
            left--;
            LockStatus.Holder holder = new LockStatus.Holder(
                    claim.owner(), claim.party(), claim.mode(), Duration.ZERO, Duration.ZERO, claim.token());
            LockStatus gone = new LockStatus(key.name(), key.kind(), List.of(holder), List.of(), 1);
            try {
                return store.client().administration().endedByForce(gone).contains(claim.owner());
            } catch (RuntimeException e) {
                // Whatever a driver throws: then nobody knows.
                left = 0;
                return false;
            }
        }
    }

    private static @Nullable SeenClaim holder(@Nullable SeenName name, String owner) {
        return name == null
                ? null
                : name.holders().stream()
                        .filter(claim -> claim.owner().equals(owner))
                        .findFirst()
                        .orElse(null);
    }

    /** In the shape of the API. */
    Map<String, Object> json() {
        State now = state;
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", id);
        json.put("uri", store.uri());
        json.put("state", now.condition.name().toLowerCase(Locale.ROOT));
        json.put("since", Times.text(now.since));
        if (!now.snapshot.at().equals(Instant.EPOCH)) {
            json.put("lastLook", Times.text(now.snapshot.at()));
            json.put("lookMillis", now.lookMillis);
        }
        json.put("nextLook", Times.text(now.nextLook));
        json.put("message", now.message);
        Instant overdue = overdueSince();
        if (overdue != null) {
            json.put("overdueSince", Times.text(overdue));
        }
        json.put("canAsk", store.canAsk());
        json.put("complete", now.snapshot.isComplete());
        now.snapshot.counts().putInto(json);
        return json;
    }

    /** Ends the thread, and closes the client. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        store.client().close();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
