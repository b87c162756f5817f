package dev.interlock.simulation;

import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Wake;
import dev.interlock.support.rules.Holder;
import dev.interlock.support.rules.NameState;
import dev.interlock.support.rules.Waiter;
import java.util.ArrayList;
import java.util.List;

/** Carries a plan out, in one thread, and returns what was seen. */
// A history is numbers: cheap to keep, and to compare.
@SuppressWarnings("EnumOrdinal")
final class World {

    /** How long after the last fault and the last lease the server still may have what nobody has. */
    private static final long TIDY_NANOS = 4_000_000_000L;

    private static final long INSTANT = 1_000;

    private final Plan plan;
    private final Timeline timeline = new Timeline();
    private final History history = new History(timeline);
    private final List<Server> servers = new ArrayList<>();
    private final Majority majority;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final List<Caller> callers = new ArrayList<>();
    private boolean tidying;

    /** Whether a call has been made that follows another: then not all calls were made when all of them were over. */
    private boolean followed;

    /** When a caller last let go, or learned how something had ended. */
    private long endedNanos;

    private World(Plan plan) {
        this.plan = plan;
        int count = plan.setting().servers();
        this.majority = new Majority(count, history);
        for (int i = 0; i < count; i++) {
            int number = i;
            Witness witness = count == 1 ? new HistoryWitness(history) : majority.of(i);
            servers.add(new Server(plan.setting(), i, timeline, witness, wake -> wake(number, wake)));
        }
        for (int i = 0; i < plan.setting().processes(); i++) {
            processes.add(new SimulatedProcess(this, i));
        }
    }

    /** The run of a plan. */
    static History run(Plan plan) {
        World world = new World(plan);
        Errors.listen(logged -> world.history.error(-1, logged));
        try {
            world.run();
        } finally {
            Errors.stop();
        }
        return world.history;
    }

    private void run() {
        for (Step step : plan.steps()) {
            if (step instanceof Ask ask) {
                SimulatedProcess process = processes.get(ask.process());
                Caller caller = new Caller(this, process, ask);
                callers.add(caller);
                if (ask.atNanos() != Ask.FOLLOWS) {
                    process.runAfter(ask.atNanos(), caller::ask);
                }
            } else if (step instanceof Fault fault) {
                plan(fault);
            }
        }
        while (timeline.step()) {
            if (timeline.isEndless()) {
                history.add(Event.Kind.ENDLESS, -1, -1, -1, timeline.inSecond(), 0);
                return;
            }
        }
        for (SimulatedProcess process : processes) {
            if (!process.isDead() && !process.engine().isAtRest()) {
                history.add(Event.Kind.RESTLESS, process.number(), -1, -1, 0, 0);
            }
        }
    }

    Setting setting() {
        return plan.setting();
    }

    Timeline timeline() {
        return timeline;
    }

    History history() {
        return history;
    }

    Server server(int number) {
        return servers.get(number);
    }

    Majority majority() {
        return majority;
    }

    private void wake(int server, Wake wake) {
        if (wake.owner() != null) {
            SimulatedProcess process = processes.get(Server.processOf(wake.owner()));
            process.wires(server).forEach(wire -> wire.wake(wake));
        }
    }

    /** A caller has let go: the one that follows it asks. */
    void letGo(Ask released) {
        endedNanos = timeline.now();
        for (Caller caller : callers) {
            if (caller.follows(released)) {
                followed = true;
                caller.ask();
            }
        }
    }

    /** The process learns how a lease has ended; returns whether a caller has released it and waits for that. */
    boolean released(int process, int name, long token, ReleaseOutcome outcome) {
        for (Caller caller : callers) {
            if (caller.awaitsOutcome(process, name, token)) {
                caller.learns(outcome);
                return true;
            }
        }
        return false;
    }

    /** Every lease of the name says whether it counts at this moment. */
    void look(int name) {
        for (Caller caller : callers) {
            if (caller.name() == name) {
                caller.look();
            }
        }
    }

    private void lookAtAll() {
        callers.forEach(Caller::look);
    }

    // ---- nothing is left

    /** A lease or a call has ended. If it was the last one, the server should soon have nothing either. */
    void somethingEnded() {
        endedNanos = timeline.now();
        tidyLater();
    }

    private void tidyLater() {
        if (!tidying && callers.stream().allMatch(Caller::isOver)) {
            tidying = true;
            timeline.at(Math.max(timeline.now(), plan.healedNanos()) + TIDY_NANOS, this::lookForNobodys);
        }
    }

    private void lookForNobodys() {
        tidying = false;
        if (followed && timeline.now() < endedNanos + TIDY_NANOS) {
            tidyLater();
            return;
        }
        if (!callers.stream().allMatch(Caller::isOver)) {
            return;
        }
        servers.forEach(this::lookForNobodys);
    }

    private void lookForNobodys(Server server) {
        for (NameState state : server.states()) {
            for (Holder holder : state.holders()) {
                seeNobodys(Server.processOf(holder.owner()), state, holder.fence());
            }
            for (Waiter waiter : state.waiters()) {
                seeNobodys(Server.processOf(waiter.owner()), state, 0);
            }
        }
    }

    private void seeNobodys(int process, NameState state, long fence) {
        if (!processes.get(process).isDead()) {
            history.add(Event.Kind.NOBODYS, process, -1, Server.number(state.id()), fence, 0);
        }
    }

    // ---- faults

    private void plan(Fault fault) {
        SimulatedProcess process = processes.get(fault.process());
        switch (fault.kind()) {
            case LOSE_REQUESTS, LOSE_REPLIES, LOSE_WAKES, SLOW_NETWORK, PARTITION, REFUSED, DUPLICATE ->
                lasts(
                        fault,
                        () -> process.wires(fault.server()).forEach(wire -> wire.begin(fault)),
                        () -> process.wires(fault.server()).forEach(wire -> wire.end(fault)));
            case RESET -> strikes(fault, () -> process.wires(fault.server()).forEach(Wire::reset));
            case PAUSE -> lasts(fault, process::pause, process::resume);
            case CRASH ->
                strikes(fault, () -> {
                    process.crash();
                    somethingEnded();
                });
            case LATE_THREADS -> lasts(fault, () -> process.late(fault.size()), () -> process.late(0));
            case SERVER_PAUSE -> lasts(fault, () -> struck(fault).pause(fault.lastsNanos()), () -> {});
            case SERVER_SLOW ->
                lasts(fault, () -> struck(fault).slow(fault.size()), () -> struck(fault)
                        .slow(0));
            case SERVER_RESTART ->
                lasts(fault, () -> goDown(fault.server()), () -> struck(fault).comeUp());
            case SERVER_FORGETS, FAILOVER -> forgets(fault);
            case CLOCK_STEP ->
                strikes(fault, () -> {
                    struck(fault).step(fault.size());
                    if (fault.size() > 0) {
                        history.add(Event.Kind.WORD_BROKEN, -1, -1, -1, 0, 0);
                    }
                });
            case FORCE ->
                strikes(fault, () -> {
                    history.add(Event.Kind.WORD_BROKEN, -1, -1, -1, 0, 0);
                    struck(fault).force();
                });
        }
    }

    private void forgets(Fault fault) {
        Server server = struck(fault);
        timeline.at(Math.max(0, fault.atNanos() - fault.size()), server::replicate);
        lasts(fault, () -> goDown(fault.server()), () -> {
            server.forget();
            if (servers.size() == 1 || fault.lastsNanos() < Plan.AWAY_NANOS) {
                history.add(Event.Kind.WORD_BROKEN, -1, -1, -1, 0, 0);
            }
            server.comeUp();
        });
    }

    private Server struck(Fault fault) {
        return servers.get(fault.server());
    }

    private void goDown(int server) {
        servers.get(server).goDown();
        processes.forEach(each -> each.wires(server).forEach(Wire::reset));
    }

    private void strikes(Fault fault, Runnable strike) {
        timeline.at(fault.atNanos(), () -> {
            see(Event.Kind.FAULT, fault);
            strike.run();
        });
    }

    private void lasts(Fault fault, Runnable begin, Runnable end) {
        strikes(fault, begin);
        timeline.at(fault.atNanos() + fault.lastsNanos() + INSTANT, () -> {
            see(Event.Kind.FAULT_OVER, fault);
            end.run();
            lookAtAll();
        });
    }

    private void see(Event.Kind kind, Fault fault) {
        int process = fault.kind().isOfServer() ? -1 : fault.process();
        history.add(kind, process, -1, -1, fault.kind().ordinal(), fault.size());
    }
}
