/**
 * Helpers that several stores share. Applications do not use them directly.
 *
 * <p>The annotations of null are not {@code transitive}: a module that requires this one does not need them to compile.
 */
module dev.interlock.support {
    requires transitive dev.interlock;
    requires java.naming;
    requires static org.jspecify;

    exports dev.interlock.support;
    exports dev.interlock.support.rules;
}
