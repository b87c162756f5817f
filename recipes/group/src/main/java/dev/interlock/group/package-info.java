/**
 * Several locks as one: {@link dev.interlock.group.MultiLock}. It uses the public API of its members, and
 * {@link dev.interlock.spi.GroupMember} for the holds of threads. Begin with {@code GroupAcquire}, whose comment
 * explains the algorithm.
 *
 * <pre>
 *   MultiLock        creates a
 *   GroupLock          the DistributedLock of the group
 *     Members            its member locks, in the order of their names
 *     GroupAcquire       one attempt to acquire all members, until a
 *       Deadline
 *     GroupLease         the leases of all members as one
 *       Leases             releases and extends many leases at the same time
 *         GroupRelease       the future of such a release
 *   GroupThreads     threads for calls that block
 * </pre>
 *
 * <p>{@link dev.interlock.group.UpgradableReadWriteLock} is made of a plain lock and a read/write lock;
 * {@code LossWatch} ends its upgrade when that is in vain.
 */
@NullMarked
package dev.interlock.group;

import org.jspecify.annotations.NullMarked;
