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

/** Keeps the libraries below quiet: what a user has to know, the command says itself. */
public final class Logging {

    private static final String CONFIG_CLASS = "java.util.logging.config.class";

    private static volatile @Nullable Consumer<String> listener;

    /**
     * Configures {@code java.util.logging}, which creates this class when something first logs: without a listener
     * nothing is printed.
     */
    public Logging() {
        Logger root = LogManager.getLogManager().getLogger("");
        Consumer<String> told = listener;
        if (root != null) {
            root.setLevel(told == null ? Level.OFF : Level.WARNING);
            if (told != null) {
                root.addHandler(new Warnings(told));
            }
        }
    }

    /** Takes effect when something first logs; costs nothing until then. */
    static void silence() {
        if (System.getProperty(CONFIG_CLASS) == null) {
            System.setProperty(CONFIG_CLASS, Logging.class.getName());
        }
    }

    /** Tells what the libraries warn of, whose words may be a server's. To be called before anything logs. */
    static void tellWarnings(Consumer<String> newListener) {
        listener = newListener;
    }

    private static final class Warnings extends Handler {

        private final Formatter formatter = new SimpleFormatter();
        private final Consumer<String> told;

        Warnings(Consumer<String> told) {
            this.told = told;
        }

        @Override
        public void publish(LogRecord warning) {
            Throwable thrown = warning.getThrown();
            String message = formatter.formatMessage(warning);
            told.accept(thrown == null ? message : message + ": " + thrown);
        }

        @Override
        public void flush() {
            // Nothing is kept.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
