package dev.interlock;

import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of one lock, made by a {@link Builder}. Give locks of one name in one client the same options: they share the
 * queue in front of the name. Two that have the same values are equal; callbacks are compared by their own
 * {@code equals}. Immutable and thread-safe.
 *
 * <p>A plain lock has all options, other kinds have not: an option that has no effect on a kind is refused when it is
 * given to one, with an {@link IllegalArgumentException} that says why. It is left out only of options that are for
 * several kinds: a client's defaults, those of a name for {@code @Locked} and of an election for {@code @LeaderOnly},
 * and those of an {@code UpgradableReadWriteLock}.
 */
// The annotation of null is for the build and for readers: a user does not need it.
@SuppressWarnings("exports")
public final class LockOptions {

    /**
     * The largest number of hand-overs inside a process before other processes get their turn: the token has room for
     * as many.
     */
    public static final int MAX_HAND_OVERS = 1023;

    /** The longest id of a participant, in characters. */
    public static final int MAX_PARTICIPANT = 128;

    /** The longest time for which a name stays closed after a lease that was lost. */
    public static final Duration MAX_LOCK_DELAY = Duration.ofHours(1);

    private static final LockOptions DEFAULTS = new Builder().build();

    private final LeaseTerm lease;
    private final int handOverCount;
    private final Duration handOverTime;
    private final Duration retained;
    private final Duration lockDelay;
    private final boolean fair;
    private final boolean reentrant;
    private final boolean forgetsLostHolds;
    private final boolean releasesEarly;
    private final String participant;
    private final @Nullable Consumer<Lease> onRevocationRequested;

    private LockOptions(Builder builder) {
        lease = builder.lease;
        handOverCount = builder.handOverCount;
        handOverTime = builder.handOverTime;
        retained = builder.retained;
        lockDelay = builder.lockDelay;
        fair = builder.fair;
        reentrant = builder.reentrant;
        forgetsLostHolds = builder.forgetLostHolds;
        releasesEarly = builder.releaseEarly;
        participant = builder.participant;
        onRevocationRequested = builder.onRevocationRequested;
    }

    /**
     * {@return the default options: a re-entrant lock that is not fair, with a renewing lease of 30 s, and hand-over
     * inside the process up to 1023 times or for 10 ms, whichever is first}
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /** {@return a new builder, which has the {@linkplain #defaults() defaults}} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a new builder, which has these options} */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** {@return these options without those that have no effect on read/write locks: for code that serves all kinds} */
    public LockOptions forReadWriteLock() {
        return OptionsOfKind.READ_WRITE_LOCK.only(this);
    }

    /** {@return these options without those that have no effect on semaphores: for code that serves all kinds} */
    public LockOptions forSemaphore() {
        return OptionsOfKind.SEMAPHORE.only(this);
    }

    /** {@return these options without those that have no effect on elections: for code that serves all kinds} */
    public LockOptions forElection() {
        return OptionsOfKind.ELECTION.only(this);
    }

    /** {@return the term of acquisitions that name none} */
    public LeaseTerm lease() {
        return lease;
    }

    /** {@return the largest number of hand-overs of one claim} */
    public int handOverCount() {
        return handOverCount;
    }

    /** {@return the longest time of hand-overs of one claim} */
    public Duration handOverTime() {
        return handOverTime;
    }

    /**
     * {@return for how long the client keeps the lock after its last use, unless another wants it; zero: not at all}
     */
    public Duration retained() {
        return retained;
    }

    /** {@return for how long the name stays closed after a lease on it was lost} */
    public Duration lockDelay() {
        return lockDelay;
    }

    /** {@return whether the lock goes to its callers in the order of arrival} */
    public boolean isFair() {
        return fair;
    }

    /** {@return whether the thread that holds the lock may acquire it once more} */
    public boolean isReentrant() {
        return reentrant;
    }

    /** {@return whether a thread forgets a hold that it has lost when it acquires the lock again} */
    public boolean forgetsLostHolds() {
        return forgetsLostHolds;
    }

    /** {@return whether the lock is released without waiting for the store} */
    public boolean releasesEarly() {
        return releasesEarly;
    }

    /** {@return the participant for which the lock is acquired; empty if none is named} */
    public String participant() {
        return participant;
    }

    /** {@return the callback that each lease has for revocation requests; empty if there is none} */
    public Optional<Consumer<Lease>> onRevocationRequested() {
        return Optional.ofNullable(onRevocationRequested);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockOptions that
                && lease.equals(that.lease)
                && handOverCount == that.handOverCount
                && handOverTime.equals(that.handOverTime)
                && retained.equals(that.retained)
                && lockDelay.equals(that.lockDelay)
                && fair == that.fair
                && reentrant == that.reentrant
                && forgetsLostHolds == that.forgetsLostHolds
                && releasesEarly == that.releasesEarly
                && participant.equals(that.participant)
                && Objects.equals(onRevocationRequested, that.onRevocationRequested);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                lease,
                handOverCount,
                handOverTime,
                retained,
                lockDelay,
                fair,
                reentrant,
                forgetsLostHolds,
                releasesEarly,
                participant,
                onRevocationRequested);
    }

    /** {@return all options; of a callback only whether there is one} */
    @Override
    public String toString() {
        return "LockOptions[lease=" + lease + ", handOverCount=" + handOverCount + ", handOverTime=" + handOverTime
                + ", retained=" + retained + ", lockDelay=" + lockDelay + ", fair=" + fair + ", reentrant=" + reentrant
                + ", forgetsLostHolds=" + forgetsLostHolds + ", releasesEarly=" + releasesEarly + ", participant="
                + Printable.of(participant) + ", onRevocationRequested="
                + (onRevocationRequested == null ? "absent" : "present") + "]";
    }

    /**
     * Makes {@link LockOptions}. Each method replaces what was set before, so each option can be undone. A value out of
     * range is refused at once, options that exclude each other by {@link #build()}. Not thread-safe.
     */
    public static final class Builder {

        private LeaseTerm lease = LeaseTerm.renewing();
        private int handOverCount = MAX_HAND_OVERS;
        private Duration handOverTime = Duration.ofMillis(10);
        private Duration retained = Duration.ZERO;
        private Duration lockDelay = Duration.ZERO;
        private boolean fair;
        private boolean reentrant = true;
        private boolean forgetLostHolds;
        private boolean releaseEarly;
        private String participant = "";
        private @Nullable Consumer<Lease> onRevocationRequested;

        private Builder() {}

        private Builder(LockOptions options) {
            lease = options.lease;
            handOverCount = options.handOverCount;
            handOverTime = options.handOverTime;
            retained = options.retained;
            lockDelay = options.lockDelay;
            fair = options.fair;
            reentrant = options.reentrant;
            forgetLostHolds = options.forgetsLostHolds;
            releaseEarly = options.releasesEarly;
            participant = options.participant;
            onRevocationRequested = options.onRevocationRequested;
        }

        /**
         * Sets the term of acquisitions that name none. A renewing lease of 30 s by default.
         *
         * @param term the default term
         * @return this builder
         */
        public Builder lease(LeaseTerm term) {
            this.lease = Objects.requireNonNull(term, "term");
            return this;
        }

        /**
         * Sets the bounds of the hand-over inside the process. After so many hand-overs, or so long, the client asks
         * the store again for the next caller, and lines up behind all that wait there. 1023 times or for 10 ms by
         * default.
         *
         * @param count 0 (every release goes to the store) to {@value #MAX_HAND_OVERS}
         * @param time not negative
         * @return this builder
         * @throws IllegalArgumentException if an argument is out of range
         */
        public Builder handOver(int count, Duration time) {
            if (count < 0 || count > MAX_HAND_OVERS) {
                throw new IllegalArgumentException(
                        "The hand-over count must be from 0 to " + MAX_HAND_OVERS + ": " + count);
            }
            if (Objects.requireNonNull(time, "time").isNegative()) {
                throw new IllegalArgumentException("The hand-over time must not be negative: " + time);
            }
            this.handOverCount = count;
            this.handOverTime = time;
            return this;
        }

        /**
         * Sets whether the lock goes to the callers of all processes in the order in which they arrive at the store.
         * Hand-over is slower then, because it always goes through the store. {@code tryLock()} keeps to the order,
         * too: it fails while anybody waits. A claim of the same name that is not fair, or that belongs to another
         * client library, keeps to no order. The same applies to a semaphore. Not for read/write locks and elections,
         * which keep to the order anyway.
         *
         * @param fair false by default
         * @return this builder
         */
        public Builder fair(boolean fair) {
            this.fair = fair;
            return this;
        }

        /**
         * Sets whether a thread that holds the lock may acquire it once more. If not, {@code lock} throws
         * {@link IllegalStateException} at once, because the thread would wait for itself for ever, and {@code tryLock}
         * fails.
         *
         * @param reentrant true by default
         * @return this builder
         */
        public Builder reentrant(boolean reentrant) {
            this.reentrant = reentrant;
            return this;
        }

        /**
         * Sets whether a thread forgets a hold that it has lost when it acquires the lock then, by {@code lock} or
         * {@code tryLock}: it begins anew, as a thread that holds nothing. By default {@link LockLostException} is
         * thrown until the thread has unlocked the lost hold, so that it learns of the loss. With this option it learns
         * of it by {@link Lease#onLost}, or by unlocking before it locks again. The option is for holds of threads: a
         * lease never needs it, and several locks as one remember their holds.
         *
         * @param forgetLostHolds false by default
         * @return this builder
         */
        public Builder forgetLostHolds(boolean forgetLostHolds) {
            this.forgetLostHolds = forgetLostHolds;
            return this;
        }

        /**
         * Sets whether the lock is released without waiting for the store. {@code unlock()} and {@link Lease#close()}
         * send the release and return. The thread goes on while the release is on its way, and the next acquisition of
         * the name by this client follows it at once, in the same write where the store can: it never meets the lease
         * that it has just released. Others get the lock no later than without the option.
         *
         * <p>You learn the outcome from {@link LockObserver.Acquisition#ended}. So {@code unlock()} throws
         * {@link LockLostException} only if the loss is known when it is called, and not if the store's answer shows
         * it. If the store does not answer, the client repeats the release in the background, as always.
         * {@link Lease#release()} and the asynchronous calls return the outcome, and so wait for it as without the
         * option; several locks as one do, too.
         *
         * <p>A lock that is {@linkplain #retained(Duration) retained} is not sent anything as long as the client keeps
         * it; the option counts when the client gives it back.
         *
         * @param releaseEarly false by default
         * @return this builder
         */
        public Builder releaseEarly(boolean releaseEarly) {
            this.releaseEarly = releaseEarly;
            return this;
        }

        /**
         * Sets for how long the client keeps the lock after it was released, until somebody asks. The client goes on
         * renewing it, and its next {@code lock} takes it again without a request to the store, with a larger token.
         * The client gives it back when another client wants it (at once if nobody holds it, otherwise at
         * {@code unlock}), when nobody has used it for {@code idle}, and when it is closed. Until another client wants
         * it, {@link #handOver} sets no bound.
         *
         * <p>The first {@code tryLock()} of another client, which does not wait, fails although nobody holds the lock,
         * and makes the client give it back. If the client's process ends without closing it, others wait for the rest
         * of its lease, as if the lock was held.
         *
         * <p>For leases that are renewed; a lock with a fixed lease is given back as always. The store must have
         * {@link dev.interlock.spi.Capability#RETENTION}, as those in memory and on Redis have; on others, an
         * acquisition throws {@link UnsupportedOperationException}. A lock cannot be fair and retained: a fair one goes
         * through the store's queue each time. For plain locks only.
         *
         * @param idle how long; zero to give it back at each release, which is the default
         * @return this builder
         * @throws IllegalArgumentException if the time is negative or longer than {@link LeaseTerm#MAX}
         */
        public Builder retained(Duration idle) {
            if (Objects.requireNonNull(idle, "idle").isNegative() || idle.compareTo(LeaseTerm.MAX) > 0) {
                throw new IllegalArgumentException(
                        "A lock can be retained for zero to " + LeaseTerm.MAX + " after its last use: " + idle);
            }
            this.retained = idle;
            return this;
        }

        /**
         * Sets for how long the name stays closed after a lease on it was lost. Late writes of the holder arrive before
         * the next one begins: those on their way through a network, or of a process that goes on for a moment. The
         * store keeps the claim for this time longer than the lease lasts, so nobody has to be alive for it. A lock
         * that is released, left to lapse, or ended by force is not kept closed, nor one whose client is closed while
         * the lease lasts.
         *
         * <p>On ZooKeeper and etcd the time must be at most a quarter of the session's time-out; an acquisition with a
         * longer one throws {@link UnsupportedOperationException}. There the name also opens when the client that lost
         * the lease is closed. A lock that is fair passes from one client to the next by a request more than without
         * this.
         *
         * @param delay zero, the default, to one hour
         * @return this builder
         * @throws IllegalArgumentException if {@code delay} is out of range
         */
        public Builder lockDelay(Duration delay) {
            if (Objects.requireNonNull(delay, "delay").isNegative() || delay.compareTo(MAX_LOCK_DELAY) > 0) {
                throw new IllegalArgumentException("A lock delay must be zero to " + MAX_LOCK_DELAY + ": " + delay);
            }
            this.lockDelay = delay;
            return this;
        }

        /**
         * Sets the participant, such as a job, for which acquisitions are made. People see it instead of the name of
         * the thread: as {@link Party#thread()} in {@link DistributedLock#inspect()}. Each participant holds by claims
         * of its own in the store, so a lock passes inside the process between callers of the same participant only.
         * Nothing else is decided by it. Unless the lock is fair, {@code inspect} lists one of the callers of a client
         * that wait behind another one, whatever their participants; {@link LockAdministration#withLocalWaiters} adds
         * the rest.
         *
         * @param id at most {@value #MAX_PARTICIPANT} characters; empty for none, which is the default
         * @return this builder
         * @throws IllegalArgumentException if the text is too long
         */
        public Builder participant(String id) {
            if (Objects.requireNonNull(id, "id").length() > MAX_PARTICIPANT) {
                throw new IllegalArgumentException("The id of a participant must have at most " + MAX_PARTICIPANT
                        + " characters: this one has " + id.length());
            }
            this.participant = id;
            return this;
        }

        /**
         * Sets a callback that each lease has from the beginning, as by {@link Lease#onRevocationRequested}. For code
         * that holds the lock by a thread, or that must not miss a request between the grant and its own first step. A
         * lease that has such a callback is renewed once more at its beginning, whatever its term, if the store needs
         * that to listen for requests. Not for semaphores and elections.
         *
         * @param callback receives the lease that somebody asks for; null for none, which is the default
         * @return this builder
         */
        public Builder onRevocationRequested(@Nullable Consumer<Lease> callback) {
            this.onRevocationRequested = callback;
            return this;
        }

        /**
         * {@return the options}
         *
         * @throws IllegalArgumentException if the lock would be fair and retained
         */
        public LockOptions build() {
            if (fair && !retained.isZero()) {
                throw new IllegalArgumentException("A fair lock cannot be retained, since it goes through the store's"
                        + " queue each time: leave out fair(true) or retained(" + retained
                        + "), or undo the one that is a default, with fair(false) or retained(Duration.ZERO)");
            }
            return new LockOptions(this);
        }
    }
}
