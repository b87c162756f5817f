package dev.interlock.annotation.spi;

/** When the work of a method is over: for how long a lock has to be held. */
public enum ResultForm {
    /** When it returns. */
    RETURNED,
    /** When the stage completes that it returns. */
    STAGE,
    /** When the publisher ends that it returns, or that the framework makes of a suspending function. */
    PUBLISHER
}
