package dev.interlock.evidence;

/** A process that is to hold the lock does not get it. */
final class NobodyHoldsException extends Exception {

    private static final long serialVersionUID = 1L;
}
