package dev.interlock.testkit.fuzz;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a target with inputs that are made from real ones. Input number n of a seed is the same in every run, so a
 * failure repeats itself.
 *
 * <p>What every target must keep is checked here: it throws nothing, and it allocates memory in proportion to its
 * input. The time of an input is bounded only if {@value #MILLIS} says so, since a machine may be slow; without it a
 * target that never ends meets the time-out of its test.
 */
public final class Fuzz {

    /** The property with the number of inputs of each target; without it, a target has a number of its own. */
    public static final String INPUTS = "interlock.fuzz.inputs";

    /** The property with the seed, a number. */
    public static final String SEED = "interlock.fuzz.seed";

    /** The property with the longest processor time of one input in milliseconds. */
    public static final String MILLIS = "interlock.fuzz.millis";

    private static final int SOME = 1_500;
    private static final int LONGEST = 20_000;

    /** What an input may allocate: the traces of some exceptions, and so many bytes for each of its characters. */
    private static final long BYTES = 1L << 20;

    private static final long BYTES_PER_CHARACTER = 2_000;

    private static final int MOST_ATTEMPTS_TO_SHORTEN = 3_000;
    private static final int MOST_TO_SHOW = 1_000;

    private final String name;
    private final List<String> corpus;
    private List<String> words = List.of();
    private List<String> regressions = List.of();
    private int some = SOME;
    private int longest = LONGEST;

    /** What is tried with an input. */
    public interface Target {

        /**
         * Uses the input.
         *
         * @return whether the input was accepted, and not refused as it should be
         * @throws Throwable if a rule is broken
         */
        boolean accepts(String input) throws Throwable;
    }

    private Fuzz(String name, List<String> corpus) {
        this.name = name;
        this.corpus = corpus;
    }

    /**
     * Inputs that are made from these texts.
     *
     * @param name of the target, in messages
     * @param corpus real inputs, each of which the target accepts
     */
    public static Fuzz of(String name, String... corpus) {
        return new Fuzz(name, List.of(corpus));
    }

    /** Other words that the target knows. */
    public Fuzz words(String... known) {
        words = List.of(known);
        return this;
    }

    /** Inputs that have broken the target once. */
    public Fuzz regressions(String... inputs) {
        regressions = List.of(inputs);
        return this;
    }

    /** How many inputs a default build tries. */
    public Fuzz inputs(int shortly) {
        some = shortly;
        return this;
    }

    /** The longest input, in characters. */
    public Fuzz longest(int characters) {
        longest = characters;
        return this;
    }

    /**
     * Tries all inputs.
     *
     * @throws AssertionError if one breaks a rule; it has the shortest input that was found to break it in the same way
     */
    public void run(Target target) {
        Mutations mutations = new Mutations(corpus, words, longest);
        long seed = Long.getLong(SEED, 1);
        int count = Integer.getInteger(INPUTS, some);
        Meter meter = new Meter(target);
        for (String real : corpus) {
            check(meter, "A real input", real);
            if (!meter.hasAccepted()) {
                throw new AssertionError("'" + name + "' refuses a real input: " + shown(real));
            }
        }
        regressions.forEach(known -> check(meter, "A known input", known));
        for (int index = 0; index < count; index++) {
            check(meter, "Input " + index + " of seed " + seed, mutations.text(seed, index));
        }
        System.out.printf(Locale.ROOT, "fuzz %-28s %s%n", name, meter);
    }

    private void check(Meter meter, String which, String input) {
        Throwable broken = meter.failure(input);
        if (broken != null) {
            throw new AssertionError(
                    which + " breaks '" + name + "': " + shown(shortened(meter, input, broken)), broken);
        }
    }

    /** Runs the action. Returns null if it succeeds, or the exception if it is the documented one; throws others. */
    public static <E extends RuntimeException> @Nullable E refusal(Class<E> documented, Runnable action) {
        try {
            action.run();
            return null;
        } catch (RuntimeException e) {
            if (!documented.isInstance(e)) {
                throw e;
            }
            if (String.valueOf(e.getMessage()).isBlank()) {
                throw new AssertionError("A refusal must say why", e);
            }
            return documented.cast(e);
        }
    }

    /** Whether a text is in a message of the exception or of one of its causes. */
    public static boolean tells(@Nullable Throwable failure, String text) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (String.valueOf(t.getMessage()).contains(text)) {
                return true;
            }
        }
        return false;
    }

    private static String shortened(Meter meter, String input, Throwable broken) {
        String shortest = input;
        int attempts = 0;
        for (int size = Math.max(1, input.length() / 2); size > 0; size /= 2) {
            int at = 0;
            while (at + size <= shortest.length() && attempts++ < MOST_ATTEMPTS_TO_SHORTEN) {
                String shorter = shortest.substring(0, at) + shortest.substring(at + size);
                Throwable same = meter.failure(shorter);
                if (same != null && same.getClass() == broken.getClass()) {
                    shortest = shorter;
                } else {
                    at += size;
                }
            }
        }
        return shortest;
    }

    /** As a text of Java. */
    private static String shown(String input) {
        StringBuilder shown = new StringBuilder("\"");
        input.chars()
                .limit(MOST_TO_SHOW)
                .forEach(c -> shown.append(
                        c == '"' || c == '\\'
                                ? "\\" + (char) c
                                : c < ' ' || c > '~' ? String.format("\\u%04x", c) : "" + (char) c));
        return shown + "\""
                + (input.length() > MOST_TO_SHOW ? " and " + (input.length() - MOST_TO_SHOW) + " more" : "");
    }

    /** What a target costs. */
    private static final class Meter {

        private final com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        private final long mostNanos = TimeUnit.MILLISECONDS.toNanos(Long.getLong(MILLIS, Long.MAX_VALUE));
        private final long begun = System.nanoTime();
        private final Target target;
        private boolean hasAccepted;
        private int inputs;
        private int accepted;
        private long slowest;

        Meter(Target target) {
            this.target = target;
        }

        /**
         * Null if no rule is broken. What seems to cost too much may have met the loading of classes: it is repeated.
         */
        @Nullable
        Throwable failure(String input) {
            Throwable broken = attempt(input);
            return broken instanceof CostException ? attempt(input) : broken;
        }

        boolean hasAccepted() {
            return hasAccepted;
        }

        private @Nullable Throwable attempt(String input) {
            long bytes = threads.getCurrentThreadAllocatedBytes();
            long nanos = threads.getCurrentThreadCpuTime();
            try {
                hasAccepted = target.accepts(input);
            } catch (Throwable e) {
                return e;
            }
            nanos = threads.getCurrentThreadCpuTime() - nanos;
            bytes = threads.getCurrentThreadAllocatedBytes() - bytes;
            inputs++;
            accepted += hasAccepted ? 1 : 0;
            slowest = Math.max(slowest, nanos);
            if (bytes > BYTES + BYTES_PER_CHARACTER * input.length()) {
                return new CostException(bytes + " bytes for " + input.length() + " characters");
            }
            return nanos <= mostNanos
                    ? null
                    : new CostException(nanos / 1_000_000 + " ms for " + input.length() + " characters");
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%,12d inputs %3d %% accepted %8.1f s slowest %8.2f ms",
                    inputs,
                    inputs == 0 ? 0 : 100L * accepted / inputs,
                    (System.nanoTime() - begun) / 1e9,
                    slowest / 1e6);
        }
    }

    /** An input costs too much. */
    private static final class CostException extends Exception {

        private static final long serialVersionUID = 1L;

        CostException(String message) {
            super(message);
        }
    }
}
