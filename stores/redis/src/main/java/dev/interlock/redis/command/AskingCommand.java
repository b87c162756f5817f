package dev.interlock.redis.command;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.protocol.CommandType;

/**
 * A command for a server that is importing its slot: the server executes it only directly after {@code ASKING}. No
 * caller has this object, so nothing can cancel it between the two: an {@code ASKING} without it would apply to the
 * command of another caller.
 */
public final class AskingCommand extends Command<Reply> {

    private final Command<?> command;
    private final byte[][] arguments;

    public AskingCommand(Command<?> command) {
        super((CommandType) command.getType());
        this.command = command;
        this.arguments = command.arguments();
    }

    /** The command to write directly before this one. */
    public PlainCommand asking() {
        return new PlainCommand(CommandType.ASKING);
    }

    @Override
    public boolean writtenTo(RedisChannelHandler<?, ?> on) {
        return command.writtenTo(on);
    }

    @Override
    public byte[][] arguments() {
        return arguments;
    }

    @Override
    void replyComplete(Reply answer) {
        complete(answer);
        command.replyComplete(answer);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        command.completeExceptionally(failure);
        return super.completeExceptionally(failure);
    }

    @Override
    protected void replyReceived() {
        // The wrapped command does that.
    }

    @Override
    protected void onReply(Reply answer) {
        throw new IllegalStateException("The wrapped command evaluates the reply");
    }

    @Override
    protected void onError(String error) {
        throw new IllegalStateException("The wrapped command evaluates the reply");
    }
}
