package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.protocol.CommandType;
import java.util.Locale;

/** A command that is no script; its answer is the reply as it is. */
final class PlainCall extends Call<Reply> {

    private final byte[][] words;

    PlainCall(CommandType type, String... words) {
        super(type);
        this.words = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            this.words[i] = words[i].getBytes(UTF_8);
        }
    }

    @Override
    byte[][] words() {
        return words;
    }

    @Override
    void answered() {
        // Nobody counts these.
    }

    @Override
    void answered(Reply answer) {
        complete(answer);
    }

    @Override
    void refused(String error) {
        completeExceptionally(
                Failures.isMissingRight(error)
                        ? Failures.missingRight(
                                error, "+" + getType().toString().toLowerCase(Locale.ROOT))
                        : Failures.of(error));
    }
}
