/** Locks for coroutines. */
module dev.interlock.kotlin {
    requires transitive dev.interlock;
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;

    exports dev.interlock.kotlin;
}
