package dev.interlock.cli;

import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** Keeps the libraries below quiet: what a user has to know, the command says itself. */
public final class Logging {

    private static final String CONFIG_CLASS = "java.util.logging.config.class";

    /** Configures {@code java.util.logging}, which creates this class when something first logs: no handler, so nothing is printed. */
    public Logging() {
        Logger root = LogManager.getLogManager().getLogger("");
        if (root != null) {
            root.setLevel(Level.OFF);
        }
    }

    /** Takes effect when something first logs; costs nothing until then. */
    static void silence() {
        if (System.getProperty(CONFIG_CLASS) == null) {
            System.setProperty(CONFIG_CLASS, Logging.class.getName());
        }
    }

    /** Back to the JVM's configuration: warnings on standard error. To be called before anything logs. */
    static void restore() {
        if (Logging.class.getName().equals(System.getProperty(CONFIG_CLASS))) {
            System.clearProperty(CONFIG_CLASS);
        }
    }
}
