package dev.interlock.redis.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.protocol.CommandType;
import java.util.Locale;

/** One of Redis's own commands, whose result is the reply as it is. */
public final class PlainCommand extends Command<Reply> {

    private final byte[][] arguments;

    public PlainCommand(CommandType type, String... arguments) {
        super(type);
        this.arguments = new byte[arguments.length][];
        for (int i = 0; i < arguments.length; i++) {
            this.arguments[i] = arguments[i].getBytes(UTF_8);
        }
    }

    @Override
    public byte[][] arguments() {
        return arguments;
    }

    @Override
    protected void replyReceived() {
        // Only the replies to scripts show whether the server is silent.
    }

    @Override
    protected void onReply(Reply answer) {
        complete(answer);
    }

    @Override
    protected void onError(String error) {
        completeExceptionally(
                Failures.isMissingRight(error)
                        ? Failures.missingRight(
                                error, "+" + getType().toString().toLowerCase(Locale.ROOT))
                        : Failures.of(error));
    }
}
