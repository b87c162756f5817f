package dev.interlock.memory;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.support.rules.Decision;
import dev.interlock.support.rules.Holder;
import dev.interlock.support.rules.NameRules;
import dev.interlock.support.rules.NameState;
import dev.interlock.support.rules.Waiter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The claims of all names, and the clients that share them. The monitor guards the states of the names; wakes are sent
 * after leaving it.
 */
final class SharedClaims {

    /** Below this many names nothing is swept: what is over goes when its name is used again. */
    private static final int SWEEP_FROM = 1024;

    /** Every client can be woken. */
    private static final String CHANNEL = "here";

    private final LongSupplier clock;
    private final long origin;
    private final List<Consumer<Wake>> clients = new CopyOnWriteArrayList<>();
    private final Map<LockId, NameState> names = new HashMap<>();
    private final NameRules rules;
    private int sweepAt = SWEEP_FROM;
    private long lastFence;

    /** Claims whose time is measured by this monotonic clock, in nanoseconds. */
    SharedClaims(LongSupplier nanoClock) {
        this.clock = nanoClock;
        this.origin = nanoClock.getAsLong();
        this.rules = new NameRules(TimeUnit.NANOSECONDS, 0, false, now -> lastFence + 1);
    }

    /** From now on this client gets the wakes of all clients, and picks out its own. */
    void join(Consumer<Wake> client) {
        clients.add(client);
    }

    void leave(Consumer<Wake> client) {
        clients.remove(client);
    }

    Attempt acquire(Claim claim) {
        Decision<Attempt> acquired;
        synchronized (this) {
            long now = now();
            acquired = rules.acquire(known(claim.id(), now), claim, CHANNEL, now);
            if (acquired.answer() instanceof Attempt.Granted granted) {
                lastFence = Math.max(lastFence, granted.fence());
            }
            keep(acquired.state());
        }
        wake(claim.id(), acquired.woken());
        tellRetaining(acquired);
        return acquired.answer();
    }

    /** Notifies the clients that may keep the name although nobody uses it, if another wants it. */
    private void tellRetaining(Decision<Attempt> acquired) {
        NameState state = acquired.state();
        boolean wanted =
                acquired.answer() instanceof Attempt.Busy || !state.waiters().isEmpty();
        for (Holder holder : state.holders()) {
            if (wanted && holder.owner().isRetained()) {
                wake(new Wake.Wanted(state.id(), holder.owner()));
            }
        }
    }

    boolean execute(Command command) {
        LockId id = command.id();
        if (command.action() instanceof Command.RequestRevocation) {
            return requestRevocation(id);
        }
        Decision<Boolean> executed;
        synchronized (this) {
            long now = now();
            executed = rules.execute(known(id, now), command, now);
            lastFence = Math.max(lastFence, executed.state().fence());
            keep(executed.state());
        }
        wake(id, executed.woken());
        return executed.answer();
    }

    private boolean requestRevocation(LockId id) {
        List<LockStatus.Holder> holders = inspect(id).holders();
        for (LockStatus.Holder holder : holders) {
            wake(new Wake.Requested(id, new OwnerId(holder.owner())));
        }
        return !holders.isEmpty();
    }

    boolean release(Claim claim) {
        Decision<Boolean> released;
        synchronized (this) {
            long now = now();
            released = rules.release(known(claim.id(), now), claim, now);
            keep(released.state());
        }
        wake(claim.id(), released.woken());
        if (claim.forced() && released.answer()) {
            wake(new Wake.Changed(claim.id(), claim.owner()));
        }
        return released.answer();
    }

    synchronized Map<Claim, Renewal> renew(Collection<Claim> claims) {
        long now = now();
        Map<Claim, Renewal> result = new HashMap<>();
        for (Claim claim : claims) {
            Decision<Renewal> renewed = rules.renew(known(claim.id(), now), claim, now);
            result.put(claim, renewed.answer());
            keep(renewed.state());
        }
        return result;
    }

    synchronized LockStatus inspect(LockId id) {
        long now = now();
        NameState known = known(id, now);
        keep(known);
        return rules.status(known, now);
    }

    synchronized List<LockStatus> list(String prefix, int limit) {
        long now = now();
        sweep(now);
        List<LockStatus> listed = new ArrayList<>();
        for (NameState state : names.values()) {
            if (state.id().name().startsWith(prefix) && isListed(state)) {
                listed.add(rules.status(state, now));
            }
        }
        listed.sort(Comparator.comparing(LockStatus::name).thenComparing(LockStatus::kind));
        return List.copyOf(listed.subList(0, Math.min(limit, listed.size())));
    }

    private static boolean isListed(NameState state) {
        return !state.holders().isEmpty() || (state.id().kind() == LockKind.LATCH && state.count() > 0);
    }

    /** From 0, so that it never wraps around. */
    private long now() {
        return clock.getAsLong() - origin;
    }

    private NameState known(LockId id, long now) {
        NameState state = names.get(id);
        return state == null ? NameState.of(id) : rules.expire(state, now);
    }

    private void keep(NameState state) {
        if (state.isEmpty()) {
            names.remove(state.id());
            return;
        }
        names.put(state.id(), state);
        if (names.size() >= sweepAt) {
            sweep(now());
            sweepAt = Math.max(SWEEP_FROM, 2 * names.size());
        }
    }

    private void sweep(long now) {
        names.replaceAll((id, state) -> rules.expire(state, now));
        names.values().removeIf(NameState::isEmpty);
    }

    private void wake(LockId id, List<Waiter> woken) {
        for (Waiter waiter : woken) {
            wake(new Wake.Changed(id, waiter.owner()));
        }
    }

    private void wake(Wake wake) {
        for (Consumer<Wake> client : clients) {
            client.accept(wake);
        }
    }
}
