package dev.interlock.redis.command;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.protocol.CommandType;

/**
 * A call on its way to a server that is about to take over its slot: that one answers only what comes directly behind
 * {@code ASKING}. Nobody holds this one, so it cannot be cancelled between the two: an {@code ASKING} left alone would
 * give leave to somebody else's command.
 */
public final class AskingCommand extends Command<Reply> {

    private final Command<?> call;
    private final byte[][] words;

    public AskingCommand(Command<?> call) {
        super((CommandType) call.getType());
        this.call = call;
        this.words = call.words();
    }

    /** What goes out directly before it. */
    public PlainCommand asking() {
        return new PlainCommand(CommandType.ASKING);
    }

    @Override
    public void writtenTo(RedisChannelHandler<?, ?> on) {
        call.writtenTo(on);
    }

    @Override
    public byte[][] words() {
        return words;
    }

    @Override
    void replyComplete(Reply answer) {
        complete(answer);
        call.replyComplete(answer);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        call.completeExceptionally(failure);
        return super.completeExceptionally(failure);
    }

    @Override
    protected void replyReceived() {
        // The call itself says so.
    }

    @Override
    protected void onReply(Reply answer) {
        throw new IllegalStateException("The call itself takes the answer");
    }

    @Override
    protected void onError(String error) {
        throw new IllegalStateException("The call itself takes the answer");
    }
}
