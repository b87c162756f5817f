package dev.interlock;

import dev.interlock.spi.Printable;

/**
 * A process and thread that holds or waits, for people who look at a lock. Informative: nothing is decided by it.
 *
 * @param host the host name of the process, or {@code "unknown"}
 * @param pid the process id on that host, or 0 if unknown
 * @param application the name that the application gave itself, or {@code ""}
 * @param thread the name of the thread that made the request; on a waiting or handed-over claim, of the thread that
 *     made the first one. If the options of the lock name a {@link LockOptions.Builder#participant participant}, its id
 */
public record Party(String host, long pid, String application, String thread) {

    /** An unknown party, for example of a claim that another client library has written. */
    public static final Party UNKNOWN = new Party("unknown", 0, "", "");

    /**
     * {@return the same process with another thread}
     *
     * @param newThread the name of the other thread
     */
    public Party withThread(String newThread) {
        return new Party(host, pid, application, newThread);
    }

    /** In one line: anybody may have written the texts. */
    @Override
    public String toString() {
        return Printable.of(
                "Party[host=" + host + ", pid=" + pid + ", application=" + application + ", thread=" + thread + "]");
    }
}
