package dev.interlock.spi;

import org.jspecify.annotations.Nullable;

/** Something that a store may lack. Every store has the plain lock; see {@link LockStore#capabilities()}. */
@SuppressWarnings("exports")
public enum Capability {
    /** Plain locks that are granted in the order of arrival: {@link Mode#fair()}. */
    FAIR_LOCK("fair locks", "use a lock that is not fair"),
    /** Read/write locks. */
    READ_WRITE_LOCK("read/write locks", "use a plain lock"),
    /** Semaphores. */
    SEMAPHORE("semaphores", "use a plain lock for each permit"),
    /** Latches. */
    LATCH("latches", "use another store"),
    /** {@link Command.RequestRevocation}: telling the clients of those who hold that somebody asks them to let go. */
    REVOCATION("asking a holder to let go", "wait for the lock, or end its claim by force"),
    /** {@link Claim#lapsing}: claims that outlive their holder on purpose. */
    LAPSE("leaving a lock to lapse", "hold the lock for that time"),
    /** {@link Wake.Wanted}: notifying a client that keeps a claim unused when another wants the name. */
    RETENTION("keeping a released lock", "use LockOptions without retained()"),
    /** Listing names: the store implements {@link LockCatalog}. */
    LISTING("listing its locks", "inspect a lock by its name");

    private final String what;
    private final String instead;

    Capability(String what, String instead) {
        this.what = what;
        this.instead = instead;
    }

    /** The capability that a claim of this kind in this mode needs; null if every store has it. */
    public static @Nullable Capability neededFor(LockKind kind, Mode mode) {
        if (kind == LockKind.LOCK) {
            return mode.inOrder() ? FAIR_LOCK : null;
        }
        if (kind == LockKind.READ_WRITE) {
            return READ_WRITE_LOCK;
        }
        return kind == LockKind.SEMAPHORE ? SEMAPHORE : LATCH;
    }

    /** The capability that a command with this action needs. */
    public static Capability neededFor(Command.Action action) {
        if (action instanceof Command.RequestRevocation) {
            return REVOCATION;
        }
        return action instanceof Command.SetCount || action instanceof Command.CountDown ? LATCH : SEMAPHORE;
    }

    /**
     * The exception for a caller that wants this of a store which lacks it.
     *
     * @param name the lock, or what the names of those wanted begin with
     */
    public UnsupportedOperationException refusal(LockStore store, String name) {
        return new UnsupportedOperationException(store.getClass().getSimpleName() + " does not support " + what + "; "
                + instead + ": name=" + Printable.of(name));
    }
}
