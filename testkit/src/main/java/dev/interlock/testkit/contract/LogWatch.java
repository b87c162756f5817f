package dev.interlock.testkit.contract;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Collects warnings and errors that our code logs. {@code System.Logger} writes to {@code java.util.logging} if nothing
 * else is installed.
 */
final class LogWatch extends Handler implements AutoCloseable {

    /** Kept: the log manager holds loggers weakly. */
    private final Logger logger = Logger.getLogger("dev.interlock");

    private final Queue<String> problems = new ConcurrentLinkedQueue<>();

    LogWatch() {
        logger.addHandler(this);
    }

    /** What was logged at WARNING or above. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    @Override
    public void publish(LogRecord line) {
        if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
            problems.add(line.getLevel() + " " + line.getLoggerName() + ": " + line.getMessage());
        }
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
