package dev.interlock.spi;

import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * The loggers of Interlock. What an application has made of its log may fail: a full disk, an appender that throws. A
 * message is dropped then, since the thread that logs may be the one that renews the leases. Thread-safe.
 */
public final class Log {

    private Log() {}

    /** {@return the logger of this name, which throws nothing} */
    public static System.Logger named(String name) {
        try {
            return new Guarded(name, System.getLogger(name));
        } catch (Throwable e) {
            return new Guarded(name, null);
        }
    }

    /** {@return the logger of this class, which throws nothing} */
    public static System.Logger of(Class<?> type) {
        return named(type.getName());
    }

    private static final class Guarded implements System.Logger {

        private final String name;

        /** Null if the application's log cannot be had. */
        private final System.@Nullable Logger logger;

        Guarded(String name, System.@Nullable Logger logger) {
            this.name = name;
            this.logger = logger;
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            try {
                return logger != null && logger.isLoggable(level);
            } catch (Throwable e) {
                return false;
            }
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
            try {
                if (logger != null) {
                    logger.log(level, bundle, message, thrown);
                }
            } catch (Throwable e) {
                // There is no other place to say it.
            }
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String format,
                @Nullable Object @Nullable ... values) {
            try {
                if (logger != null) {
                    logger.log(level, bundle, format, values);
                }
            } catch (Throwable e) {
                // As above.
            }
        }
    }
}
