package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which locks a list has. */
final class ListOptions {

    /** A store has to send all that is counted. */
    static final int MOST_COUNTED = 10_000;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "The most locks to list. Default: ${DEFAULT-VALUE}")
    private int limit = 1000;

    @Parameters(arity = "0..1", paramLabel = "PREFIX", description = "How the names begin. Default: all.")
    private String prefix = "";

    void check() {
        if (limit < 1) {
            throw CommandException.usage("--limit must be 1 or more: " + limit);
        }
    }

    /** Asks the store, for one more than is shown. */
    Listing look(Interlock interlock) {
        return Listing.of(list(interlock, limit), limit);
    }

    /** Asks the store once more if there are more than are shown: how many in all, up to {@link #MOST_COUNTED}. */
    Listing lookAndCount(Interlock interlock) {
        Listing listing = look(interlock);
        if (!listing.goesOn() || limit >= MOST_COUNTED) {
            return listing;
        }
        try {
            int counted = list(interlock, MOST_COUNTED).size();
            return counted > MOST_COUNTED ? listing : listing.withTotal(counted);
        } catch (StoreUnavailableException e) {
            // The list is whole as far as it goes. To have it matters more than to know what it leaves out.
            return listing;
        }
    }

    /**
     * Asks the store for up to {@link #MOST_COUNTED}, and shows of them those that come first.
     *
     * @param olderThan only locks that somebody has held for longer; null for all
     */
    Listing lookFor(Interlock interlock, TopOrder order, @Nullable Duration olderThan) {
        int most = Math.max(limit, MOST_COUNTED);
        return Listing.of(list(interlock, most), most).arranged(order, olderThan, limit);
    }

    private List<LockStatus> list(Interlock interlock, int most) {
        try {
            return interlock.administration().list(prefix, Math.max(most, most + 1));
        } catch (UnsupportedOperationException e) {
            throw new CommandException(
                    ExitCode.UNAVAILABLE, "this store cannot list its locks; 'interlock show NAME' looks at one", e);
        }
    }
}
