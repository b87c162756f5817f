/** Locks for ShedLock. */
module dev.interlock.shedlock {
    requires static org.jspecify;
    requires transitive dev.interlock;
    requires transitive net.javacrumbs.shedlock.core;

    exports dev.interlock.shedlock;
}
