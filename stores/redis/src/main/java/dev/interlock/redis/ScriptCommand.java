package dev.interlock.redis;

import dev.interlock.redis.command.Command;
import dev.interlock.redis.command.Failures;
import dev.interlock.redis.command.Node;
import dev.interlock.redis.command.Reply;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * A script that is called by its digest. If the server does not know the script, because the server is new or has been
 * flushed, the command loads the script and is sent again.
 *
 * <p>A proxy or a rule may refuse {@code EVALSHA} or {@code SCRIPT LOAD}, and pass {@code EVAL}. Then the command is
 * sent again in full, and so are all later ones of this client.
 *
 * <pre>
 *   EVALSHA --- NOSCRIPT --------------> SCRIPT LOAD, EVALSHA
 *      |                                      | refused
 *      '--- refused -------------> EVAL <-----'
 * </pre>
 */
abstract class ScriptCommand<T> extends Command<T> {

    private final Router router;

    /** Changes only between a reply that is no answer and the next time that the command is sent. */
    private ScriptArguments call;

    /** Why the script cannot be called by its digest; null if it can, or if that is not known from this command. */
    private @Nullable Throwable refusal;

    ScriptCommand(Router router, ScriptArguments call) {
        super(router.sendsScriptsInFull() ? CommandType.EVAL : CommandType.EVALSHA);
        this.router = router;
        this.call = call;
    }

    /** The subject that errors name: the lock, for example. */
    abstract String subject();

    /** Called with a reply that is not an error. */
    abstract void onResult(Reply answer);

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
        return isInFull() ? call.inFull() : call.all();
    }

    private boolean isInFull() {
        return getType() == CommandType.EVAL;
    }

    @Override
    protected final void onReply(Reply answer) {
        Throwable reason = refusal;
        if (reason != null && isInFull()) {
            router.sendScriptsInFull(reason);
        }
        onResult(answer);
    }

    @Override
    protected final void onError(String error) {
        Node asked = node();
        boolean mayGoOn = !isInFull() && commandCount() + 2 <= Router.MOST_COMMANDS;
        if (asked != null && mayGoOn && Failures.refuses(error, CommandType.EVALSHA)) {
            refusal = Failures.of(error, call.script(), call.keys(), subject());
            sendInFull(asked);
        } else if (asked != null && mayGoOn && error.startsWith("NOSCRIPT")) {
            sendWithTheScript(asked);
        } else if (refusal != null && Failures.refuses(error, CommandType.EVAL)) {
            // Neither is allowed: the user needs the right to the first.
            completeExceptionally(refusal);
        } else {
            nameFewerKeys(error);
            if (!router.retry(this, error)) {
                completeExceptionally(Failures.of(error, call.script(), call.keys(), subject()));
            }
        }
    }

    /** While a slot moves, some keys are on one server and some on the other, as both errors say. */
    private void nameFewerKeys(String error) {
        boolean isMoving = error.startsWith("TRYAGAIN") || error.startsWith("ASK ");
        ScriptArguments fewer = isMoving ? call.withFirstKeyOnly() : null;
        if (fewer != null) {
            call = fewer;
        }
    }

    private void sendWithTheScript(Node asked) {
        if (refusal == null) {
            load(asked);
        } else {
            sendInFull(asked);
        }
    }

    /** Sends both commands together, in this order, which takes one round trip. */
    private void load(Node asked) {
        var unused = asked.load(call.script()).whenComplete((reply, failure) -> {
            if (failure != null && Failures.isError(failure)) {
                // The script itself is answered after this, and then sent in full.
                refusal = failure;
            } else if (failure != null) {
                completeExceptionally(failure);
            }
        });
        countExtraCommand();
        reset();
        asked.send(this);
    }

    private void sendInFull(Node asked) {
        become(CommandType.EVAL);
        reset();
        asked.send(this);
    }
}
