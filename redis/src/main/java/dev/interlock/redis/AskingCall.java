package dev.interlock.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.protocol.CommandType;

/**
 * A call on its way to a server that is about to take over its slot: that one answers only what comes directly behind
 * {@code ASKING}. Nobody holds this one, so it cannot be cancelled between the two: an {@code ASKING} left alone would
 * give leave to somebody else's command.
 */
final class AskingCall extends Call<Reply> {

    private final Call<?> call;
    private final byte[][] words;

    AskingCall(Call<?> call) {
        super((CommandType) call.getType());
        this.call = call;
        this.words = call.words();
    }

    /** What goes out directly before it. */
    PlainCall permission() {
        return new PlainCall(CommandType.ASKING);
    }

    @Override
    void writtenTo(RedisChannelHandler<?, ?> on) {
        call.writtenTo(on);
    }

    @Override
    byte[][] words() {
        return words;
    }

    @Override
    void take(Reply answer) {
        complete(answer);
        call.take(answer);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        call.completeExceptionally(failure);
        return super.completeExceptionally(failure);
    }

    @Override
    void answered() {
        // The call itself says so.
    }

    @Override
    void answered(Reply answer) {
        throw new IllegalStateException("The call itself takes the answer");
    }

    @Override
    void refused(String error) {
        throw new IllegalStateException("The call itself takes the answer");
    }
}
