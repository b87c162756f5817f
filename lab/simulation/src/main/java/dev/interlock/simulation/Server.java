package dev.interlock.simulation;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.support.Outlook;
import dev.interlock.support.Polling;
import dev.interlock.support.rules.Decision;
import dev.interlock.support.rules.Holder;
import dev.interlock.support.rules.NameRules;
import dev.interlock.support.rules.NameState;
import dev.interlock.support.rules.Waiter;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The server: the real rules of a name over a map, with a clock of its own, and what can happen to a server. */
final class Server {

    private static final long EPOCH = 1_000_000_000_000_000L;
    private static final long MILLION = 1_000_000;
    private static final int RESERVED_MS = 120;

    /** How long a claim in order keeps its place without asking again, and so one that is granted while it waits. */
    private static final Duration PLACE = Duration.ofSeconds(5);

    private static final Polling POLLING =
            new Polling(Duration.ofMillis(5), Duration.ofMillis(60), Duration.ofMillis(20), Duration.ofMillis(250));

    private final Setting setting;
    private final Timeline timeline;
    private final Witness witness;
    private final Chance chance;
    private final NameRules rules;
    private final long driftPpm;
    private final Consumer<Wake> wakes;
    private Map<LockId, NameState> names = new LinkedHashMap<>();

    /** The last request of each claim that waits and may be granted by the release of the one before. */
    private final Map<OwnerId, Claim> successors = new HashMap<>();

    private long steppedNanos;

    /** What a replica has, or what is on the disk: older than {@link #names}. */
    private Map<LockId, NameState> stale = Map.of();

    /** How many faults keep it down. */
    private int down;

    private long pausedUntilNanos;
    private long slowNanos;

    /** @param number tells it from other servers of the same run, from 0 */
    Server(Setting setting, int number, Timeline timeline, Witness witness, Consumer<Wake> wakes) {
        this.setting = setting;
        this.timeline = timeline;
        this.witness = witness;
        this.wakes = wakes;
        this.chance = Chance.of(setting.seed(), 50 + number);
        this.driftPpm = setting.driftPpm(setting.processes() + number);
        this.rules = setting.polled()
                ? new NameRules(TimeUnit.MILLISECONDS, RESERVED_MS, true, now -> now * 1_000)
                : new NameRules(TimeUnit.NANOSECONDS, 0, false, now -> now / 1_000);
    }

    // ---- time

    private long clockNanos() {
        long now = timeline.now();
        return EPOCH + now + now * driftPpm / MILLION + steppedNanos;
    }

    private long now() {
        return setting.polled() ? clockNanos() / MILLION : clockNanos();
    }

    /** The true time of a moment by the server's clock, or a little later. */
    private long trueNanos(long untilTicks) {
        long left = (setting.polled() ? untilTicks * MILLION : untilTicks) - clockNanos();
        return timeline.now() + left - left * driftPpm / MILLION + left / 10_000 + 1_000;
    }

    // ---- verbs

    Attempt acquire(Claim claim) {
        long now = now();
        NameState known = known(claim.id(), now);
        Decision<Attempt> acquired = rules.acquire(known, claim, setting.polled() ? "" : "here", now);
        if (acquired.answer() instanceof Attempt.Granted granted && known.holder(claim.owner()) == null) {
            witness.grants(claim.id(), claim.owner(), granted.fence());
        }
        keep(known, acquired.state());
        boolean listed = acquired.answer() instanceof Attempt.Busy && claim.waited() != null;
        if (listed && setting.grants() && claim.mode().inOrder() && claim.id().kind() == LockKind.LOCK) {
            successors.put(claim.owner(), claim);
        }
        wake(claim.id(), acquired.woken());
        boolean wanted = acquired.answer() instanceof Attempt.Busy
                || !acquired.state().waiters().isEmpty();
        for (Holder holder : acquired.state().holders()) {
            if (wanted && holder.owner().isRetained()) {
                wakes.accept(new Wake.Wanted(claim.id(), holder.owner()));
            }
        }
        if (setting.polled() && acquired.answer() instanceof Attempt.Busy) {
            double jitter = chance.nextLong(1_000) / 1_000.0;
            return Attempt.busy(POLLING.delay(Outlook.of(acquired.state(), claim, now), jitter));
        }
        return acquired.answer();
    }

    boolean execute(Command command) {
        long now = now();
        NameState known = known(command.id(), now);
        Decision<Boolean> executed = rules.execute(known, command, now);
        keep(known, executed.state());
        wake(command.id(), executed.woken());
        return executed.answer();
    }

    boolean release(Claim claim) {
        long now = now();
        NameState known = known(claim.id(), now);
        Decision<Boolean> released = rules.release(known, claim, now);
        keep(known, released.state());
        wake(claim.id(), released.woken());
        return released.answer();
    }

    Map<Claim, Renewal> renew(Collection<Claim> claims) {
        long now = now();
        Map<Claim, Renewal> result = new LinkedHashMap<>();
        for (Claim claim : claims) {
            NameState known = known(claim.id(), now);
            Decision<Renewal> renewed = rules.renew(known, claim, now);
            keep(known, renewed.state());
            result.put(claim, renewed.answer());
        }
        return result;
    }

    LockStatus inspect(LockId id) {
        long now = now();
        return rules.status(known(id, now), now);
    }

    private NameState known(LockId id, long now) {
        return rules.expire(names.getOrDefault(id, NameState.of(id)), now);
    }

    private void keep(NameState before, NameState after) {
        LockId id = after.id();
        NameState stored = names.getOrDefault(id, before);
        names.put(id, after);
        if (stored.holders() == after.holders()) {
            return;
        }
        for (Holder holder : stored.holders()) {
            if (after.holder(holder.owner()) == null) {
                witness.ends(id, holder.owner(), holder.fence());
            }
        }
        for (Holder holder : after.holders()) {
            Holder earlier = stored.holder(holder.owner());
            if (earlier == null || earlier.until() != holder.until()) {
                witness.keeps(id, holder.owner(), holder.fence(), trueNanos(holder.until()));
            }
        }
        if (after.holders().isEmpty() && !stored.holders().isEmpty()) {
            witness.isFree(id);
        }
    }

    private void wake(LockId id, List<Waiter> woken) {
        if (!setting.polled()) {
            woken.forEach(waiter -> wake(id, waiter.owner()));
        }
    }

    /** Grants the claim that is next, as Redis does for fair locks, for a place. The claim learns it when it asks. */
    private void wake(LockId id, OwnerId next) {
        Claim asked = successors.remove(next);
        if (asked != null) {
            Attempt unused = acquire(asked.withLease(asked.lease().compareTo(PLACE) < 0 ? asked.lease() : PLACE));
        }
        wakes.accept(new Wake.Changed(id, next));
    }

    // ---- looking

    /** The claims that stand, by their names; without what a quorum keeps beside them. */
    List<NameState> states() {
        long now = now();
        return names.keySet().stream()
                .filter(Server::isName)
                .map(id -> known(id, now))
                .toList();
    }

    /** Whether users know this name: it is a number. */
    static boolean isName(LockId id) {
        return Character.isDigit(id.name().charAt(0));
    }

    /** The number of a name, which is its text. */
    static int number(LockId id) {
        return Integer.parseInt(id.name());
    }

    /** The process of an owner: its client id ends with the number of the process. */
    static int processOf(OwnerId owner) {
        String client = owner.clientId();
        return client.charAt(client.length() - 1) - '0';
    }

    // ---- faults

    boolean isDown() {
        return down > 0;
    }

    void goDown() {
        down++;
    }

    void comeUp() {
        down--;
    }

    /** When it executes a request that arrives now. */
    long readyNanos() {
        long slow = slowNanos == 0 ? 0 : chance.nextLong(slowNanos);
        return Math.max(timeline.now() + slow, pausedUntilNanos);
    }

    void pause(long nanos) {
        pausedUntilNanos = Math.max(pausedUntilNanos, timeline.now() + nanos);
    }

    void slow(long nanos) {
        slowNanos = nanos;
    }

    /** What stands now is on the disk, or on the replica. */
    void replicate() {
        stale = new LinkedHashMap<>(names);
    }

    /** Goes back to what was replicated. */
    void forget() {
        names = new LinkedHashMap<>(stale);
    }

    void step(long nanos) {
        steppedNanos += nanos;
    }

    /** Somebody ends what holds. */
    void force() {
        for (NameState state : states()) {
            for (Holder holder : state.holders()) {
                boolean unused = release(
                        Claim.of(state.id(), holder.mode(), holder.owner(), Duration.ofSeconds(1), holder.party())
                                .byForce());
            }
        }
    }
}
