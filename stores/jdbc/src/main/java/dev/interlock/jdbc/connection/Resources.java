package dev.interlock.jdbc.connection;

import dev.interlock.spi.Log;

/** Closes what is of no more use. */
public final class Resources {

    private Resources() {}

    /**
     * Closes the resource; a failure is only logged. Nothing depends on it: what was not committed does not exist, and
     * the lease of a claim ends by itself.
     */
    public static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Throwable e) {
            Log.of(Resources.class).log(System.Logger.Level.DEBUG, "Closing failed", e);
        }
    }
}
