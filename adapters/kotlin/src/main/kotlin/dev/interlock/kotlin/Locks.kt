@file:JvmName("Locks")

package dev.interlock.kotlin

import dev.interlock.DistributedLock
import dev.interlock.DistributedSemaphore
import dev.interlock.Lease
import dev.interlock.LeaseTerm
import dev.interlock.LockLostException
import dev.interlock.ReleaseOutcome
import dev.interlock.spi.WorkLease
import java.util.Optional
import java.util.concurrent.CompletionException
import java.util.concurrent.CompletionStage
import kotlin.coroutines.resumeWithException
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.job
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withContext

/**
 * Runs [block] while holding the lock, and returns its result. No thread waits.
 *
 * ```
 * lock.withLock { lease ->
 *     orders.save(order, lease.token())
 * }
 * ```
 *
 * The hold belongs to the call, not to a thread: [block] may change threads, and a nested call for the same lock would
 * wait for itself. If the coroutine is cancelled while it waits, nothing is left behind in the store. If it is
 * cancelled in [block], the lock is released after [block] and all coroutines that it started have ended. If the lease
 * is lost, [block] is cancelled.
 *
 * @param term for how long to hold the lock; the lock's own term if null
 * @throws LockLostException if the lease was lost before [block] ended, unless [block] has thrown something else
 */
public suspend fun <T> DistributedLock.withLock(
    term: LeaseTerm? = null,
    block: suspend CoroutineScope.(Lease) -> T,
): T {
    val lease = (if (term == null) acquireAsync() else acquireAsync(term)).await { it.releaseAsync() }
    return hold(lease, block)
}

/**
 * Like [withLock], but waits no longer than [wait].
 *
 * @param wait how long to wait; zero tries once
 * @return the result of [block], or null if the lock was not available within the wait
 */
public suspend fun <T : Any> DistributedLock.tryWithLock(
    wait: Duration = Duration.ZERO,
    term: LeaseTerm? = null,
    block: suspend CoroutineScope.(Lease) -> T,
): T? {
    val limit = wait.toJavaDuration()
    val lease = (if (term == null) tryAcquireAsync(limit) else tryAcquireAsync(limit, term)).awaitLease()
    return lease?.let { hold(it, block) }
}

/** Runs [block] while holding this many permits; otherwise like [DistributedLock.withLock]. */
public suspend fun <T> DistributedSemaphore.withPermits(
    permits: Int = 1,
    term: LeaseTerm? = null,
    block: suspend CoroutineScope.(Lease) -> T,
): T {
    val lease =
        (if (term == null) acquireAsync(permits) else acquireAsync(permits, term)).await {
            it.releaseAsync()
        }
    return hold(lease, block)
}

/** Like [withPermits], but waits no longer than [wait]; null if there were not enough permits within the wait. */
public suspend fun <T : Any> DistributedSemaphore.tryWithPermits(
    permits: Int = 1,
    wait: Duration = Duration.ZERO,
    term: LeaseTerm? = null,
    block: suspend CoroutineScope.(Lease) -> T,
): T? {
    val limit = wait.toJavaDuration()
    val lease =
        (if (term == null) tryAcquireAsync(permits, limit) else tryAcquireAsync(permits, limit, term))
            .awaitLease()
    return lease?.let { hold(it, block) }
}

private suspend fun <T> hold(lease: Lease, block: suspend CoroutineScope.(Lease) -> T): T {
    val result =
        try {
            // A client that closes does not give the lock away before the lease ends here.
            WorkLease.begin(lease, WorkLease.Place.ANYWHERE)
            coroutineScope {
                // A coroutine without a dispatcher goes on with a lease that came while it was cancelled.
                ensureActive()
                cancelOnLoss(coroutineContext.job, lease)
                block(lease)
            }
        } catch (e: Throwable) {
            release(lease)
            if (e is LeaseLostCancellation) {
                // Throws what the caller is to get: the loss, and not a cancellation that it did not ask for.
                lease.ensureValid()
            }
            throw e
        }
    if (release(lease).isLost) {
        // Perhaps nobody knew of the loss before.
        lease.ensureValid()
    }
    return result
}

private suspend fun release(lease: Lease): ReleaseOutcome =
    withContext(NonCancellable) { lease.releaseAsync().await {} }

private fun cancelOnLoss(body: Job, lease: Lease) {
    lease.onLost { cause -> body.cancel(LeaseLostCancellation("The lease of ${lease.name()} was lost: $cause")) }
}

private class LeaseLostCancellation(message: String) : CancellationException(message)

private suspend fun CompletionStage<Optional<Lease>>.awaitLease(): Lease? =
    await { lease -> lease.ifPresent { it.releaseAsync() } }.orElse(null)

/**
 * Waits for the stage without a thread. If the coroutine is cancelled, so is the stage; [dispose] gets a value that
 * came too late for that, and would otherwise belong to nobody.
 */
private suspend fun <T : Any> CompletionStage<T>.await(dispose: (T) -> Unit): T =
    suspendCancellableCoroutine { waiting ->
        val future = toCompletableFuture()
        waiting.invokeOnCancellation { future.cancel(false) }
        whenComplete { value, failure ->
            if (failure != null) {
                waiting.resumeWithException((failure as? CompletionException)?.cause ?: failure)
            } else {
                waiting.resume(value) { _, late, _ -> dispose(late) }
            }
        }
    }
