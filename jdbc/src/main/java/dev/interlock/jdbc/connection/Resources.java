package dev.interlock.jdbc.connection;

/** Closes what is of no more use. */
public final class Resources {

    private static final System.Logger LOG = System.getLogger(Resources.class.getName());

    private Resources() {}

    /**
     * Closes the resource; a failure is only logged. Nothing depends on it: what was not committed does not exist, and
     * the lease of a claim ends by itself.
     */
    public static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.DEBUG, "Closing failed", e);
        }
    }
}
