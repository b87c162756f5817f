/** Locks between processes: the API, the interface that stores implement, and the store in memory. */
module dev.interlock {
    requires jdk.jfr;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports dev.interlock;
    exports dev.interlock.fence;
    exports dev.interlock.memory;
    exports dev.interlock.spi;

    uses dev.interlock.spi.LockStoreProvider;
}
