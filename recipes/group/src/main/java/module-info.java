/** Several locks as one, and several stores as one. */
module dev.interlock.group {
    requires transitive dev.interlock;
    requires dev.interlock.support;
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;

    exports dev.interlock.group;
    exports dev.interlock.quorum;
}
