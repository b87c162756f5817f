package dev.interlock.redis.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.protocol.CommandType;
import java.util.Locale;

/** A command that is no script; its answer is the reply as it is. */
public final class PlainCommand extends Command<Reply> {

    private final byte[][] words;

    public PlainCommand(CommandType type, String... words) {
        super(type);
        this.words = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            this.words[i] = words[i].getBytes(UTF_8);
        }
    }

    @Override
    public byte[][] words() {
        return words;
    }

    @Override
    protected void replyReceived() {
        // Nobody counts these.
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
