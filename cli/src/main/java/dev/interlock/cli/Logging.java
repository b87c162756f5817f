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

/** Silences the libraries: the command itself reports what the user must know. */
public final class Logging {

    private static final String CONFIG_CLASS = "java.util.logging.config.class";

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
        }
    }

    /** Forwards the warnings of the libraries, which may quote a server. Must be called before anything logs. */
    static void forwardWarnings(Consumer<String> newListener) {
        listener = newListener;
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
