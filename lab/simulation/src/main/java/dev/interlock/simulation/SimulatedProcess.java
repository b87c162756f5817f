package dev.interlock.simulation;

import dev.interlock.LeaseOrigin;
import dev.interlock.LockObserver;
import dev.interlock.ReleaseOutcome;
import dev.interlock.engine.EngineConfig;
import dev.interlock.engine.SimulatedEngine;
import dev.interlock.quorum.QuorumStore;
import dev.interlock.quorum.SimulatedQuorum;
import dev.interlock.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A client in a process of its own: a clock, an engine, threads that run soon. All that happens in it passes
 * {@link #now}, so that it can stand still and die.
 */
final class SimulatedProcess implements Wire.Arrivals {

    private static final long MILLION = 1_000_000;
    private static final long ORIGIN = 5_000_000_000L;

    /** How late threads run without a fault. */
    private static final long LATE_NANOS = 200_000;

    /** How long what has piled up while the process stood still takes. */
    private static final long BACKLOG_NANOS = 2_000_000;

    /** A store of a quorum may take this part of an attempt, which asks three times in a row. */
    private static final int ANSWERS_IN_ATTEMPT = 4;

    private final int number;
    private final World world;
    private final Timeline timeline;
    private final Chance chance;
    private final long driftPpm;
    /** By the number of the server. */
    private final List<Wire> wires = new ArrayList<>();

    private final SimulatedEngine engine;

    /** What has arrived while the process stands still, in order. */
    private final List<Runnable> backlog = new ArrayList<>();

    /** How leases were lost that nobody had released, by name and token. */
    private final Map<String, ReleaseOutcome> lost = new HashMap<>();

    /** The threads that were to run while it stands still. */
    private final List<Runnable> threads = new ArrayList<>();

    private int pauses;
    private boolean dead;
    private long lateNanos = LATE_NANOS;

    /** When the supervisor runs, by the true time. */
    private long wakesAtNanos = Long.MAX_VALUE;

    SimulatedProcess(World world, int number) {
        this.number = number;
        this.world = world;
        this.timeline = world.timeline();
        Setting setting = world.setting();
        this.chance = Chance.of(setting.seed(), 30 + number);
        this.driftPpm = setting.driftPpm(number);
        for (int i = 0; i < setting.servers(); i++) {
            Chance ofWire = Chance.of(setting.seed(), 10 + number + 100L * i);
            wires.add(new Wire(this, number, setting, timeline, world.history(), world.server(i), ofWire));
        }
        EngineConfig config = new EngineConfig(
                "simulation",
                Setting.STORE_TIMEOUT,
                setting.attemptTimeout(),
                Setting.POLL_CAP,
                Duration.ofSeconds(1),
                setting.kind() == Setting.Kind.EARLY ? List.of(outcomes()) : List.of(),
                this::later);
        this.engine = new SimulatedEngine(store(), config, this::clockNanos, chanceOfEngine(setting.seed(), number));
    }

    /** What the engine uses: the only server, or a quorum of several. */
    private LockStore store() {
        if (wires.size() == 1) {
            return wires.get(0);
        }
        QuorumStore quorum = SimulatedQuorum.over(
                wires,
                world.setting().attemptTimeout().dividedBy(ANSWERS_IN_ATTEMPT),
                this::clockNanos,
                Chance.of(world.setting().seed(), 60 + number),
                this::runAfter);
        return new QuorumView(quorum, timeline, world.majority());
    }

    private LockObserver outcomes() {
        return (name, kind, mode) -> new LockObserver.Acquisition() {
            private long token;

            @Override
            public void acquired(long newToken, LeaseOrigin origin, Duration waited) {
                token = newToken;
            }

            @Override
            public void ended(ReleaseOutcome outcome, Duration held) {
                later(() -> {
                    if (!world.released(number, Integer.parseInt(name), token, outcome)) {
                        lost.put(name + " " + token, outcome);
                    }
                });
            }
        };
    }

    /** How a lease was lost before it was released; null if nobody has reported it yet. */
    @Nullable
    ReleaseOutcome lossOf(int name, long token) {
        return lost.remove(name + " " + token);
    }

    /** The second number that the engine takes ends its client id: there the server reads whose claim it is. */
    private static RandomGenerator chanceOfEngine(long seed, int number) {
        Chance chance = Chance.of(seed, 40 + number);
        return new RandomGenerator() {
            private int taken;

            @Override
            public long nextLong() {
                long value = chance.nextLong();
                return ++taken == 2 ? (value & ~15L) | number : value;
            }

            @Override
            public long nextLong(long bound) {
                return chance.nextLong(bound);
            }
        };
    }

    int number() {
        return number;
    }

    /** Its connections to a server, or to all of them. */
    List<Wire> wires(int server) {
        return server == Fault.ALL ? wires : List.of(wires.get(server));
    }

    SimulatedEngine engine() {
        return engine;
    }

    boolean isDead() {
        return dead;
    }

    boolean isPaused() {
        return pauses > 0;
    }

    // ---- time

    private long clockNanos() {
        long now = timeline.now();
        return ORIGIN + now + now * driftPpm / MILLION;
    }

    /** The first true moment at which the clock shows at least this. */
    private long trueNanos(long clock) {
        long local = clock - ORIGIN;
        long at = local - local * driftPpm / (MILLION + driftPpm);
        while (ORIGIN + at + at * driftPpm / MILLION < clock) {
            at++;
        }
        return at;
    }

    // ---- what happens in it

    /** Something arrives in the process, at this moment or, if it stands still, when it goes on. */
    @Override
    public void now(Runnable event) {
        happens(event, backlog);
    }

    /** A thread of the process runs at this moment or, if it stands still, when it goes on, before or behind others. */
    private void runs(Runnable event) {
        happens(event, threads);
    }

    private void happens(Runnable event, List<Runnable> whilePaused) {
        if (dead) {
            return;
        }
        if (pauses > 0) {
            whilePaused.add(event);
            return;
        }
        try {
            event.run();
        } catch (Throwable e) {
            threw(e);
        }
        armSupervisor();
    }

    @Override
    public void threw(Throwable e) {
        world.history().error(number, Errors.describe(e));
    }

    @Override
    public void after(long nanos, Runnable event) {
        timeline.after(nanos, () -> now(event));
    }

    /** A thread of the process does this after this time. */
    void runAfter(long nanos, Runnable event) {
        timeline.after(nanos, () -> runs(event));
    }

    /** A thread of the process runs this soon. */
    void later(Runnable task) {
        runAfter(chance.nextLong(lateNanos), task);
    }

    private void armSupervisor() {
        long wakeAt = engine.wakeNanos();
        if (wakeAt == Long.MAX_VALUE) {
            return;
        }
        long at = Math.max(timeline.now(), trueNanos(wakeAt)) + chance.nextLong(lateNanos);
        if (at < wakesAtNanos) {
            wakesAtNanos = at;
            timeline.at(at, () -> superviseAt(at));
        }
    }

    private void superviseAt(long atNanos) {
        if (atNanos == wakesAtNanos) {
            runs(() -> {
                wakesAtNanos = Long.MAX_VALUE;
                engine.sweepIfDue();
            });
        }
    }

    // ---- faults

    void pause() {
        pauses++;
    }

    void resume() {
        if (--pauses > 0 || dead) {
            return;
        }
        long at = timeline.now();
        for (Runnable event : backlog) {
            at += chance.nextLong(BACKLOG_NANOS / backlog.size()) + 1;
            timeline.at(at, () -> now(event));
        }
        backlog.clear();
        for (Runnable event : threads) {
            timeline.after(chance.nextLong(BACKLOG_NANOS), () -> runs(event));
        }
        threads.clear();
    }

    void crash() {
        dead = true;
        backlog.clear();
        threads.clear();
    }

    void late(long nanos) {
        lateNanos = Math.max(LATE_NANOS, nanos);
    }
}
