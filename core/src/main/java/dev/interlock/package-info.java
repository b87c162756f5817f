/**
 * The public API: locks between processes, held in a shared store.
 *
 * <p><b>What is promised.</b> As long as no holder is paused past its lease, no clock of a store steps and no store
 * forgets, two leases of one name are never valid at the same time. No lock service can promise more in an asynchronous
 * network: a process can be stopped between its last check and its next write. Interlock therefore notifies the holder
 * of a loss in time ({@link dev.interlock.Lease#onLost}), and gives each lease a fencing token
 * ({@link dev.interlock.Lease#token}) with which the protected resource can refuse a late writer.
 *
 * <p>A result that may be absent is an {@link java.util.Optional}. Null appears only where it is annotated and
 * documented: in components of records, where it takes back a setting of a builder, for the cause of an exception, and
 * between the client and a {@link dev.interlock.LockObserver}, which is called too often for an object around each
 * value.
 *
 * <p>Begin with {@link dev.interlock.Interlock}.
 */
@NullMarked
package dev.interlock;

import org.jspecify.annotations.NullMarked;
