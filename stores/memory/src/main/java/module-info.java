/** The store in memory. */
module dev.interlock.memory {
    requires dev.interlock.support;
    requires static org.jspecify;
    requires transitive dev.interlock;

    exports dev.interlock.memory;

    provides dev.interlock.spi.LockStoreProvider with
            dev.interlock.memory.MemoryStoreProvider;
}
