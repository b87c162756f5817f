package dev.interlock.cli;

import java.util.function.Consumer;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Silences the libraries: the command itself reports what the user must know.
 *
 * <p>All of them end at {@code java.util.logging}, those that log by SLF4J only while somebody listens: SLF4J would
 * open each jar of the class path to look for its back end, and start {@code java.util.logging}, both for nothing.
 */
public final class Logging {

    private static final String CONFIG_CLASS = "java.util.logging.config.class";
    private static final String SLF4J_PROVIDER = "slf4j.provider";
    private static final String NO_PROVIDER = "org.slf4j.helpers.NOP_FallbackServiceProvider";

    private static volatile @Nullable Consumer<String> listener;

    /**
     * Configures {@code java.util.logging}, which creates this class when something first logs: without a listener
     * nothing is printed.
     */
    public Logging() {
        Logger root = LogManager.getLogManager().getLogger("");
        Consumer<String> target = listener;
        if (root != null) {
            root.setLevel(target == null ? Level.OFF : Level.WARNING);
            if (target != null) {
                root.addHandler(new Warnings(target));
            }
        }
    }

    /** Takes effect when something first logs, and costs nothing until then. */
    static void silence() {
        if (System.getProperty(CONFIG_CLASS) == null) {
            System.setProperty(CONFIG_CLASS, Logging.class.getName());
            if (System.getProperty(SLF4J_PROVIDER) == null) {
                System.setProperty(SLF4J_PROVIDER, NO_PROVIDER);
                // SLF4J would print that it takes the one that was named.
                System.setProperty("slf4j.internal.verbosity", "WARN");
            }
        }
    }

    /** Forwards the warnings of the libraries, which may quote a server. Must be called before anything logs. */
    static void forwardWarnings(Consumer<String> newListener) {
        listener = newListener;
        if (NO_PROVIDER.equals(System.getProperty(SLF4J_PROVIDER))) {
            System.clearProperty(SLF4J_PROVIDER);
        }
    }

    private static final class Warnings extends Handler {

        private final Formatter formatter = new SimpleFormatter();
        private final Consumer<String> target;

        Warnings(Consumer<String> target) {
            this.target = target;
        }

        @Override
        public void publish(LogRecord warning) {
            Throwable thrown = warning.getThrown();
            String message = formatter.formatMessage(warning);
            target.accept(thrown == null ? message : message + ": " + thrown);
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
