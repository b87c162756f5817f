package dev.interlock.redis;

import dev.interlock.spi.LockKind;
import org.jspecify.annotations.Nullable;

/** The letters for the kinds of lock in replies of scripts and in messages. */
final class KindLetter {

    private KindLetter() {}

    /** Returns the kind with this letter; null if there is none. */
    static @Nullable LockKind kind(char letter) {
        return switch (letter) {
            case 'L' -> LockKind.LOCK;
            case 'R' -> LockKind.READ_WRITE;
            case 'S' -> LockKind.SEMAPHORE;
            case 'C' -> LockKind.LATCH;
            default -> null;
        };
    }
}
