/** Runs on the module path, and on the class path as well. */
module example {
    requires dev.interlock;
}
