/**
 * Locks between processes: the API and the interface that stores implement.
 *
 * <p>The annotations of null are for who wants them: were they {@code transitive}, each module that requires this one
 * would need theirs to compile.
 */
module dev.interlock {
    requires jdk.jfr;
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;

    exports dev.interlock;
    exports dev.interlock.spi;

    uses dev.interlock.spi.ElectionProvider;
    uses dev.interlock.spi.LockStoreProvider;
}
