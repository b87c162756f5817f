package dev.interlock.spi;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * What is locked: a name and the kind of lock.
 *
 * @param name any non-empty text of at most {@value #MAX_NAME_BYTES} bytes in UTF-8
 * @param kind the kind of lock
 */
public record LockId(String name, LockKind kind) {

    /** The longest name, in bytes of UTF-8. */
    public static final int MAX_NAME_BYTES = 512;

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name is empty, too long, or no valid Unicode text; the message says which
     */
    public LockId {
        if (name.isEmpty()) {
            throw new IllegalArgumentException(
                    "A lock name must not be empty; give it 1 to " + MAX_NAME_BYTES + " bytes of UTF-8");
        }
        int bytes = encodedLength(name);
        if (bytes > MAX_NAME_BYTES) {
            throw new IllegalArgumentException("A lock name must not exceed " + MAX_NAME_BYTES
                    + " bytes of UTF-8: this one has " + bytes + " and begins with '"
                    + Printable.of(name.substring(0, name.offsetByCodePoints(0, 32))) + "'");
        }
    }

    /** The same in every run, unlike that of an enum: so tables of names have the same order. */
    @Override
    public int hashCode() {
        return 31 * name.hashCode() + kind.name().hashCode();
    }

    /** The name for messages and log lines, in one line, see {@link Printable}. */
    public String printable() {
        return Printable.of(name);
    }

    @Override
    public String toString() {
        return "LockId[name=" + printable() + ", kind=" + kind + "]";
    }

    /** The lock of this name. */
    public static LockId lock(String name) {
        return new LockId(name, LockKind.LOCK);
    }

    private static int encodedLength(String name) {
        try {
            return StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(name))
                    .remaining();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "A lock name must be valid Unicode text: this one has an unpaired surrogate among its "
                            + name.length() + " characters",
                    e);
        }
    }
}
