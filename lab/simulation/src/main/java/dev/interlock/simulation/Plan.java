package dev.interlock.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What happens in a run, as far as it does not follow: made of a seed, and then made smaller if it fails.
 *
 * @param setting what stays the same
 * @param steps the calls and the faults
 */
record Plan(Setting setting, List<Step> steps) {

    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    /** The lengths of leases; that of most is long beside what else takes time, as it should be. */
    private static final long[] LEASES = {60 * MILLI, 200 * MILLI, SECOND, SECOND, 3 * SECOND, 30 * SECOND, 30 * SECOND
    };

    /** Longer than all leases, by any clock. */
    static final long AWAY_NANOS = 31 * SECOND;

    /** The plan of a seed, for this kind of lock. */
    static Plan of(long seed, Setting.Kind kind) {
        Chance chance = Chance.of(seed, kind.name().hashCode());
        Setting setting = setting(seed, kind, chance);
        List<Step> steps = new ArrayList<>();
        int asks = (int) chance.between(3, 7);
        long horizon = chance.spread(5 * MILLI, 3 * SECOND);
        long lease = chance.oneOf(LEASES);
        for (int i = 0; i < asks; i++) {
            Ask ask = ask(i, setting, horizon, lease, chance);
            boolean follows = kind == Setting.Kind.EARLY && i > 0 && chance.oneIn(2);
            steps.add(follows ? ask.after((Ask) steps.get(i - 1)) : ask);
        }
        int faults = chance.oneIn(4) ? 0 : (int) chance.between(1, 4);
        for (int i = 0; i < faults; i++) {
            // Most faults strike while somebody asks, holds or lets go.
            steps.add(fault(setting, (Ask) steps.get((int) chance.nextLong(asks)), chance));
        }
        return new Plan(setting, List.copyOf(steps));
    }

    private static Setting setting(long seed, Setting.Kind kind, Chance chance) {
        long fast = chance.spread(20 * MICRO, 2 * MILLI);
        boolean polled = chance.oneIn(4);
        boolean retained = !polled && kind == Setting.Kind.LOCK && chance.oneIn(6);
        return new Setting(
                seed,
                kind,
                polled,
                !chance.oneIn(3),
                (int) chance.between(2, 3),
                chance.oneIn(5) ? 2 : 1,
                (int) chance.between(1, 3),
                fast,
                fast * chance.between(1, 5),
                (int) chance.oneOf(0, 1, 3, 1023),
                retained ? chance.spread(MILLI, SECOND) : 0,
                Duration.ofMillis(chance.oneOf(100, 200, 1000)));
    }

    private static Ask ask(int number, Setting setting, long horizon, long lease, Chance chance) {
        boolean fixed = chance.oneIn(4);
        long length = chance.oneIn(4) ? chance.oneOf(LEASES) : lease;
        Ask.Want want = chance.oneIn(2) ? Ask.Want.FOR_EVER : chance.oneOf(Ask.Want.values());
        Ask.End end = Ask.End.RELEASE;
        if (chance.oneIn(10)) {
            end = fixed ? Ask.End.FORGET : Ask.End.RELEASE_TWICE;
        }
        int share =
                switch (setting.kind()) {
                    case READ_WRITE -> (int) chance.nextLong(2);
                    case SEMAPHORE -> (int) chance.between(1, setting.capacity());
                    default -> 1;
                };
        return new Ask(
                number,
                (int) chance.nextLong(setting.processes()),
                (int) chance.nextLong(setting.names()),
                chance.nextLong(horizon),
                want,
                chance.oneIn(6) ? 0 : chance.spread(MILLI, 4 * SECOND),
                share,
                fixed,
                length,
                !fixed && chance.oneIn(8) ? chance.spread(60 * MILLI, 2 * SECOND) : 0,
                chance.oneIn(3) ? overdue(length, setting) : chance.spread(50 * MICRO, SECOND),
                end,
                chance.oneIn(6) ? chance.spread(20 * MICRO, SECOND) : 0);
    }

    /** Longer than a lease. Those who poll would make it a long run. */
    private static long overdue(long leaseNanos, Setting setting) {
        return setting.polled() ? Math.min(2 * leaseNanos, 4 * SECOND) : 2 * leaseNanos;
    }

    private static Fault fault(Setting setting, Ask near, Chance chance) {
        Fault.Kind kind = chance.oneOf(Fault.Kind.values());
        long size =
                switch (kind) {
                    case SLOW_NETWORK, SERVER_SLOW -> chance.spread(MILLI, SECOND);
                    case LATE_THREADS -> chance.spread(MILLI, 100 * MILLI);
                    case SERVER_FORGETS, FAILOVER -> chance.spread(MILLI, SECOND);
                    case CLOCK_STEP -> chance.spread(10 * MILLI, 10 * SECOND) * (chance.oneIn(2) ? 1 : -1);
                    default -> 0;
                };
        long lasts =
                switch (kind) {
                    case RESET, CRASH, CLOCK_STEP, FORCE -> 0;
                    case SERVER_RESTART, SERVER_FORGETS, FAILOVER -> chance.spread(10 * MILLI, 2 * SECOND);
                    default -> chance.spread(MILLI, 4 * SECOND);
                };
        long third = near.leaseNanos() / 3;
        long moment = chance.oneOf(0, 0, near.holdNanos(), near.holdNanos(), third, third, near.leaveNanos());
        long later = chance.spread(10 * MICRO, 50 * MILLI);
        long at = Math.max(0, near.atNanos() + moment + (chance.oneIn(2) ? -later : later));
        int process = chance.oneIn(4) ? (int) chance.nextLong(setting.processes()) : near.process();
        if (setting.kind() == Setting.Kind.QUORUM) {
            return ofQuorum(new Fault(kind, process, at, lasts, size, setting.sick()), chance);
        }
        return new Fault(kind, process, at, lasts, size, 0);
    }

    /**
     * The same where there are several servers. One of them suffers, at most; the network is bad to it, or to all.
     * After a loss of data it stays away for as long as the longest lease, as it must, or comes back too early.
     */
    private static Fault ofQuorum(Fault fault, Chance chance) {
        boolean away = fault.kind().losesData() && !chance.oneIn(4);
        boolean everywhere = fault.kind().isOfNetwork() && chance.oneIn(2);
        return new Fault(
                fault.kind(),
                fault.process(),
                fault.atNanos(),
                away ? AWAY_NANOS : fault.lastsNanos(),
                fault.size(),
                everywhere ? Fault.ALL : fault.server());
    }

    /** The same without one step. */
    Plan without(int step) {
        List<Step> fewer = new ArrayList<>(steps);
        fewer.remove(step);
        return new Plan(setting, List.copyOf(fewer));
    }

    /** The same with one step in the place of another. */
    Plan with(int step, Step other) {
        List<Step> changed = new ArrayList<>(steps);
        changed.set(step, other);
        return new Plan(setting, List.copyOf(changed));
    }

    /** When the last fault is over. */
    long healedNanos() {
        long healed = 0;
        for (Step step : steps) {
            if (step instanceof Fault fault) {
                healed = Math.max(healed, fault.atNanos() + fault.lastsNanos());
            }
        }
        return healed;
    }

    /** Whether there is a fault of this kind. */
    boolean has(Fault.Kind kind) {
        return steps.stream().anyMatch(step -> step instanceof Fault fault && fault.kind() == kind);
    }

    boolean hasFaults() {
        return steps.stream().anyMatch(Fault.class::isInstance);
    }

    String describe() {
        StringBuilder text = new StringBuilder(setting.describe()).append('\n');
        steps.forEach(step -> text.append("  ").append(step.describe()).append('\n'));
        return text.toString();
    }
}
