package dev.interlock.testkit.fault;

/** One way in which a store is sick, for a test to begin and to end. */
public interface StoreFault {

    /** What is wrong, for messages. */
    String name();

    /** Makes the store sick. */
    void strike();

    /** Ends it. */
    void heal();

    /**
     * How often the fault has hit something so far: requests kept back, bytes dropped, connections refused. Proof that
     * it was there.
     */
    long hits();
}
