package dev.interlock.redis;

import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.protocol.CommandType;

/**
 * A call of a script. A server that does not know the script, because it is new or has been flushed, is told it, and
 * the call goes out again.
 */
abstract class ScriptCall<T> extends Call<T> {

    private final Link link;
    private final Words call;

    ScriptCall(Link link, Words call) {
        super(CommandType.EVALSHA);
        this.link = link;
        this.call = call;
    }

    /** What the error names: the lock, for example. */
    abstract String subject();

    @Override
    public final boolean cancel(boolean mayInterrupt) {
        boolean cancelled = super.cancel(mayInterrupt);
        NodeLink asked = node();
        if (cancelled && asked != null) {
            asked.gaveUp();
        }
        return cancelled;
    }

    @Override
    final void answered() {
        NodeLink asked = node();
        if (asked != null) {
            asked.answered();
        }
    }

    /** Of the first key. */
    @Override
    final int slot() {
        byte[] key = call.firstKey();
        return key == null ? -1 : SlotHash.getSlot(key);
    }

    @Override
    final byte[][] words() {
        return call.all();
    }

    @Override
    final void refused(String error) {
        NodeLink asked = node();
        if (asked != null && error.startsWith("NOSCRIPT") && cost() + 2 <= Link.MOST_COMMANDS) {
            load(asked);
        } else if (!link.sendsAgain(this, error)) {
            completeExceptionally(Failures.of(error, call.script(), subject()));
        }
    }

    /** Both commands go out at once, in this order: one round trip. */
    private void load(NodeLink asked) {
        var unused = asked.load(call.script()).whenComplete((reply, failure) -> {
            if (failure != null) {
                completeExceptionally(failure);
            }
        });
        spent();
        reset();
        asked.send(this);
    }
}
