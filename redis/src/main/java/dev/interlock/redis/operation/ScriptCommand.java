package dev.interlock.redis.operation;

import dev.interlock.redis.command.Command;
import dev.interlock.redis.command.Failures;
import dev.interlock.redis.command.Node;
import dev.interlock.redis.topology.Router;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.protocol.CommandType;

/**
 * A call of a script. A server that does not know the script, because it is new or has been flushed, is told it, and
 * the call goes out again.
 */
abstract class ScriptCommand<T> extends Command<T> {

    private final Router link;
    private final ScriptArguments call;

    ScriptCommand(Router link, ScriptArguments call) {
        super(CommandType.EVALSHA);
        this.link = link;
        this.call = call;
    }

    /** What the error names: the lock, for example. */
    abstract String subject();

    @Override
    public final boolean cancel(boolean mayInterrupt) {
        boolean cancelled = super.cancel(mayInterrupt);
        Node asked = node();
        if (cancelled && asked != null) {
            asked.callerGaveUp();
        }
        return cancelled;
    }

    @Override
    protected final void replyReceived() {
        Node asked = node();
        if (asked != null) {
            asked.replyReceived();
        }
    }

    /** Of the first key. */
    @Override
    public final int slot() {
        byte[] key = call.firstKey();
        return key == null ? -1 : SlotHash.getSlot(key);
    }

    @Override
    public final byte[][] words() {
        return call.all();
    }

    @Override
    protected final void onError(String error) {
        Node asked = node();
        if (asked != null && error.startsWith("NOSCRIPT") && commandCount() + 2 <= Router.MOST_COMMANDS) {
            load(asked);
        } else if (!link.retry(this, error)) {
            completeExceptionally(Failures.of(error, call.script(), subject()));
        }
    }

    /** Both commands go out at once, in this order: one round trip. */
    private void load(Node asked) {
        var unused = asked.load(call.script()).whenComplete((reply, failure) -> {
            if (failure != null) {
                completeExceptionally(failure);
            }
        });
        countExtraCommand();
        reset();
        asked.send(this);
    }
}
