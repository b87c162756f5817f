package dev.interlock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Tether;
import dev.interlock.spi.Wake;
import dev.interlock.support.SessionClaim.State;
import dev.interlock.testkit.Effort;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every sequence of events that the claims of one owner after the other can meet, up to a depth, against a small
 * server: what must hold after each event is in {@link World#check}, what must be left in the end in
 * {@link World#drain}.
 *
 * <p>The server knows sessions and keys. It executes a request at any moment between its dispatch and its answer, and
 * ends a session that nobody has proved for longer than its tether. The client does what both stores do: it gives a
 * claim up at its release, whatever is under way, and deletes later what it was not able to.
 */
class SessionClaimWalkTest {

    private static final Duration LEASE = Duration.ofSeconds(20);

    private enum Event {
        ASK,
        EXECUTE,
        GRANTED,
        BUSY,
        RENEWED,
        ANSWER_LOST,
        TURN,
        RENEW,
        RELEASE,
        DELETED_BY_OTHERS,
        SESSION_LOST,
        SESSION_REPLACED,
        TETHER_CUT,
        TETHER_OVER,
        SERVER_ENDS_SESSION,
        PROVED,
        DELETE_LATER,
        TIME
    }

    private final Map<Event, Integer> seen = new EnumMap<>(Event.class);
    private final Set<State> visited = EnumSet.noneOf(State.class);
    private int lateGrants;

    @Test
    @Tag(Effort.SCALED)
    void everySequence_keepsTheRules() {
        walkBehind();
        // Much of what is worth seeing comes later.
        walkBehind(Event.ASK, Event.GRANTED);
        walkBehind(Event.ASK, Event.BUSY);

        assertThat(seen).containsOnlyKeys(Event.values());
        assertThat(visited).containsExactlyInAnyOrder(State.values());
        assertThat(lateGrants).as("grants that came after the end of the claim").isPositive();
    }

    private void walkBehind(Event... first) {
        walk(new ArrayDeque<>(List.of(first)), Math.max(5, first.length + 4) + Effort.pick(0, 2));
    }

    private void walk(Deque<Event> prefix, int depth) {
        World world = new World();
        for (Event event : prefix) {
            world.happen(event);
        }
        Set<Event> possible = prefix.size() < depth ? world.possible() : Set.of();
        world.drain();
        for (Event event : possible) {
            seen.merge(event, 1, Integer::sum);
            prefix.addLast(event);
            walk(prefix, depth);
            prefix.removeLast();
        }
    }

    private static final class WalkSession {
        WalkTether tether = new WalkTether();
        boolean over;
    }

    /** Over once, over for good. */
    private static final class WalkTether implements Tether {
        private boolean over;

        @Override
        public long leftNanos() {
            return over ? 0 : 1;
        }

        void cut() {
            over = true;
        }
    }

    /** A request to acquire or to renew. */
    private static final class Request {
        final WalkClaim claim;
        final WalkSession session;
        final boolean renews;
        final long sentNanos;

        /** Whether it makes the key, and does not only look at it. */
        final boolean makes;

        /** Whether its answer begins a new tether. */
        final boolean proves;

        boolean executed;
        boolean there;

        Request(WalkClaim claim, boolean renews, long sentNanos) {
            this.claim = claim;
            this.session = claim.session;
            this.renews = renews;
            this.sentNanos = sentNanos;
            this.makes = claim.state() == State.ENTERING;
            this.proves = session.tether.over;
        }
    }

    private static final class WalkClaim extends SessionClaim {
        final World world;
        final WalkSession session;
        boolean deletedByOthers;

        WalkClaim(World world, Claim claim, WalkSession session) {
            super(world.books, claim, "key=walk");
            this.world = world;
            this.session = session;
        }

        @Override
        protected void moved(State to) {
            world.reached.add(to);
        }

        @Override
        protected void deleteLater() {
            world.toDelete.add(claim().owner());
        }

        @Override
        protected Exception endedMeanwhile() {
            return new IllegalStateException("ended meanwhile");
        }
    }

    /** What the engine takes for granted, until its release, a renewal, its lease or the tether says otherwise. */
    private record Lease(WalkClaim claim, Tether tether, long untilNanos) {}

    private record Timer(long atNanos, Runnable task, CompletableFuture<Boolean> entry) {}

    private final class World {
        final Set<State> reached = EnumSet.of(State.ENTERING);
        final List<Event> happened = new ArrayList<>();
        final Set<OwnerId> toDelete = new LinkedHashSet<>();
        private final List<Timer> timers = new ArrayList<>();
        private final List<OwnerId> woken = new ArrayList<>();
        private final Deque<Request> requests = new ArrayDeque<>();

        /** The server's: which session each key is bound to, and which sessions live. */
        private final Map<WalkClaim, WalkSession> keys = new HashMap<>();

        private final Set<WalkSession> alive = new HashSet<>();
        private long nowNanos = -5;
        private WalkSession session = new WalkSession();
        private int number = 1;
        private boolean released;
        private @Nullable Lease lease;

        final SessionClaims<WalkClaim> books =
                new SessionClaims<>(() -> true, () -> nowNanos, this::later, this::timeIsOver);

        World() {
            alive.add(session);
            books.listener(wake -> woken.add(((Wake.Changed) wake).owner()));
        }

        private Future<?> later(Duration delay, Runnable task) {
            CompletableFuture<Boolean> entry = new CompletableFuture<>();
            timers.add(new Timer(nowNanos + delay.toNanos(), task, entry));
            return entry;
        }

        private OwnerId owner() {
            return OwnerId.of("client", number);
        }

        private @Nullable Request head() {
            return requests.peek();
        }

        private @Nullable WalkClaim present() {
            return books.of(owner());
        }

        // ---- events

        Set<Event> possible() {
            Set<Event> possible = EnumSet.of(Event.SESSION_LOST, Event.SESSION_REPLACED);
            WalkClaim own = present();
            Request head = head();
            boolean isAsking = own != null && requests.stream().anyMatch(request -> request.claim == own);
            if (!isAsking) {
                possible.add(Event.ASK);
            }
            if (head != null) {
                possible.add(Event.ANSWER_LOST);
                possible.add(head.renews ? Event.RENEWED : Event.GRANTED);
                if (!head.executed) {
                    possible.add(Event.EXECUTE);
                }
                // The server says busy to no claim that it has granted.
                if (!head.renews && !head.claim.isHeld() && head.claim.state() != State.LOST) {
                    possible.add(Event.BUSY);
                }
            }
            if (own != null && !released) {
                possible.add(Event.RELEASE);
                if (own.isWaiting()) {
                    possible.add(Event.TURN);
                }
                if (!isAsking && (own.isHeld() || own.state() == State.LOST)) {
                    possible.add(Event.RENEW);
                }
            }
            if (own != null && keys.containsKey(own)) {
                possible.add(Event.DELETED_BY_OTHERS);
            }
            if (!session.tether.over) {
                possible.add(Event.TETHER_CUT);
                possible.add(Event.TETHER_OVER);
            } else {
                possible.add(Event.PROVED);
                // What it has executed in the meantime has made the session live longer.
                if (alive.contains(session)
                        && requests.stream().noneMatch(request -> request.executed && request.proves)) {
                    possible.add(Event.SERVER_ENDS_SESSION);
                }
            }
            if (!toDelete.isEmpty()) {
                possible.add(Event.DELETE_LATER);
            }
            if (nextTimer() != null) {
                possible.add(Event.TIME);
            }
            return possible;
        }

        void happen(Event event) {
            happened.add(event);
            try {
                switch (event) {
                    case ASK -> ask();
                    case EXECUTE -> execute(requests.element());
                    case GRANTED -> answered(true);
                    case BUSY -> answered(false);
                    case RENEWED -> renewed();
                    case ANSWER_LOST -> answerLost();
                    case TURN -> turn();
                    case RENEW -> renew();
                    case RELEASE -> release();
                    case DELETED_BY_OTHERS -> deletedByOthers();
                    case SESSION_LOST -> endSession(true);
                    case SESSION_REPLACED -> endSession(false);
                    case TETHER_CUT -> cutTether();
                    case TETHER_OVER -> session.tether.cut();
                    case SERVER_ENDS_SESSION -> endOnServer(session);
                    case PROVED -> proved();
                    case DELETE_LATER -> deleteWhatIsToBe();
                    case TIME -> time();
                }
                check();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(e.getMessage() + ", after " + happened, e);
            }
            visited.addAll(reached);
        }

        private void ask() {
            if (released) {
                number++;
                released = false;
            }
            WalkClaim own = present();
            if (own == null || own.state() == State.LOST) {
                own = new WalkClaim(this, claim(owner()), session);
                books.put(own);
            }
            requests.add(new Request(own, false, nowNanos));
        }

        private static Claim claim(OwnerId owner) {
            return Claim.of(LockId.lock("walk"), owner, LEASE, Party.UNKNOWN);
        }

        private void execute(Request request) {
            if (!request.executed) {
                request.executed = true;
                if (request.makes && alive.contains(request.session)) {
                    keys.put(request.claim, request.session);
                }
                request.there = keys.containsKey(request.claim);
            }
        }

        private void answered(boolean granted) {
            Request request = requests.remove();
            execute(request);
            WalkClaim own = request.claim;
            boolean wasEnded = own.state() == State.ENDED;
            if (own.state() == State.LOST) {
                return;
            }
            if (!wasEnded && !request.there) {
                own.forget("its key is not there");
                return;
            }
            if (request.there && request.proves && request.session.tether.over && !request.session.over) {
                request.session.tether = new WalkTether();
            }
            CompletableFuture<Attempt> attempt = !granted
                    ? own.waitInQueue()
                    : own.isHeld()
                            ? CompletableFuture.completedFuture(own.keepHeld(1))
                            : own.hold(request.session.tether, 1);
            if (wasEnded) {
                lateGrants += granted ? 1 : 0;
                require("the answer to a claim that has ended fails", attempt.isCompletedExceptionally());
                require(
                        "what a late request has made is deleted",
                        !keys.containsKey(own) || toDelete.contains(own.claim().owner()));
            } else if (attempt.join() instanceof Attempt.Granted grant && !released) {
                lease = new Lease(own, grant.tether(), request.sentNanos + LEASE.toNanos());
            }
        }

        private void renew() {
            WalkClaim own = Objects.requireNonNull(present());
            if (own.state() == State.LOST || own.isUnproved()) {
                lease = null;
            } else {
                requests.add(new Request(own, true, nowNanos));
            }
        }

        private void renewed() {
            Request request = requests.remove();
            execute(request);
            WalkClaim own = request.claim;
            State before = own.state();
            Renewal outcome = own.renewed(request.there, LEASE);
            Renewal due = before == State.HELD && request.there ? Renewal.HELD : null;
            require(
                    "a renewal says what became of the claim",
                    outcome == (before == State.LOST ? Renewal.SESSION_LOST : due));
            Lease known = lease;
            if (known != null && known.claim == own) {
                lease = outcome == Renewal.HELD
                        ? new Lease(own, known.tether, request.sentNanos + LEASE.toNanos())
                        : null;
            }
        }

        /** It is unknown whether it was executed. Nobody relies on what a claim that enters, or has ended, has made. */
        private void answerLost() {
            WalkClaim own = requests.remove().claim;
            if (own.state() == State.ENTERING || own.state() == State.ENDED) {
                own.deleteLater();
                books.remove(own);
            }
        }

        private void turn() {
            WalkClaim own = Objects.requireNonNull(present());
            own.ready();
            own.wake();
        }

        private void release() {
            WalkClaim own = Objects.requireNonNull(present());
            own.forget("released");
            keys.remove(own);
            released = true;
            lease = null;
        }

        private void timeIsOver(WalkClaim own) {
            own.forget("its time is over");
            keys.remove(own);
        }

        private void deletedByOthers() {
            WalkClaim own = Objects.requireNonNull(present());
            keys.remove(own);
            own.deletedByOthers = true;
        }

        /** The session ends for this client; on the server, too, or only as far as the client knows. */
        private void endSession(boolean onServer) {
            WalkSession ended = session;
            if (onServer) {
                endOnServer(ended);
            }
            List<OwnerId> relying = books.all().stream()
                    .filter(own -> own.session == ended && own.state().isStored())
                    .map(own -> own.claim().owner())
                    .toList();
            woken.clear();
            ended.over = true;
            ended.tether.cut();
            books.sessionEnded(own -> own.session == ended);
            session = new WalkSession();
            alive.add(session);
            require("who relied on the session is woken once", woken.equals(relying));
            require(
                    "only lost claims are left of a session that has ended",
                    books.all().stream().noneMatch(own -> own.session == ended && own.state() != State.LOST));
        }

        private void endOnServer(WalkSession ended) {
            alive.remove(ended);
            keys.values().removeIf(bound -> bound == ended);
        }

        /** The connection is interrupted, and with it the leases end. */
        private void cutTether() {
            session.tether.cut();
            for (WalkClaim own : books.all()) {
                if (own.session == session && own.isHeld()) {
                    woken.clear();
                    own.lose("its connection is interrupted");
                    require(
                            "who loses a claim is woken once",
                            woken.equals(List.of(own.claim().owner())));
                }
            }
        }

        private void proved() {
            if (alive.contains(session)) {
                session.tether = new WalkTether();
            } else {
                endSession(true);
            }
        }

        private void deleteWhatIsToBe() {
            for (OwnerId owner : List.copyOf(toDelete)) {
                WalkClaim own = books.of(owner);
                boolean isUnderWay = requests.stream()
                        .anyMatch(request -> request.claim.claim().owner().equals(owner));
                if (!isUnderWay && (own == null || own.state() != State.ENTERING)) {
                    keys.keySet()
                            .removeIf(key -> key.claim().owner().equals(owner)
                                    && !(key == own && own.state().isStored()));
                    toDelete.remove(owner);
                }
            }
        }

        private @Nullable Timer nextTimer() {
            timers.removeIf(timer -> timer.entry.isCancelled());
            return timers.stream().min(Comparator.comparingLong(Timer::atNanos)).orElse(null);
        }

        private void time() {
            Timer next = Objects.requireNonNull(nextTimer());
            timers.remove(next);
            nowNanos = Math.max(nowNanos, next.atNanos);
            next.task.run();
        }

        // ---- rules

        private void check() {
            Timer timer = nextTimer();
            require("there is one timer at most", timers.size() <= 1);
            for (WalkClaim own : books.all()) {
                boolean isCertain = own.isHeld() && !own.isUnproved() && !own.deletedByOthers;
                require("what is held, is held by a session that lives", !isCertain || alive.contains(keys.get(own)));
                require("the books have no claim that has ended", own.state() != State.ENDED);
                require(
                        "a timer ends in time what has an end",
                        !own.isTimed() || (timer != null && timer.atNanos <= own.endNanos()));
            }
            Lease known = lease;
            if (known != null && known.tether.leftNanos() > 0 && nowNanos < known.untilNanos) {
                require(
                        "the server holds what the engine takes for granted",
                        known.claim.deletedByOthers || alive.contains(keys.get(known.claim)));
            }
        }

        private void require(String rule, boolean isKept) {
            if (!isKept) {
                throw new AssertionError(rule);
            }
        }

        /** All answers come, and time goes on: nothing is left here, nor on the server, whose sessions still live. */
        void drain() {
            while (head() != null) {
                happen(requests.element().renews ? Event.RENEWED : Event.GRANTED);
            }
            while (nextTimer() != null) {
                happen(Event.TIME);
            }
            happen(Event.DELETE_LATER);
            try {
                require("the books are empty in the end", books.isEmpty());
                require("nothing is left to be deleted in the end", toDelete.isEmpty());
                require("nothing is left on the server in the end", keys.isEmpty());
            } catch (AssertionError e) {
                throw new AssertionError(e.getMessage() + ", after " + happened, e);
            }
        }
    }
}
