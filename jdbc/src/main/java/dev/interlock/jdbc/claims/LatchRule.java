package dev.interlock.jdbc.claims;

import dev.interlock.LockStatus;
import dev.interlock.jdbc.session.Parameters;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.util.List;
import java.util.OptionalLong;

/**
 * The count of a latch, and who waits for zero. Who has set it and who has counted is remembered, so that a repeated
 * request does nothing.
 */
final class LatchRule implements Rule {

    /** For how long a request may be repeated, after a lost answer. */
    private static final long REMEMBERED_MS = 600_000;

    private final NameState state;

    LatchRule(NameState state) {
        this.state = state;
        if (state.keptMs == 0 && state.amount > 0) {
            state.amount = 0;
            forgetOwners();
        }
    }

    @Override
    public OptionalLong grant(Claim claim) {
        keep(Parameters.millis(claim.lease()));
        if (claim.mode() instanceof Mode.SetCount set) {
            return set(claim.owner(), set.count()) ? OptionalLong.of(state.nextFence()) : OptionalLong.empty();
        }
        if (claim.mode() instanceof Mode.CountDown) {
            countDown(claim.owner());
            return OptionalLong.of(state.nextFence());
        }
        if (state.amount > 0) {
            return OptionalLong.empty();
        }
        state.listed(claim.owner().value()).ifPresent(state::remove);
        return OptionalLong.of(state.nextFence());
    }

    /** Not at each look of one that waits: a look writes nothing. */
    private void keep(long leaseMs) {
        if (state.keptMs - state.nowMs < leaseMs - leaseMs / 4) {
            state.keptMs = state.nowMs + leaseMs;
            state.touch();
        }
    }

    private boolean set(OwnerId owner, int count) {
        if (state.marked(owner.value(), Standing.SETTER).isPresent()) {
            return true;
        }
        if (state.amount > 0) {
            return false;
        }
        forgetOwners();
        remember(owner, Standing.SETTER);
        state.amount = count;
        return true;
    }

    private void countDown(OwnerId owner) {
        if (state.amount > 0 && state.marked(owner.value(), Standing.COUNTED).isEmpty()) {
            remember(owner, Standing.COUNTED);
            state.amount--;
        }
    }

    private void remember(OwnerId owner, Standing standing) {
        ClaimRow row = new ClaimRow(owner.value(), standing, new Mode.AwaitZero());
        row.lasts(state.nowMs, REMEMBERED_MS);
        state.add(row);
    }

    private void forgetOwners() {
        state.claims.stream()
                .filter(row -> row.standing == Standing.SETTER || row.standing == Standing.COUNTED)
                .toList()
                .forEach(state::remove);
        state.forgetCounted = true;
    }

    @Override
    public boolean end(OwnerId owner, boolean byForce) {
        state.listed(owner.value()).ifPresent(state::remove);
        return false;
    }

    @Override
    public boolean call(long patienceMs) {
        if (state.amount > 0) {
            return false;
        }
        List<ClaimRow> waiting = state.waiting();
        for (ClaimRow row : waiting) {
            // Once: each that is let through calls the others, and all of them would be told by each.
            if (!row.channel.isEmpty() && row.standing == Standing.WAITING) {
                state.woken.add(row);
                state.call(row, Standing.TOLD);
            }
        }
        return !waiting.isEmpty();
    }

    @Override
    public Renewal standing(Claim claim) {
        return Renewal.DELETED;
    }

    @Override
    public LockStatus status() {
        return new LockStatus(
                state.id.name(),
                state.id.kind(),
                List.of(),
                state.lined().stream().map(row -> row.waiter(state.nowMs)).toList(),
                state.amount);
    }
}
