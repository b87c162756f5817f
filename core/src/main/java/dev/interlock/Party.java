package dev.interlock;

/**
 * Who holds or waits, for people who look at a lock. Informative: nothing is decided by it.
 *
 * @param host the host name of the process, or {@code "unknown"}
 * @param pid the process id on that host, or 0 if unknown
 * @param application the name that the application gave itself, or {@code ""}
 * @param thread the name of the thread that asked; on a waiting or handed-over claim the thread that asked first
 */
public record Party(String host, long pid, String application, String thread) {

    /** Nobody known: a claim written by another client library, for example. */
    public static final Party UNKNOWN = new Party("unknown", 0, "", "");

    /** The same process, another thread. */
    public Party withThread(String newThread) {
        return new Party(host, pid, application, newThread);
    }
}
