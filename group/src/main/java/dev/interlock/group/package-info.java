/**
 * Several locks as one: {@link dev.interlock.group.MultiLock}. It knows its members by their public API only.
 *
 * <pre>
 *   GroupLock     both forms of the lock: who holds it, who waits for it
 *   Gathering     one attempt to get all members: asks, waits in order, gives back
 *   GroupLease    the leases of all members as one
 * </pre>
 */
@NullMarked
package dev.interlock.group;

import org.jspecify.annotations.NullMarked;
