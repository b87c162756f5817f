package dev.interlock.micrometer;

import dev.interlock.LeaseOrigin;
import dev.interlock.LockObserver;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everything that an observer can be told, for each kind of lock. */
final class Exercise {

    static final Duration WAITED = Duration.ofMillis(20);
    static final Duration HELD = Duration.ofMillis(300);

    private Exercise() {}

    static void all(LockObserver observer, String name) {
        kind(observer, name, LockKind.LOCK, new Mode.Exclusive(false));
        kind(observer, name, LockKind.READ_WRITE, new Mode.Exclusive(true));
        kind(observer, name, LockKind.READ_WRITE, Mode.shared());
        kind(observer, name, LockKind.SEMAPHORE, new Mode.Permits(1, 2));
        kind(observer, name, LockKind.LATCH, new Mode.AwaitZero());
        observer.renewed(name, "client:1");
        observer.renewalFailed(name, "client:1", HELD, new StoreUnavailableException("it said no", null));
        observer.storeReplied();
    }

    private static void kind(LockObserver observer, String name, LockKind kind, Mode mode) {
        for (LeaseOrigin origin : LeaseOrigin.values()) {
            hold(observer, name, kind, mode, origin, ReleaseOutcome.RELEASED);
        }
        hold(observer, name, kind, mode, LeaseOrigin.STORE, ReleaseOutcome.UNCONFIRMED);
        for (LossCause cause : LossCause.values()) {
            hold(observer, name, kind, mode, LeaseOrigin.STORE, ReleaseOutcome.lost(cause));
        }
        for (@Nullable Throwable failure : failures()) {
            begin(observer, name, kind, mode).gaveUp(failure, WAITED);
        }
    }

    private static List<@Nullable Throwable> failures() {
        return Stream.<@Nullable Throwable>of(
                        null,
                        new InterruptedException(),
                        new CancellationException(),
                        new StoreUnavailableException("silent", null),
                        new IllegalStateException("closed"))
                .toList();
    }

    private static void hold(
            LockObserver observer, String name, LockKind kind, Mode mode, LeaseOrigin origin, ReleaseOutcome outcome) {
        LockObserver.Acquisition acquisition = begin(observer, name, kind, mode);
        acquisition.acquired(1024, origin, WAITED);
        acquisition.ended(outcome, HELD);
    }

    static LockObserver.Acquisition begin(LockObserver observer, String name, LockKind kind, Mode mode) {
        return Objects.requireNonNull(observer.acquiring(name, kind, mode));
    }
}
