package dev.interlock.simulation;

/** A part of a plan that can be left out: a call, or a fault. */
sealed interface Step permits Ask, Fault {

    /** When it begins. */
    long atNanos();

    /** What it is, in a line for people. */
    String describe();
}
