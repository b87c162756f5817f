/** Leader election over the locks of a client. Exports nothing: {@code Interlock.election} finds it as a service. */
module dev.interlock.election {
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires transitive dev.interlock;

    provides dev.interlock.spi.ElectionProvider with
            dev.interlock.election.ElectionService;
}
