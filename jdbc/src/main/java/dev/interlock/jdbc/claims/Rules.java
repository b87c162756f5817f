package dev.interlock.jdbc.claims;

import dev.interlock.spi.LockKind;

/** Finds the rule of a name. */
final class Rules {

    private Rules() {}

    /** The rule of this name, for a moment at which everything that is over has been removed. */
    static Rule of(NameState state) {
        state.expire();
        return state.id.kind() == LockKind.LATCH ? new LatchRule(state) : new HoldRule(state);
    }
}
