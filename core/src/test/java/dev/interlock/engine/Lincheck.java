package dev.interlock.engine;

/** How much Lincheck does: seconds by default, minutes with {@code interlock.effort=long}. */
final class Lincheck {

    private static final boolean LONG =
            System.getProperty("interlock.effort", "short").equals("long");

    private Lincheck() {}

    static int iterations() {
        return LONG ? 20 : 5;
    }

    static int invocations() {
        return LONG ? 5_000 : 1_000;
    }
}
