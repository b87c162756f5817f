/** Barriers between processes, over the semaphores and latches of a client. */
module dev.interlock.barrier {
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires transitive dev.interlock;

    exports dev.interlock.barrier;
}
