package dev.interlock.micrometer;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The values of tags, which are the same in metrics and observations. */
final class TagValues {

    static final String ACQUIRED = "acquired";

    /** The values of {@code outcome} of an acquisition. */
    static final List<String> OUTCOMES = List.of(ACQUIRED, "busy", "interrupted", "cancelled", "unavailable", "failed");

    private TagValues() {}

    /** The value of {@code kind}: the kind of lock, and of a read/write lock the side. */
    static String kind(LockKind kind, Mode mode) {
        return kind == LockKind.READ_WRITE ? (mode instanceof Mode.Shared ? "read" : "write") : of(kind);
    }

    /** The value of {@code outcome} for a caller that got this instead of a lease. */
    static String outcome(@Nullable Throwable failure) {
        if (failure == null) {
            return "busy";
        }
        if (failure instanceof InterruptedException) {
            return "interrupted";
        }
        if (failure instanceof CancellationException) {
            return "cancelled";
        }
        return failure instanceof StoreUnavailableException ? "unavailable" : "failed";
    }

    /** A constant in lower case, as Micrometer's own values are. */
    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
