package dev.interlock.group;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.spi.GroupMember;
import dev.interlock.spi.Printable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A read/write lock with a third side, the <em>upgradable lock</em>: one caller holds it beside any number of readers,
 * and can turn it into the write lock. From the moment it is held until it is released nobody else writes, so what its
 * holder has read stays true through the upgrade.
 *
 * <pre>{@code
 * UpgradableReadWriteLock prices = UpgradableReadWriteLock.of(interlock, "prices");
 * try (Lease upgradable = prices.upgradableLock().acquire()) {
 *   if (isStale(load())) {                              // beside readers; nobody writes
 *     try (Lease write = prices.upgrade(upgradable)) {  // waits for the readers
 *       store(fresh(), write.token());
 *     }                                                 // readers are let in again; still nobody else writes
 *   }
 * }
 * }</pre>
 *
 * <p>Who waits for whom:
 *
 * <table>
 * <caption>Which sides can be held at once</caption>
 * <tr><th>beside</th><th>readers</th><th>an upgradable holder</th><th>a writer</th></tr>
 * <tr><td>a reader</td><td>yes</td><td>yes, until it upgrades</td><td>no</td></tr>
 * <tr><td>an upgradable holder</td><td>yes, until it upgrades</td><td>no</td><td>no</td></tr>
 * <tr><td>a writer</td><td>no</td><td>no</td><td>no</td></tr>
 * </table>
 *
 * <p><b>Upgrading.</b> The upgrade waits until the readers that hold have let go. Readers that come meanwhile wait
 * behind it, and no writer comes before it. An upgrade that is interrupted, or whose time is over, leaves its caller
 * with what it had. As only one caller holds the upgradable lock, no two can wait for each other. The upgrade ends by
 * {@link #downgrade()}, or by releasing the lease that {@link #upgrade(Lease)} has returned.
 *
 * <p><b>Two names.</b> The upgradable lock is the plain lock of the name. The write lock is that and the write lock of
 * a read/write lock, whose name has {@value #READERS} behind; the read lock is its read lock. So every store that has
 * read/write locks has this one. {@code client.lock(name)} excludes writers and upgradable holders as one more of
 * these; {@code client.readWriteLock(name)} is another lock, and has nothing to do with this one.
 *
 * <p><b>Orders that would deadlock.</b> A thread that holds the read lock gets an {@link IllegalStateException} at once
 * if it locks the upgradable or the write lock, or upgrades: others would wait for it, and it for them. A thread that
 * holds the upgradable lock may lock the read lock besides, must unlock it before it upgrades, and gets the exception
 * if it locks the write lock instead of upgrading. A handle does not know what the thread holds.
 *
 * <p><b>Tokens.</b> The token of a write lease, and of an upgraded one, is larger than the token of every earlier write
 * of another holder. An upgrade after a downgrade has a token that is not smaller than the one before. For the thread
 * form it is the token of {@code writeLock().heldLease()}. The tokens of the other two sides are not compared with it.
 *
 * <p><b>Losses.</b> A lease of the write lock is lost with the first of its two claims. If the upgradable lease is lost
 * while its holder waits to upgrade, the upgrade ends at once with a {@link LockLostException}, holds nothing more, and
 * keeps no reader out.
 *
 * <p>Immutable and thread-safe.
 */
public final class UpgradableReadWriteLock {

    /** What is put behind the name, for the read/write lock that the readers and the writer hold. */
    public static final String READERS = "%readers";

    private final DistributedLock upgradable;
    private final DistributedReadWriteLock readers;
    private final DistributedLock write;

    private UpgradableReadWriteLock(DistributedLock whole, DistributedReadWriteLock readers) {
        this.readers = readers;
        this.upgradable = GroupLock.unless((GroupMember) readers.writeLock(), whole);
        this.write = MultiLock.of(whole, readers.writeLock());
    }

    /**
     * The lock of this name, with the client's default options.
     *
     * @throws IllegalArgumentException as {@link #of(Interlock, String, LockOptions)}
     */
    public static UpgradableReadWriteLock of(Interlock client, String name) {
        return of(client, name, client.lockOptions());
    }

    /**
     * The lock of this name, with these options for each of its sides; {@code fair} and {@code retained} are for the
     * upgradable one.
     *
     * @throws IllegalArgumentException if the name is empty, or has more than 504 bytes in UTF-8 together with the
     *     client's prefix
     */
    public static UpgradableReadWriteLock of(Interlock client, String name, LockOptions options) {
        DistributedLock whole = client.lock(name, options);
        return new UpgradableReadWriteLock(whole, client.readWriteLock(name + READERS, options.forReadWriteLock()));
    }

    /**
     * The lock of this name, with the client's default options and these changes of them for each of its sides.
     *
     * @throws IllegalArgumentException as {@link #of(Interlock, String, LockOptions)}, or if an option breaks a rule
     */
    public static UpgradableReadWriteLock of(Interlock client, String name, Consumer<LockOptions.Builder> changes) {
        LockOptions.Builder options = client.lockOptions().toBuilder();
        Objects.requireNonNull(changes, "changes").accept(options);
        return of(client, name, options.build());
    }

    /** {@return the lock's name} */
    public String name() {
        return upgradable.name();
    }

    /** {@return the side that any number can hold at once, beside the holder of the upgradable lock} */
    public DistributedLock readLock() {
        return readers.readLock();
    }

    /** {@return the side that one caller holds beside the readers, and can upgrade} */
    public DistributedLock upgradableLock() {
        return upgradable;
    }

    /** {@return the side that one caller holds alone} */
    public DistributedLock writeLock() {
        return write;
    }

    // ---- held by a thread

    /**
     * Turns the upgradable lock of the calling thread into the write lock, and waits for the readers. If the thread has
     * upgraded before, counts once more: it has to downgrade as often.
     *
     * @throws InterruptedException if the thread is interrupted while it waits; then it holds what it held
     * @throws IllegalMonitorStateException if the thread does not hold the upgradable lock, or has lost it
     *     ({@link LockLostException})
     * @throws IllegalStateException if the thread holds the read lock
     */
    public void upgrade() throws InterruptedException {
        Lease held = held();
        boolean upgraded = LossWatch.during(held, () -> {
            readers.writeLock().lockInterruptibly();
            return true;
        });
        ensureUpgraded(held, upgraded);
    }

    /**
     * Does the same, and waits at most this long.
     *
     * @return false if readers still hold then; the thread holds what it held
     */
    public boolean tryUpgrade(Duration wait) throws InterruptedException {
        Lease held = held();
        boolean upgraded = LossWatch.during(held, () -> readers.writeLock().tryLock(wait));
        ensureUpgraded(held, upgraded);
        return upgraded;
    }

    /**
     * Turns the write lock of the calling thread into the upgradable lock that it had before the upgrade: readers are
     * let in.
     *
     * @throws IllegalMonitorStateException if the thread has not upgraded, or has lost the lock
     *     ({@link LockLostException})
     */
    public void downgrade() {
        readers.writeLock().unlock();
    }

    private Lease held() {
        ensureNoReader();
        Lease held = upgradable.heldLease();
        held.ensureValid();
        return held;
    }

    private void ensureUpgraded(Lease held, boolean upgraded) {
        try {
            held.ensureValid();
        } catch (RuntimeException e) {
            if (upgraded) {
                readers.writeLock().unlock();
            }
            throw e;
        }
    }

    // ---- held by a lease

    /**
     * Turns a lease of the upgradable lock into one of the write lock, and waits for the readers. To release the result
     * is to downgrade: the upgradable lease goes on. Release that one last.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws LockLostException if the upgradable lease is lost, before or while it waits
     * @throws IllegalStateException if the upgradable lease was released, or the thread holds the read lock
     * @throws IllegalArgumentException if the lease is none of {@link #upgradableLock()}
     */
    public Lease upgrade(Lease upgradableLease) throws InterruptedException {
        ensureUpgradable(upgradableLease);
        return upgraded(upgradableLease, LossWatch.during(upgradableLease, () -> readers.writeLock()
                .acquire()));
    }

    /**
     * Does the same, and waits at most this long.
     *
     * @return empty if readers still hold then; the upgradable lease is as before
     */
    public Optional<Lease> tryUpgrade(Lease upgradableLease, Duration wait) throws InterruptedException {
        ensureUpgradable(upgradableLease);
        Optional<Lease> writer =
                LossWatch.during(upgradableLease, () -> readers.writeLock().tryAcquire(wait));
        if (writer.isEmpty()) {
            upgradableLease.ensureValid();
        }
        return writer.map(granted -> upgraded(upgradableLease, granted));
    }

    private void ensureUpgradable(Lease lease) {
        if (!lease.name().equals(name())) {
            throw new IllegalArgumentException("Only a lease of the upgradable lock '" + Printable.of(name())
                    + "' can be upgraded here; this one is of '" + Printable.of(lease.name()) + "'");
        }
        ensureNoReader();
        lease.ensureValid();
    }

    private Lease upgraded(Lease upgradableLease, Lease writer) {
        try {
            upgradableLease.ensureValid();
        } catch (RuntimeException e) {
            writer.close();
            throw e;
        }
        return new GroupLease(write.name(), List.of(upgradableLease, writer), List.of(writer));
    }

    private void ensureNoReader() {
        if (readers.readLock().holdCount() > 0) {
            throw new IllegalStateException(
                    "Thread '" + Printable.of(Thread.currentThread().getName()) + "' holds the read lock of '"
                            + Printable.of(name()) + "' and would wait for itself: unlock it before the upgrade");
        }
    }

    /**
     * {@return who holds the lock and who waits, on all sides} A writer appears twice, once for each name. Asks the
     * store.
     */
    public LockStatus inspect() {
        return write.inspect();
    }

    @Override
    public String toString() {
        return "UpgradableReadWriteLock[name=" + Printable.of(name()) + "]";
    }
}
