package dev.interlock.simulation;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds what the engine only logs: an error that it survives is an error. The run of a thread gets what it logs. */
final class Errors {

    private static final int LINES = 14;
    private static final ThreadLocal<@Nullable Consumer<String>> RUN = new ThreadLocal<>();

    private static final Pattern OF_THE_STORE =
            Pattern.compile("The store has been unavailable for |\\d+ renewals? ha(s|ve) failed more than once; ");

    /** Held, so that the logger keeps its handler. */
    private static final Logger LOGGER = Logger.getLogger("dev.interlock");

    static {
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(new Handler() {
            @Override
            public void publish(LogRecord logged) {
                Consumer<String> run = RUN.get();
                if (run != null && logged.getLevel().intValue() >= Level.WARNING.intValue() && !isOfTheStore(logged)) {
                    Throwable thrown = logged.getThrown();
                    run.accept(logged.getMessage() + (thrown == null ? "" : ": " + describe(thrown)));
                }
            }

            @Override
            public void flush() {
                // Nothing is kept.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        });
    }

    private Errors() {}

    /** A store that falls silent, or does not answer renewals, is no error of the engine, which says so. */
    private static boolean isOfTheStore(LogRecord logged) {
        return logged.getLevel().equals(Level.WARNING)
                && OF_THE_STORE.matcher(logged.getMessage()).lookingAt();
    }

    /** From now on this thread's log goes there. */
    static void listen(Consumer<String> run) {
        RUN.set(run);
    }

    static void stop() {
        RUN.remove();
    }

    /** The beginning of its stack. */
    static String describe(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        StringBuilder beginning = new StringBuilder();
        text.toString().lines().limit(LINES).forEach(line -> beginning
                .append(line)
                .append('\n'));
        return beginning.toString().strip();
    }
}
