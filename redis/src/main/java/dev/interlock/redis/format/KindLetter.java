package dev.interlock.redis.format;

import dev.interlock.spi.LockKind;
import org.jspecify.annotations.Nullable;

/** The kinds of lock as scripts and messages say them. */
public final class KindLetter {

    private KindLetter() {}

    /** Null if no kind has this letter. */
    public static @Nullable LockKind kind(char letter) {
        return switch (letter) {
            case 'L' -> LockKind.LOCK;
            case 'R' -> LockKind.READ_WRITE;
            case 'S' -> LockKind.SEMAPHORE;
            case 'C' -> LockKind.LATCH;
            default -> null;
        };
    }
}
