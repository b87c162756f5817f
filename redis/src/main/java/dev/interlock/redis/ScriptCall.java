package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.protocol.CommandType;

/** A call of a script. A server that does not know the script, because it is new or has been flushed, is told it, and the call goes out again. */
abstract class ScriptCall<T> extends Call<T> {

    private final Link link;
    private final Script script;
    private byte[][] words;
    private int keys;

    /** @param keysAndArguments the keys first */
    ScriptCall(Link link, Script script, int keys, byte[]... keysAndArguments) {
        super(CommandType.EVALSHA);
        this.link = link;
        this.script = script;
        this.words = words(script, keys, keysAndArguments);
        this.keys = keys;
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
        return keys == 0 ? -1 : SlotHash.getSlot(words[2]);
    }

    @Override
    final byte[][] words() {
        return words;
    }

    @Override
    final void refused(String error) {
        NodeLink asked = node();
        if (asked != null && error.startsWith("NOSCRIPT") && cost() + 2 <= Link.MOST_COMMANDS) {
            load(asked);
        } else if (!link.sendsAgain(this, error)) {
            completeExceptionally(Failures.of(error, script, subject()));
        }
    }

    /** Sends the call again, with other keys and arguments. */
    final void again(int newKeys, byte[]... keysAndArguments) {
        words = words(script, newKeys, keysAndArguments);
        keys = newKeys;
        begin();
        reset();
        link.send(this);
    }

    final Link link() {
        return link;
    }

    /** Both commands go out at once, in this order: one round trip. Loading twice does no harm. */
    private void load(NodeLink asked) {
        PlainCall load = new PlainCall(CommandType.SCRIPT, "LOAD", script.text());
        var unused = load.whenComplete((reply, failure) -> {
            if (failure != null) {
                completeExceptionally(failure);
            }
        });
        asked.send(load);
        spent();
        reset();
        asked.send(this);
    }

    private static byte[][] words(Script script, int keys, byte[]... keysAndArguments) {
        byte[][] words = new byte[keysAndArguments.length + 2][];
        words[0] = script.sha();
        words[1] = Integer.toString(keys).getBytes(US_ASCII);
        System.arraycopy(keysAndArguments, 0, words, 2, keysAndArguments.length);
        return words;
    }
}
