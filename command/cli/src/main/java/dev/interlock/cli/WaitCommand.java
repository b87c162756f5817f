package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.cli.common.Durations;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.spi.LockKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code interlock wait}. */
@Command(
        name = "wait",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Wait until nobody holds a lock, without taking it: somebody else may hold it a moment later.",
        footer = {
            "",
            "DURATION is a number with a unit, " + Durations.SYNTAX + ".",
            "A semaphore is free when all of its permits are, a latch when it is at zero.",
            "Exit code: 0; 64 wrong usage; 69 store unavailable; 75 the lock is busy, or the wait is over (-E changes "
                    + "it)."
        })
final class WaitCommand implements Callable<Integer> {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Parameters(paramLabel = "NAME", description = "The lock: 1 to 512 bytes of UTF-8.")
    private String name = "";

    @Override
    public Integer call() throws InterruptedException {
        CommonOptions.checkedName(name);
        waiting.check();
        long startNanos = System.nanoTime();
        try (Interlock interlock = common.connect(common.store(), "interlock wait")) {
            // The first look fails at once if the store is not available.
            boolean free = isFree(interlock.administration().inspect(name));
            if (!free) {
                common.log("waiting for '" + name + "'");
            }
            Duration pause = FIRST_PAUSE;
            while (!free) {
                Duration limit = waiting.limit();
                Duration rest = limit == null ? pause : limit.minusNanos(System.nanoTime() - startNanos);
                if (rest.isNegative() || rest.isZero()) {
                    common.log("'" + name + "' is busy");
                    return waiting.busyExitCode();
                }
                TimeUnit.NANOSECONDS.sleep(shorter(rest, pause).toNanos());
                pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
                free = look(interlock);
            }
        }
        return ExitCode.OK;
    }

    /** A wait that has begun survives a store that is unavailable for a while. */
    private boolean look(Interlock interlock) {
        try {
            return isFree(interlock.administration().inspect(name));
        } catch (StoreUnavailableException e) {
            common.log("the store is unavailable: " + e.getMessage());
            return false;
        }
    }

    private static boolean isFree(List<LockStatus> used) {
        return used.stream()
                .noneMatch(status -> status.isLocked() || (status.kind() == LockKind.LATCH && status.count() > 0));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
