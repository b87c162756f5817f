package dev.interlock.testkit.history;

/**
 * One time in which somebody held a lock.
 *
 * @param name the lock
 * @param owner who held it: anything unique to the holder
 * @param token the fencing token
 * @param beginNanos when it was known to be held, by {@link System#nanoTime()}; processes of one machine share that
 *     clock on Linux
 * @param endNanos when its release began
 */
public record Hold(String name, String owner, long token, long beginNanos, long endNanos) {

    /** Checks the order of time. */
    public Hold {
        if (endNanos - beginNanos < 0) {
            throw new IllegalArgumentException(
                    "A hold must not end before it begins: name=" + name + " owner=" + owner + " token=" + token);
        }
    }

    /** The hold as one line, for another process. */
    public String toLine() {
        return token + " " + beginNanos + " " + endNanos + " " + owner;
    }

    /** The hold that {@link #toLine()} wrote, of this lock. */
    public static Hold ofLine(String name, String line) {
        String[] parts = line.split(" ", 4);
        if (parts.length != 4) {
            throw new IllegalArgumentException("A hold has four parts, token, begin, end and owner: '" + line + "'");
        }
        return new Hold(name, parts[3], Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
}
