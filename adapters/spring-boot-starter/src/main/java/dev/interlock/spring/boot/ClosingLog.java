package dev.interlock.spring.boot;

import dev.interlock.Interlock;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;

/**
 * Has the log of the application show what clients say while they close. They log by {@code System.Logger}, and so by
 * {@code java.util.logging}. When beans are destroyed that leads nowhere any more: Boot has taken its bridge away, and
 * at a signal the JDK removes all handlers. What Spring itself logs by still works.
 *
 * <p>As a post-processor it is made before all clients, and so destroyed after them.
 */
final class ClosingLog implements DestructionAwareBeanPostProcessor, DisposableBean {

    /** Kept: the log manager holds loggers weakly. */
    private final Logger library = Logger.getLogger("dev.interlock");

    private final Handler handler = new ToSpring();

    @Override
    public boolean requiresDestruction(Object bean) {
        return bean instanceof Interlock;
    }

    /** Not earlier: the JDK would remove it with the others. */
    @Override
    public void postProcessBeforeDestruction(Object bean, String name) {
        library.removeHandler(handler);
        library.addHandler(handler);
    }

    @Override
    public void destroy() {
        library.removeHandler(handler);
    }

    /** Logs by what Spring logs by, unless there is a handler for all loggers. */
    private static final class ToSpring extends Handler {

        /** Set while a thread logs: Spring may itself log by java.util.logging. */
        private static final ThreadLocal<Boolean> LOGGING = new ThreadLocal<>();

        /** The root logger. */
        private final Logger root = Logger.getLogger("");

        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord line) {
            if (root.getHandlers().length > 0 || LOGGING.get() != null) {
                return;
            }
            LOGGING.set(true);
            try {
                log(line);
            } finally {
                LOGGING.remove();
            }
        }

        private void log(LogRecord line) {
            Log log = LogFactory.getLog(line.getLoggerName());
            String message = formatter.formatMessage(line);
            int level = line.getLevel().intValue();
            if (level >= Level.SEVERE.intValue()) {
                log.error(message, line.getThrown());
            } else if (level >= Level.WARNING.intValue()) {
                log.warn(message, line.getThrown());
            } else if (level >= Level.INFO.intValue()) {
                log.info(message, line.getThrown());
            } else {
                log.debug(message, line.getThrown());
            }
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
