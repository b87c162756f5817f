package dev.interlock.support;

/** Creates threads that do not keep the JVM alive. */
public final class DaemonThreads {

    private DaemonThreads() {}

    /** A thread that is not started yet. Its name begins with {@code interlock-}. */
    public static Thread create(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
