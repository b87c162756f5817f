package dev.interlock.simulation;

import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.simulation.Violation.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks a history. It knows the plan, and of the engine only what users are promised: no state, no request, no
 * constant of it. All times are true times.
 *
 * <p>The store may break its word: it forgets what it has written, its clock is set on, somebody ends claims by force.
 * Then a lease that was granted before may be valid beside one that was granted after. These moments divide a run into
 * epochs; leases that the server has granted in one epoch exclude each other always.
 */
// A history is numbers: cheap to keep, and to compare.
@SuppressWarnings("EnumOrdinal")
final class Checker {

    private static final long MILLI = 1_000_000;

    /** What a promise "in time" allows for. */
    private static final long SLACK_NANOS = 60 * MILLI;

    /** How long a name may stay free while somebody waits, if the store wakes, and if clients poll. */
    private static final long WOKEN_NANOS = 100 * MILLI;

    private static final long POLLED_NANOS = 600 * MILLI;

    /** How much longer it takes if several servers have to agree: grants are split, and asked for again. */
    private static final long SPLIT_NANOS = 1_500 * MILLI;

    /** The longest pause of a client between two attempts. */
    private static final long PAUSE_NANOS = 500 * MILLI;

    /** What lies between the fences of two tokens. */
    private static final long TOKENS_PER_FENCE = 1024;

    private static final int WHOLE = 1_000;

    private final Plan plan;
    private final Setting setting;
    private final History history;
    private final Map<Integer, Call> calls = new LinkedHashMap<>();
    private final List<Long> breaks = new ArrayList<>();
    private final Map<Fence, Granted> grants = new HashMap<>();
    private final Map<Fence, Integer> tokens = new HashMap<>();
    private final Map<Fence, Call> largest = new HashMap<>();
    private final List<Call> validNow = new ArrayList<>();

    /** When each process has sent acquires. */
    private final Map<Integer, TreeSet<Long>> acquires = new HashMap<>();

    private long validAt = -1;
    private int validName = -1;
    private boolean late;
    private @Nullable Violation found;

    /** A number that belongs to a name. */
    private record Fence(int name, long number) {}

    /** What the server has granted, and until when it keeps it. */
    private static final class Granted {
        final int process;
        final long atNanos;

        /** When it was asked for; of a single server the same. */
        final long sinceNanos;

        /** The grant of the same fence before the server forgot it, which is somebody else's; null if none is known. */
        final @Nullable Granted earlier;

        long untilNanos;

        Granted(int process, long atNanos, long sinceNanos, @Nullable Granted earlier) {
            this.process = process;
            this.atNanos = atNanos;
            this.sinceNanos = sinceNanos;
            this.earlier = earlier;
        }

        /** Until when a lease with this fence may last, whichever grant it is of. */
        long latestNanos() {
            return earlier == null ? untilNanos : Math.max(untilNanos, earlier.latestNanos());
        }
    }

    /** A call of a user, as far as it has come. */
    private static final class Call {
        final Ask ask;
        final long askedNanos;
        long decidedNanos = -1;
        long grantedNanos = -1;
        long token;
        long releasesNanos = -1;
        boolean validAtRelease;
        int released;
        long releasedNanos = Long.MAX_VALUE;
        long listensNanos = Long.MAX_VALUE;
        long lostNanos = -1;

        Call(Ask ask, long askedNanos) {
            this.ask = ask;
            this.askedNanos = askedNanos;
        }

        long fence() {
            return token / TOKENS_PER_FENCE;
        }

        /** Whether it has what another of its process had before: not the first lease on a claim. */
        boolean isHandedOver() {
            return token % TOKENS_PER_FENCE != 0;
        }

        /** Whether it has been granted, and has confirmed its release, before another was asked. */
        boolean isOverBefore(Call other) {
            return releasedNanos < other.askedNanos;
        }

        /** Whether it has let go before another was asked in its process, whatever has become of the release. */
        boolean letsGoBefore(Call other) {
            return ask.process() == other.ask.process() && validAtRelease && releasesNanos <= other.askedNanos;
        }

        @Override
        public String toString() {
            return "call " + ask.number() + " of " + Event.processName(ask.process())
                    + (grantedNanos < 0 ? "" : " (token " + token + ")");
        }
    }

    private Checker(Plan plan, History history) {
        this.plan = plan;
        this.setting = plan.setting();
        this.history = history;
    }

    /** The first violation, if there is one. */
    static Optional<Violation> check(Plan plan, History history) {
        Checker checker = new Checker(plan, history);
        for (Event event : history.events()) {
            checker.see(event);
            if (checker.found != null) {
                return Optional.of(checker.found);
            }
        }
        checker.end();
        return Optional.ofNullable(checker.found);
    }

    /**
     * A token follows the larger of the server's clock and of the last one that it has written. Nothing is left of it
     * where the clock is set back and the writes are forgotten.
     */
    private boolean mayRepeatTokens() {
        return isSetBack()
                && plan.steps().stream()
                        .anyMatch(step -> step instanceof Fault fault
                                && (fault.kind() == Fault.Kind.FAILOVER || fault.kind() == Fault.Kind.SERVER_FORGETS));
    }

    /** Whether the server's clock is set back: then it keeps what it holds for longer than it has said. */
    private boolean isSetBack() {
        return plan.steps().stream()
                .anyMatch(step ->
                        step instanceof Fault fault && fault.kind() == Fault.Kind.CLOCK_STEP && fault.size() < 0);
    }

    private void violated(Rule rule, long atNanos, String text) {
        // Two grants of one fence cannot be told apart, nor placed before and after the moment at which it was
        // forgotten.
        if ((rule == Rule.TOKENS || rule == Rule.EXCLUSION) && mayRepeatTokens()) {
            return;
        }
        // The fences of a quorum increase as long as no server forgets.
        if (rule == Rule.TOKENS && setting.kind() == Setting.Kind.QUORUM && forgets()) {
            return;
        }
        if (found == null) {
            found = new Violation(rule, atNanos, text);
        }
    }

    // ---- one event after the other

    private void see(Event event) {
        switch (event.kind()) {
            case ASKED -> asked(event);
            case GRANTED -> granted(event);
            case REFUSED -> refused(event);
            case LEFT -> decided(event);
            case FAILED -> failed(event);
            case VALID -> valid(event);
            case RELEASES -> releases(event);
            case RELEASED -> released(event);
            case LISTENS -> call(event).listensNanos = event.atNanos();
            case LOST -> lost(event);
            case LATE -> late = true;
            case SENT -> sent(event);
            case SERVER_GRANTS -> serverGrants(event);
            case SERVER_KEEPS -> serverKeeps(event);
            case WORD_BROKEN -> breaks.add(event.atNanos());
            case NOBODYS -> nobodys(event);
            case RESTLESS ->
                violated(
                        Rule.LEFT_BEHIND,
                        event.atNanos(),
                        Event.processName(event.process()) + " has something left when all is over");
            case ERROR -> violated(Rule.ERROR, event.atNanos(), history.error(event.value()));
            case ENDLESS ->
                violated(
                        Rule.ENDLESS,
                        event.atNanos(),
                        "The run does not end: it is at " + Timeline.millis(event.atNanos()) + " ms, and at event "
                                + event.value() + " of that second");
            default -> {
                // Of no meaning for a rule.
            }
        }
    }

    private void asked(Event event) {
        for (Step step : plan.steps()) {
            if (step instanceof Ask ask && ask.number() == event.call()) {
                calls.put(event.call(), new Call(ask, event.atNanos()));
            }
        }
    }

    private Call call(Event event) {
        Call call = calls.get(event.call());
        if (call == null) {
            throw new IllegalStateException("The history has an event of a call that was not made: " + event);
        }
        return call;
    }

    private void decided(Event event) {
        Call call = call(event);
        call.decidedNanos = event.atNanos();
        long wait =
                switch (call.ask.want()) {
                    case FOR_EVER -> Long.MAX_VALUE / 2;
                    case TIMED -> Math.max(call.ask.waitNanos(), firstReplyNanos());
                    case ONCE -> firstReplyNanos();
                };
        long by = endOfRequestNanos(call.ask.process(), call.askedNanos + wait)
                + slack(call.ask.process(), call.askedNanos, event.atNanos());
        if (event.atNanos() > by) {
            violated(
                    Rule.IN_TIME,
                    event.atNanos(),
                    call + " has its outcome " + Timeline.millis(event.atNanos() - by) + " ms too late");
        }
    }

    /** Until when a caller stays whose time is over at a moment: for the request that its process sent last by then. */
    private long endOfRequestNanos(int process, long overNanos) {
        Long sentNanos = acquires.getOrDefault(process, new TreeSet<>()).floor(overNanos);
        return sentNanos == null
                ? overNanos
                : Math.max(overNanos, sentNanos + setting.attemptTimeout().toNanos());
    }

    private void sent(Event event) {
        if (event.value() == Wire.Verb.ACQUIRE.ordinal()) {
            acquires.computeIfAbsent(event.process(), process -> new TreeSet<>())
                    .add(event.atNanos());
        }
    }

    /**
     * How long a caller stays for the first reply at most: for the attempt that is under way for its process, and, if
     * that fails, for the next one.
     */
    private long firstReplyNanos() {
        long attempt = setting.attemptTimeout().toNanos();
        return isQuiet() ? attempt : 2 * attempt + PAUSE_NANOS;
    }

    /** A name that is free for certain goes to a single attempt, too. */
    private void refused(Event event) {
        decided(event);
        Call call = call(event);
        boolean free = isQuiet()
                && grantsArrive()
                && setting.retainedNanos() == 0
                && calls.values().stream()
                        .allMatch(other -> other == call || other.ask.name() != event.name() || isOver(other, call));
        if (free) {
            violated(Rule.OUTCOME, event.atNanos(), call + " is refused a name that is free");
        }
    }

    /** What a client has released early is no obstacle for the client itself. */
    private boolean isOver(Call call, Call before) {
        return (call.isOverBefore(before) && !mayLeaveARequest(call))
                || (setting.kind() == Setting.Kind.EARLY && call.letsGoBefore(before));
    }

    /**
     * Permits pass on in a process to a caller whose own request is under way. If no order is kept, the release of what
     * it asks for may arrive first. Then it is granted for nobody, until that release is repeated.
     */
    private boolean mayLeaveARequest(Call call) {
        return setting.kind() == Setting.Kind.SEMAPHORE && !setting.ordered() && call.isHandedOver();
    }

    private void failed(Event event) {
        decided(event);
        Call call = call(event);
        boolean forEver = call.ask.want() == Ask.Want.FOR_EVER;
        if (isQuiet()) {
            if (grantsArrive()) {
                violated(Rule.SILENCE, event.atNanos(), call + " is told that the store is silent, and it is not");
            }
        } else if (forEver && onlyAMinoritySuffers() && isQuick() && grantsArrive()) {
            violated(Rule.SILENCE, event.atNanos(), call + " is told that the quorum is silent, and most of it is not");
        } else if (forEver && event.atNanos() - call.askedNanos < Setting.STORE_TIMEOUT.toNanos() * 98 / 100) {
            violated(Rule.SILENCE, event.atNanos(), call + " is told too soon that the store is silent");
        }
    }

    /** Whether there is a quorum, and all faults are of one server or of the network to it. */
    private boolean onlyAMinoritySuffers() {
        return setting.kind() == Setting.Kind.QUORUM
                && plan.steps().stream()
                        .allMatch(step -> !(step instanceof Fault fault)
                                || fault.kind().isOfServer()
                                || (fault.kind().isOfNetwork() && fault.server() != Fault.ALL));
    }

    // ---- leases

    private void granted(Event event) {
        decided(event);
        Call call = call(event);
        call.grantedNanos = event.atNanos();
        call.token = event.value();
        Integer other = tokens.put(new Fence(event.name(), event.value()), event.call());
        if (other != null) {
            violated(Rule.TOKENS, event.atNanos(), call + " has the token of call " + other);
        }
        if (!grants.containsKey(new Fence(event.name(), call.fence()))) {
            violated(Rule.OUTCOME, event.atNanos(), call + " has a lease that the server has never granted");
        }
    }

    private void valid(Event event) {
        Call call = call(event);
        long at = event.atNanos();
        if (at != validAt || event.name() != validName) {
            validNow.clear();
            validAt = at;
            validName = event.name();
        }
        if (!validNow.contains(call)) {
            validNow.add(call);
        }
        int epoch = epoch(call);
        List<Call> together =
                validNow.stream().filter(other -> epoch(other) == epoch).toList();
        if (together.stream().mapToInt(this::weight).sum() > capacity()) {
            violated(Rule.EXCLUSION, at, "valid at one moment, which exclude each other: " + together);
        }
        if (setting.kind().isExclusive()) {
            Fence ofEpoch = new Fence(event.name(), epoch);
            Call best = largest.get(ofEpoch);
            if (best != null && best.token > call.token) {
                violated(Rule.TOKENS, at, call + " is valid after " + best + ", which has the larger token");
            }
            largest.put(ofEpoch, call);
        }
        long own = ownNanos(call.ask);
        if (at - call.grantedNanos > own + own / 50 + MILLI) {
            violated(
                    Rule.OUTCOME,
                    at,
                    call + " is valid for " + Timeline.millis(at - call.grantedNanos)
                            + " ms, longer than its own time, " + Timeline.millis(own) + " ms");
        }
    }

    private int weight(Call call) {
        return switch (setting.kind()) {
            case LOCK, FAIR, EARLY, QUORUM -> WHOLE;
            case READ_WRITE -> call.ask.share() == 0 ? 1 : WHOLE;
            case SEMAPHORE -> call.ask.share();
        };
    }

    private int capacity() {
        return setting.kind() == Setting.Kind.SEMAPHORE ? setting.capacity() : WHOLE;
    }

    /** How long a lease may last at most. */
    private static long ownNanos(Ask ask) {
        if (ask.isFixed()) {
            return ask.leaseNanos();
        }
        return ask.mostNanos() > 0 ? ask.mostNanos() : Long.MAX_VALUE / 4;
    }

    /** How often the store had broken its word when it granted the claim of this lease. */
    private int epoch(Call call) {
        Granted granted = grants.get(new Fence(call.ask.name(), call.fence()));
        int epoch = 0;
        for (long broken : breaks) {
            if (granted != null && granted.sinceNanos < broken && granted.atNanos >= broken) {
                // A part was granted before, a part after: it may be beside those of both.
                return -1 - call.ask.number();
            }
            epoch += granted != null && granted.atNanos >= broken ? 1 : 0;
        }
        return epoch;
    }

    private void lost(Event event) {
        Call call = call(event);
        LossCause cause = LossCause.values()[(int) event.value()];
        if (call.lostNanos >= 0) {
            violated(Rule.TOLD, event.atNanos(), call + " is told twice");
        }
        if (event.other() == 1) {
            violated(Rule.TOLD, event.atNanos(), call + " is told of its loss, " + cause + ", and is still valid");
        }
        call.lostNanos = event.atNanos();
        if (call.releasesNanos >= 0) {
            // It has learned of it by the release, too.
            return;
        }
        learnsOfLoss(call, event.atNanos());
        if (cause == LossCause.FORCED && !plan.has(Fault.Kind.FORCE)) {
            violated(Rule.OUTCOME, event.atNanos(), call + " was ended by force, which nobody has used");
        }
        boolean byItself = call.ask.isFixed() || call.ask.mostNanos() > 0;
        if (isQuiet() && isLong(call.ask.leaseNanos()) && !(byItself && cause == LossCause.EXPIRED)) {
            violated(Rule.KEPT, event.atNanos(), call + " is lost without a fault: " + cause);
        }
        if (!byItself && !wasLostBefore(call, event.atNanos()) && wasCalm(call.ask.leaseNanos(), event.atNanos())) {
            violated(Rule.KEPT, event.atNanos(), call + " is lost, and there was time to renew it: " + cause);
        }
    }

    /** Whether it listens only since it was told: then the loss is older, and nobody knows by how much. */
    private boolean wasLostBefore(Call call, long atNanos) {
        long since = listens(call, atNanos);
        return atNanos <= since + slack(call.ask.process(), since, atNanos);
    }

    /** Whether a lease is long beside all that takes time without a fault. */
    private boolean isLong(long leaseNanos) {
        if (setting.kind() == Setting.Kind.QUORUM) {
            // Each store of a quorum has a tenth of the lease.
            return leaseNanos >= 1_000 * MILLI && leaseNanos > 12 * setting.roundTripNanos();
        }
        return leaseNanos >= 200 * MILLI && leaseNanos > 7 * setting.roundTripNanos();
    }

    /**
     * Whether no lease can be over before its grant arrives. Such a grant is none, however often the store answers, and
     * what it leaves in the store keeps others out until it is released. Callers of one process share a request, whose
     * lease is the first one's.
     */
    private boolean grantsArrive() {
        return calls.values().stream().allMatch(other -> isLong(other.ask.leaseNanos()));
    }

    /** Whether all faults were of the network, and were over for half of the lease: enough to renew it. */
    private boolean wasCalm(long leaseNanos, long atNanos) {
        for (Step step : plan.steps()) {
            if (step instanceof Fault fault && !fault.kind().isOfNetwork()) {
                return false;
            }
        }
        return plan.hasFaults()
                && isQuick()
                && leaseNanos >= 1_000 * MILLI
                && isLong(leaseNanos)
                && plan.healedNanos() < atNanos - leaseNanos / 2 - 100 * MILLI;
    }

    /** The holder is told now, or lets go now without having been told. */
    private void learnsOfLoss(Call call, long atNanos) {
        Granted granted = grants.get(new Fence(call.ask.name(), call.fence()));
        if (granted == null) {
            return;
        }
        long end = Math.max(Math.max(latestNanos(call, granted), call.grantedNanos), listens(call, atNanos));
        if (atNanos > end + slack(call.ask.process(), end, atNanos)) {
            violated(
                    Rule.TOLD,
                    atNanos,
                    call + " is not told of its loss " + Timeline.millis(atNanos - end)
                            + " ms after the store has given it away");
        }
    }

    /**
     * Until when the claim of this call may last. A server that has lost the grant may still list the claim, and grant
     * it again: then it has another fence, and is the client's as before.
     */
    private long latestNanos(Call call, Granted granted) {
        long latest = granted.latestNanos();
        if (breaks.stream().anyMatch(broken -> broken >= granted.atNanos)) {
            for (Map.Entry<Fence, Granted> other : grants.entrySet()) {
                boolean again = other.getKey().name() == call.ask.name()
                        && other.getValue().process == granted.process
                        && other.getValue().atNanos > granted.atNanos;
                latest = again ? Math.max(latest, other.getValue().latestNanos()) : latest;
            }
        }
        return latest;
    }

    /** Since when it can be told. */
    private static long listens(Call call, long atNanos) {
        return call.listensNanos <= atNanos ? call.listensNanos : atNanos;
    }

    private void releases(Event event) {
        Call call = call(event);
        call.releasesNanos = event.atNanos();
        call.validAtRelease = validAt == event.atNanos() && validNow.contains(call);
        // A hand-over in the process takes no time: who has the lock next may be valid later in the same moment.
        validNow.remove(call);
        if (call.lostNanos < 0) {
            learnsOfLoss(call, event.atNanos());
        }
    }

    private void released(Event event) {
        Call call = call(event);
        ReleaseOutcome.Status status = ReleaseOutcome.Status.values()[(int) event.value()];
        long by = call.releasesNanos
                + 2 * setting.attemptTimeout().toNanos()
                + slack(call.ask.process(), call.releasesNanos, event.atNanos());
        if (event.atNanos() > by) {
            violated(Rule.IN_TIME, event.atNanos(), call + " knows the outcome of its release too late");
        }
        if (status == ReleaseOutcome.Status.RELEASED && !call.validAtRelease) {
            violated(Rule.OUTCOME, event.atNanos(), call + " was over, and its release says that it was held");
        }
        if (status == ReleaseOutcome.Status.ALREADY_RELEASED && call.ask.end() != Ask.End.RELEASE_TWICE) {
            violated(Rule.OUTCOME, event.atNanos(), call + " is released once, and its release says twice");
        }
        // A reader may let go while its claim, which a writer has held, is being made a shared one.
        boolean mayBeUnconfirmed = setting.kind() == Setting.Kind.READ_WRITE && call.ask.share() == 0;
        if (isQuiet()
                && ((status == ReleaseOutcome.Status.UNCONFIRMED && !mayBeUnconfirmed)
                        || (status == ReleaseOutcome.Status.LOST
                                && call.validAtRelease
                                && isLong(call.ask.leaseNanos())
                                && !call.ask.isFixed()))) {
            violated(
                    Rule.SILENCE, event.atNanos(), call + " is released without a fault, and the outcome is " + status);
        }
        call.released++;
        if (status == ReleaseOutcome.Status.RELEASED) {
            call.releasedNanos = event.atNanos();
        }
    }

    // ---- the server

    private void serverGrants(Event event) {
        Fence fence = new Fence(event.name(), event.value());
        Granted earlier = mayRepeatTokens() ? grants.get(fence) : null;
        long last = lastFence(event);
        grants.put(fence, new Granted(event.process(), event.atNanos(), event.other(), earlier));
        boolean clockBack = plan.steps().stream()
                .anyMatch(step ->
                        step instanceof Fault fault && fault.kind() == Fault.Kind.CLOCK_STEP && fault.size() < 0);
        boolean excused = clockBack && forgets();
        if (last >= event.value() && !excused) {
            violated(Rule.TOKENS, event.atNanos(), "The fence " + event.value() + " comes after " + last);
        }
    }

    /** The largest fence of the name that was granted before this one was asked for; 0 if there is none. */
    private long lastFence(Event granted) {
        long last = 0;
        for (Map.Entry<Fence, Granted> other : grants.entrySet()) {
            if (other.getKey().name() == granted.name() && other.getValue().atNanos <= granted.other()) {
                last = Math.max(last, other.getKey().number());
            }
        }
        return last;
    }

    private void serverKeeps(Event event) {
        Granted granted = grants.get(new Fence(event.name(), event.value()));
        if (granted != null) {
            granted.untilNanos = event.other();
        }
    }

    /** A request that comes late may bring back what was released; so may a server that has forgotten the release. */
    private void nobodys(Event event) {
        if (!late && !forgets() && !isSetBack()) {
            String what = event.value() == 0 ? "lists a claim" : "holds fence " + event.value();
            violated(
                    Rule.LEFT_BEHIND,
                    event.atNanos(),
                    "The server " + what + " for " + Event.processName(event.process()) + ", where nobody has it");
        }
    }

    private boolean forgets() {
        return plan.steps().stream()
                .anyMatch(step -> step instanceof Fault fault && fault.kind().losesData());
    }

    // ---- the end

    private void end() {
        if (history.events().isEmpty()) {
            return;
        }
        long end = history.events().get(history.events().size() - 1).atNanos();
        for (Call call : calls.values()) {
            if (isDead(call.ask.process())) {
                continue;
            }
            if (call.decidedNanos < 0) {
                violated(Rule.STUCK, end, call + " has no outcome when all is over");
            } else if (call.listensNanos <= end && call.releasesNanos < 0 && call.lostNanos < 0) {
                violated(Rule.TOLD, end, call + " has lost its lease and is never told");
            } else if (call.releasesNanos >= 0 && call.released < (call.ask.end() == Ask.End.RELEASE_TWICE ? 2 : 1)) {
                violated(Rule.IN_TIME, end, call + " never knows the outcome of its release");
            } else if (call.decidedNanos > longestWait()) {
                violated(Rule.STUCK, call.decidedNanos, call + " waits for far too long");
            }
        }
        // What a quorum grants too late for its lease is split between those who ask, again and again.
        boolean wakes = setting.kind() != Setting.Kind.QUORUM || (isQuick() && grantsArrive());
        if (found == null && !plan.hasFaults() && setting.retainedNanos() == 0 && wakes) {
            for (int name = 0; name < setting.names(); name++) {
                checkWakes(name, end);
            }
        }
    }

    /** By when every caller has its outcome: when all faults are over, all holders let go, and all leases end. */
    private long longestWait() {
        long sum = plan.healedNanos() + Setting.STORE_TIMEOUT.toNanos();
        long longest = 0;
        for (Step step : plan.steps()) {
            if (step instanceof Ask ask) {
                sum += ask.atNanos() + ask.holdNanos() + 1_000 * MILLI;
                longest = Math.max(longest, ask.leaseNanos());
            }
        }
        return sum + 3 * longest;
    }

    /** Whether the name is free for long while somebody waits. */
    private void checkWakes(int name, long end) {
        long freeSince = -1;
        long most = (setting.polled() ? POLLED_NANOS : WOKEN_NANOS) + 3 * setting.roundTripNanos();
        if (setting.kind() == Setting.Kind.QUORUM) {
            most += SPLIT_NANOS;
        }
        for (Event event : history.events()) {
            if (event.name() != name) {
                continue;
            }
            if (event.kind() == Event.Kind.SERVER_FREE) {
                freeSince = event.atNanos();
            } else if (event.kind() == Event.Kind.SERVER_GRANTS) {
                checkWake(name, freeSince, event.atNanos(), most);
                freeSince = -1;
            }
        }
        checkWake(name, freeSince, end, most);
    }

    private void checkWake(int name, long freeSince, long untilNanos, long most) {
        if (freeSince < 0) {
            return;
        }
        for (Call call : calls.values()) {
            long from = Math.max(freeSince, call.askedNanos);
            long until = call.decidedNanos < 0 ? untilNanos : Math.min(untilNanos, call.decidedNanos);
            if (call.ask.name() == name && until - from > most) {
                violated(
                        Rule.WOKEN,
                        until,
                        call + " waits for " + Timeline.millis(until - from) + " ms for a name that is free");
            }
        }
    }

    // ---- what excuses

    /** Whether nothing goes wrong, and the network is quick beside what is waited for. */
    private boolean isQuiet() {
        return !plan.hasFaults() && isQuick();
    }

    /** Whether every reply arrives while it is waited for, as far as there is no fault. */
    private boolean isQuick() {
        int roundTrips =
                switch (setting.kind()) {
                    // An attempt may have to wait for the answer to a release before.
                    case EARLY -> 2;
                    // A store of a quorum has a quarter of it; and a few rounds may be needed.
                    case QUORUM -> 10;
                    default -> 1;
                };
        return setting.attemptTimeout().toNanos() > roundTrips * setting.roundTripNanos() + 10 * MILLI;
    }

    /** What is allowed for in a process, that stands still for part of the time, and whose threads may run late. */
    private long slack(int process, long fromNanos, long toNanos) {
        long slack = SLACK_NANOS;
        for (Step step : plan.steps()) {
            if (!(step instanceof Fault fault) || fault.process() != process) {
                continue;
            }
            if (fault.kind() == Fault.Kind.LATE_THREADS) {
                slack += 4 * fault.size();
            } else if (fault.kind() == Fault.Kind.PAUSE) {
                long begin = Math.max(fromNanos, fault.atNanos());
                long over = Math.min(toNanos, fault.atNanos() + fault.lastsNanos() + 10 * MILLI);
                slack += Math.max(0, over - begin);
            }
        }
        return slack;
    }

    private boolean isDead(int process) {
        return plan.steps().stream()
                .anyMatch(step ->
                        step instanceof Fault fault && fault.kind() == Fault.Kind.CRASH && fault.process() == process);
    }
}
