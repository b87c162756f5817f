package dev.interlock.redis;

import io.lettuce.core.protocol.CommandType;

/** A call of a script. A server that does not know the script, because it is new or has been flushed, is told it, and the call goes out again. */
abstract class ScriptCall<T> extends Call<T> {

    private final Link link;
    private final Script script;
    private byte[][] words;
    private boolean loaded;

    ScriptCall(Link link, Words call) {
        super(CommandType.EVALSHA);
        this.link = link;
        this.script = call.script();
        this.words = call.all();
    }

    /** What the error names: the lock, for example. */
    abstract String subject();

    @Override
    public final boolean cancel(boolean mayInterrupt) {
        boolean cancelled = super.cancel(mayInterrupt);
        if (cancelled) {
            link.gaveUp();
        }
        return cancelled;
    }

    @Override
    final void answered() {
        link.answered();
    }

    @Override
    final byte[][] words() {
        return words;
    }

    @Override
    final void refused(String error) {
        if (error.startsWith("NOSCRIPT") && !loaded) {
            loaded = true;
            load();
        } else {
            completeExceptionally(Failures.of(error, script, subject()));
        }
    }

    /** Sends the call again, with other keys and arguments of the same script. */
    final void again(Words call) {
        words = call.all();
        reset();
        link.send(this);
    }

    final Link link() {
        return link;
    }

    /** Both commands go out at once, in this order: one round trip. Loading twice does no harm. */
    private void load() {
        PlainCall load = new PlainCall(CommandType.SCRIPT, "LOAD", script.text());
        var unused = load.whenComplete((reply, failure) -> {
            if (failure != null) {
                completeExceptionally(failure);
            }
        });
        link.send(load);
        reset();
        link.send(this);
    }
}
