package dev.interlock.annotation.spi;

import dev.interlock.annotation.Locked;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@link Locked} methods: acquires, calls, releases. Thread-safe; all state of a call is in the call.
 *
 * <pre>
 *   names -> acquire -- busy --> throw, skip or fallback
 *               |  \--- silent store --> throw, skip or run without
 *               v
 *            body, with the lease -> release, or at the end of the transaction that was there before
 * </pre>
 */
// The annotation of null is for the build and for readers: a user does not need it.
@SuppressWarnings("exports")
public final class LockedCalls {

    private final Locking locking;

    /** Runs methods with what this framework has. */
    public LockedCalls(Framework framework) {
        this.locking = new Locking(framework);
    }

    /**
     * Runs a call under its locks.
     *
     * @param operations the annotations of the method, outermost first; at least one
     * @return what the caller gets
     * @throws IllegalArgumentException if there is no operation
     */
    public @Nullable Object run(Call call, List<LockedOperation> operations) throws Throwable {
        if (operations.isEmpty()) {
            throw new IllegalArgumentException("LockedCalls.run: operations is empty, on "
                    + call.method().getName() + ": call a method without @Locked itself");
        }
        LockedCall locked = new LockedCall(call, operations);
        return switch (operations.get(0).form()) {
            case STAGE -> new StageLocking(locking).run(locked);
            case PUBLISHER -> new ReactiveLocking(locking).run(locked);
            case RETURNED -> new SynchronousLocking(locking).run(locked);
        };
    }
}
