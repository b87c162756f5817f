package dev.interlock.redis;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;

/**
 * A mode as it stands in the store: nothing for an exclusive lock, f for one that is fair, s for a share, p3 for three
 * permits, z for awaiting a count of zero.
 */
final class ModeCodec {

    private ModeCodec() {}

    /**
     * Encodes the mode of a claim.
     *
     * @throws UnsupportedOperationException if its kind does not have such a mode
     */
    static String of(Claim claim) {
        Mode mode = claim.mode();
        LockKind kind = claim.id().kind();
        if (mode instanceof Mode.Exclusive exclusive && kind == LockKind.LOCK) {
            return exclusive.inOrder() ? "f" : "";
        } else if (mode instanceof Mode.Exclusive && kind == LockKind.READ_WRITE) {
            return "f";
        } else if (mode instanceof Mode.Shared && kind == LockKind.READ_WRITE) {
            return "s";
        } else if (mode instanceof Mode.Permits permits && kind == LockKind.SEMAPHORE) {
            return "p" + permits.count();
        } else if (mode instanceof Mode.AwaitZero && kind == LockKind.LATCH) {
            return "z";
        }
        throw new UnsupportedOperationException("This kind of lock has no such mode: kind=" + kind + ", mode=" + mode
                + ", name=" + claim.id().printable());
    }

    /** The capacity of the semaphore that the claim names; 0 if it names none. */
    static int capacity(Claim claim) {
        return claim.mode() instanceof Mode.Permits permits ? permits.capacity() : 0;
    }

    /** @param capacity of the semaphore; 0 if it is not known */
    static Mode parse(String text, int capacity) {
        return switch (text.isEmpty() ? ' ' : text.charAt(0)) {
            case 'f' -> Mode.fair();
            case 's' -> Mode.shared();
            case 'z' -> new Mode.AwaitZero();
            case 'p' -> {
                int count = Math.max(1, number(text.substring(1)));
                yield new Mode.Permits(count, Math.max(count, capacity));
            }
            default -> Mode.exclusive();
        };
    }

    /** Any client may have written it. */
    private static int number(String digits) {
        return digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : 0;
    }
}
