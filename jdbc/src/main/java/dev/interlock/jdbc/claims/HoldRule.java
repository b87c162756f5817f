package dev.interlock.jdbc.claims;

import dev.interlock.LockStatus;
import dev.interlock.jdbc.session.Parameters;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.util.List;
import java.util.OptionalLong;

/** The rule of {@link Mode} for locks, read/write locks and semaphores. */
final class HoldRule implements Rule {

    private final NameState state;

    HoldRule(NameState state) {
        this.state = state;
        if (state.holders().isEmpty() && state.lined().isEmpty() && state.keptMs == 0) {
            state.amount = 0;
        }
    }

    @Override
    public OptionalLong grant(Claim claim) {
        if (claim.mode() instanceof Mode.Resize resize) {
            state.amount = resize.capacity();
            state.keptMs = state.nowMs + Parameters.millis(claim.lease());
            return OptionalLong.of(state.nextFence());
        }
        if (state.amount == 0 && claim.mode() instanceof Mode.Permits permits) {
            state.amount = permits.capacity();
        }
        String owner = claim.owner().value();
        ClaimRow mine = state.held(owner).orElse(null);
        if (mine == null) {
            if (wasEnded(claim) || !fits(claim)) {
                return OptionalLong.empty();
            }
            mine = newHolder(claim);
        }
        mine.mode = claim.mode();
        mine.lasts(state.nowMs, Parameters.millis(claim.lease()));
        state.touch();
        return OptionalLong.of(mine.fence);
    }

    /**
     * A claim that does not wait and was ended by force may be a conversion, whose client counts on holding it: granted
     * anew, it would be renewed on behalf of a token that others have overtaken. Refused, it leaves the mark, of which
     * a renewal hears the cause.
     */
    private boolean wasEnded(Claim claim) {
        return claim.waited() == null
                && !state.isLock()
                && state.marked(claim.owner().value(), Standing.FORCED).isPresent();
    }

    private ClaimRow newHolder(Claim claim) {
        ClaimRow row = state.listed(claim.owner().value()).orElse(null);
        if (row == null || state.isLock()) {
            if (row != null) {
                state.remove(row);
            }
            row = new ClaimRow(claim.owner().value(), Standing.HELD, claim.mode());
            if (state.isLock()) {
                state.hand(row);
            } else {
                state.add(row);
            }
        }
        row.standing = Standing.HELD;
        row.sinceMs = state.nowMs;
        row.fence = state.nextFence();
        return row;
    }

    private boolean fits(Claim claim) {
        List<Mode> others = state.modesOfOthers(claim.owner().value());
        if (claim.mode().inOrder()) {
            state.ahead(claim).forEach(row -> others.add(row.mode));
        }
        return fits(claim.mode(), others);
    }

    private boolean fits(Mode mode, List<Mode> others) {
        if (mode instanceof Mode.Permits permits) {
            return permits.count()
                            + others.stream().mapToLong(ModeCode::permits).sum()
                    <= state.amount;
        }
        return mode instanceof Mode.Shared ? others.stream().allMatch(Mode.Shared.class::isInstance) : others.isEmpty();
    }

    @Override
    public boolean end(OwnerId owner, boolean byForce) {
        state.listed(owner.value()).ifPresent(state::remove);
        ClaimRow mine = state.held(owner.value()).orElse(null);
        ClaimRow current = state.holder;
        if (current != null && current.owner.equals(owner.value())) {
            // Held, or only kept for it: then it goes to the next.
            state.hand(null);
        } else if (mine != null) {
            state.remove(mine);
        }
        if (mine != null && byForce) {
            mark(owner);
        }
        return mine != null;
    }

    private void mark(OwnerId owner) {
        ClaimRow mark = new ClaimRow(owner.value(), Standing.FORCED, Mode.exclusive());
        mark.lasts(state.nowMs, Timing.FORCED_MS);
        state.add(mark);
    }

    @Override
    public boolean call(long patienceMs) {
        List<Mode> others = state.modesOfOthers("");
        boolean called = false;
        for (ClaimRow next : state.waiting()) {
            if (!fits(next.mode, others) || !told(next, patienceMs)) {
                break;
            }
            others.add(next.mode);
            called = true;
        }
        return called;
    }

    private boolean told(ClaimRow next, long patienceMs) {
        if (!next.channel.isEmpty()) {
            state.woken.add(next);
        } else if (!next.mode.inOrder()) {
            if (next.sinceMs > state.nowMs - patienceMs) {
                return false;
            }
            reserve(next);
        }
        if (!next.mode.inOrder()) {
            state.call(next, Standing.CALLED);
        } else if (!next.channel.isEmpty()) {
            state.call(next, Standing.TOLD);
        }
        return true;
    }

    /**
     * Nobody can wake a client that polls, and whoever asks next would get the name: most often the one that has just
     * released it. So the name is kept for the longest waiter, and only that one can take it; it asks well before the
     * end of that time, and a dead one costs no more. It is not called a second time, unless it asks again.
     */
    private void reserve(ClaimRow next) {
        ClaimRow kept = new ClaimRow(next.owner, Standing.RESERVED, next.mode);
        kept.sinceMs = next.sinceMs;
        kept.lasts(state.nowMs, Timing.RESERVED_MS);
        state.hand(kept);
    }

    @Override
    public Renewal standing(Claim claim) {
        if (state.held(claim.owner().value()).isPresent()) {
            return Renewal.HELD;
        }
        if (state.marked(claim.owner().value(), Standing.FORCED).isPresent()) {
            return Renewal.FORCED;
        }
        List<Mode> held = state.holders().stream()
                .filter(row -> row.standing == Standing.HELD)
                .map(row -> row.mode)
                .toList();
        return fits(claim.mode(), held) ? Renewal.DELETED : Renewal.TAKEN;
    }

    @Override
    public LockStatus status() {
        return new LockStatus(
                state.id.name(),
                state.id.kind(),
                state.holders().stream()
                        .filter(row -> row.standing == Standing.HELD)
                        .map(row -> row.holder(state.nowMs))
                        .toList(),
                state.lined().stream().map(row -> row.waiter(state.nowMs)).toList(),
                state.id.kind() == LockKind.SEMAPHORE ? state.amount : 1);
    }
}
