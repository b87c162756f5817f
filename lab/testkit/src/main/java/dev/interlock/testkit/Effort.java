package dev.interlock.testkit;

/**
 * How much a test run may cost: the system property {@code interlock.effort}, {@code short} (the default) or
 * {@code long}.
 */
public enum Effort {
    /** The default build: loops are as long as it takes to notice a broken build. */
    SHORT,
    /** The full form, minutes for each test. */
    LONG;

    /** The tag of the tests that do more in the long form, or are left to it: a long run need not repeat the others. */
    public static final String SCALED = "scaled";

    /**
     * The tag of those among them that go on for minutes and mostly wait: others may run beside them, and they beside
     * each other.
     */
    public static final String MINUTES = "minutes";

    /**
     * The tag of the tests that bound elapsed time, a rate, or a number of requests that grows when the machine is
     * slow. {@code mvn verify} leaves them out; {@code mvn verify -Ptiming} runs them alone, with nothing beside them.
     */
    public static final String TIMING = "timing";

    /** The property that chooses. */
    public static final String PROPERTY = "interlock.effort";

    /**
     * The effort of this run.
     *
     * @throws IllegalArgumentException if the property is neither {@code short} nor {@code long}
     */
    public static Effort current() {
        return of(System.getProperty(PROPERTY, "short"));
    }

    /** One of two values, by the effort of this run. */
    public static <T> T pick(T shortly, T fully) {
        return current() == LONG ? fully : shortly;
    }

    static Effort of(String value) {
        return switch (value) {
            case "short", "" -> SHORT;
            case "long" -> LONG;
            default -> throw new IllegalArgumentException(PROPERTY + " must be short or long: " + value);
        };
    }
}
