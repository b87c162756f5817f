package dev.interlock.cli;

import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import dev.interlock.cli.common.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the kind of lock that {@code run} acquires. */
final class KindOptions {

    @Option(names = "--fair", description = "Take a lock that goes to all who want it fairly in the order of arrival.")
    private boolean fair;

    @Option(
            names = "--shared",
            description = "Take a share of a read/write lock: others that want a share run beside it.")
    private boolean shared;

    @Option(
            names = "--exclusive",
            description = "Take the whole of a read/write lock: nobody with a share runs beside it.")
    private boolean exclusive;

    @Option(
            names = "--permits",
            paramLabel = "N/M",
            description = "Take N permits of a semaphore that has M, all at once: so others may run beside it.")
    private @Nullable String permits;

    private int taken;
    private int capacity;

    /** Takes an option without a value. */
    boolean take(String option) {
        boolean first = (!fair && option.equals("--fair"))
                || (!shared && option.equals("--shared"))
                || (!exclusive && option.equals("--exclusive"));
        fair |= option.equals("--fair");
        shared |= option.equals("--shared");
        exclusive |= option.equals("--exclusive");
        return first;
    }

    /** Takes an option with its value. */
    boolean take(String option, String value) {
        boolean taken = permits == null && option.equals("--permits");
        permits = taken ? value : permits;
        return taken;
    }

    /** Refuses options that exclude each other. */
    void check() {
        List<String> given = new ArrayList<>();
        addIf(fair, "--fair", given);
        addIf(shared, "--shared", given);
        addIf(exclusive, "--exclusive", given);
        addIf(permits != null, "--permits", given);
        if (given.size() > 1) {
            throw CommandException.usage(String.join(" and ", given) + " exclude each other; allowed is one of them");
        }
        if (permits != null) {
            parse(permits);
        }
    }

    private static void addIf(boolean isGiven, String option, List<String> given) {
        if (isGiven) {
            given.add(option);
        }
    }

    private void parse(String text) {
        Matcher numbers = Pattern.compile("([0-9]{1,9})/([0-9]{1,9})").matcher(text);
        taken = numbers.matches() ? Integer.parseInt(numbers.group(1)) : 0;
        capacity = numbers.matches() ? Integer.parseInt(numbers.group(2)) : 0;
        if (taken < 1 || taken > capacity) {
            throw CommandException.usage("--permits must be N/M, with N from 1 to M: " + text);
        }
    }

    /** The lock or the permits to acquire. Call {@link #check} before. */
    Acquirable acquirable(Interlock interlock, String name, LockOptions options) {
        if (permits != null) {
            return Acquirable.of(interlock.semaphore(name, capacity, options), taken);
        }
        if (shared || exclusive) {
            DistributedReadWriteLock lock = interlock.readWriteLock(name, options);
            return Acquirable.of(shared ? lock.readLock() : lock.writeLock());
        }
        return Acquirable.of(interlock.lock(name, options.toBuilder().fair(fair).build()));
    }
}
