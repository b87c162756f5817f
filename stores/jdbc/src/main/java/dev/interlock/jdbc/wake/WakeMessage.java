package dev.interlock.jdbc.wake;

import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Wake;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * A wake as one line of text: kind, name and owner. Name and owner are in Base64, because they may contain any
 * character.
 */
public final class WakeMessage {

    /**
     * The channel of all clients that listen. The tables do not say where a holder listens, so that its client is told
     * here what was ended by force.
     */
    public static final String EVERYBODY = "interlock_forced";

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private WakeMessage() {}

    public static String of(LockId id, String owner) {
        return id.kind() + " " + encoded(id.name()) + " " + encoded(owner);
    }

    /** The wake; empty if the text is not a wake, since anybody may send to a channel. */
    static Optional<Wake> parse(String text) {
        String[] words = text.split(" ", -1);
        if (words.length != 3) {
            return Optional.empty();
        }
        try {
            LockId id = new LockId(decoded(words[1]), LockKind.valueOf(words[0]));
            return Optional.of(new Wake.Changed(id, new OwnerId(decoded(words[2]))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String encoded(String text) {
        return ENCODER.encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String text) {
        return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
    }
}
