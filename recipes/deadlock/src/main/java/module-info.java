/** Deadlock detection over the locks of a client. */
module dev.interlock.deadlock {
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires transitive dev.interlock;

    exports dev.interlock.deadlock;
}
