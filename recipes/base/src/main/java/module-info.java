/**
 * Leader election and barriers over the locks of a client: every store brings them. {@code Interlock.election} finds
 * the elections as a service; their package is not exported.
 */
module dev.interlock.recipes {
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires transitive dev.interlock;

    exports dev.interlock.barrier;

    provides dev.interlock.spi.ElectionProvider with
            dev.interlock.election.ElectionService;
}
