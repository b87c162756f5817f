package dev.interlock.redis.operation;

import dev.interlock.redis.command.Command;
import dev.interlock.redis.command.Failures;
import dev.interlock.redis.command.Node;
import dev.interlock.redis.topology.Router;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.protocol.CommandType;

/**
 * A script that is called by its digest. If the server does not know the script, because the server is new or has been
 * flushed, the command loads the script and is sent again.
 */
abstract class ScriptCommand<T> extends Command<T> {

    private final Router router;
    private final ScriptArguments call;

    ScriptCommand(Router router, ScriptArguments call) {
        super(CommandType.EVALSHA);
        this.router = router;
        this.call = call;
    }

    /** The subject that errors name: the lock, for example. */
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

    /** The slot of the first key. */
    @Override
    public final int slot() {
        byte[] key = call.firstKey();
        return key == null ? -1 : SlotHash.getSlot(key);
    }

    @Override
    public final byte[][] arguments() {
        return call.all();
    }

    @Override
    protected final void onError(String error) {
        Node asked = node();
        if (asked != null && error.startsWith("NOSCRIPT") && commandCount() + 2 <= Router.MOST_COMMANDS) {
            load(asked);
        } else if (!router.retry(this, error)) {
            completeExceptionally(Failures.of(error, call.script(), subject()));
        }
    }

    /** Sends both commands together, in this order, which takes one round trip. */
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
