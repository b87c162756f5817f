package dev.interlock.kotlin

import dev.interlock.Interlock
import dev.interlock.Lease
import dev.interlock.LeaseTerm
import dev.interlock.LockLostException
import dev.interlock.memory.MemoryStore
import java.time.Duration
import java.util.concurrent.CompletableFuture
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.awaitility.Awaitility
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(300)
class LocksTest {

    private val interlock = Interlock.inMemory()
    private val lock = interlock.lock("orders:42")

    @AfterEach
    fun nothingIsLeft() {
        Awaitility.await().atMost(Duration.ofMinutes(5)).until { interlock.administration().list("", 10).isEmpty() }
        assertThat(lock.inspect().waiters()).isEmpty()
        interlock.close()
    }

    @Test
    fun block_runsUnderTheLock_onAnyThread(): Unit = runBlocking {
        val token = lock.withLock { lease ->
            withContext(Dispatchers.IO) { assertThat(lock.isLocked).isTrue() }
            assertThat(lease.isValid).isTrue()
            lease.token()
        }
        assertThat(lock.withLock { it.token() }).isGreaterThan(token)
    }

    @Test
    fun manyCoroutines_areNeverInsideTogether(): Unit = runBlocking(Dispatchers.Default) {
        var inside = 0
        var count = 0
        coroutineScope {
            repeat(1000) {
                launch {
                    lock.withLock {
                        assertThat(++inside).isEqualTo(1)
                        yield()
                        count++
                        inside--
                    }
                }
            }
        }
        assertThat(count).isEqualTo(1000)
    }

    @Test
    fun exceptionOfTheBlock_isPassedOn(): Unit = runBlocking {
        val failure = runCatching { lock.withLock { error("of the block") } }
        assertThat(failure.exceptionOrNull()).hasMessage("of the block")
        assertThat(lock.isLocked).isFalse()
    }

    @Test
    fun busy_isNull(): Unit = runBlocking {
        lock.withLock {
            assertThat(lock.tryWithLock { "ran" }).isNull()
        }
        assertThat(lock.tryWithLock(5.minutes) { "ran" }).isEqualTo("ran")
    }

    /** What it cannot end it does not give away. */
    @Test
    fun clientThatCloses_keepsTheLockOfABlockThatGoesOn(): Unit = runBlocking {
        val store = MemoryStore()
        val closing = Interlock.builder(store).closeTimeout(Duration.ofMillis(50)).build()
        Interlock.builder(store.session()).build().use { other ->
            closing.lock("n").withLock {
                withContext(Dispatchers.IO) { closing.close() }
                assertThat(other.lock("n").isLocked).isTrue()
            }
            assertThat(other.lock("n").isLocked).isFalse()
        }
    }

    @Test
    fun cancellationWhileWaiting_leavesNothing(): Unit = runBlocking {
        lock.withLock {
            val waiting = launch(Dispatchers.Default) { lock.withLock { error("must not run") } }
            Awaitility.await().atMost(Duration.ofMinutes(5)).until { waiting.isActive }
            waiting.cancelAndJoin()
            Awaitility.await().atMost(Duration.ofMinutes(5)).until { lock.inspect().waiters().isEmpty() }
        }
    }

    /** A grant and a cancellation at the same moment: whichever comes first, no lease is left with nobody. */
    @Test
    fun cancellationAtTheMomentOfTheGrant_leavesNoLease(): Unit = runBlocking(Dispatchers.Default) {
        repeat(500) {
            val job = launch { lock.withLock { yield() } }
            yield()
            job.cancelAndJoin()
        }
    }

    @Test
    fun cancellationOfTheBlock_releasesAfterIt(): Unit = runBlocking {
        val entered = CompletableDeferred<Lease>()
        val job = launch {
            lock.withLock { lease ->
                entered.complete(lease)
                try {
                    awaitCancellation()
                } finally {
                    assertThat(lock.isLocked).isTrue()
                }
            }
        }
        val lease = entered.await()
        job.cancelAndJoin()
        assertThat(lease.isValid).isFalse()
        assertThat(lock.isLocked).isFalse()
    }

    /** This client does not know of it before it asks the store. */
    @Test
    fun lossThatTheReleaseFinds_isThrown(): Unit = runBlocking {
        val store = MemoryStore()
        Interlock.builder(store.session()).build().use { client ->
            Interlock.builder(store.session()).build().use { operator ->
                val loss = runCatching {
                    client.lock("job").withLock { operator.administration().forceUnlock("job") }
                }
                assertThat(loss.exceptionOrNull()).isInstanceOf(LockLostException::class.java)
                val own = runCatching {
                    client.lock("job").withLock {
                        operator.administration().forceUnlock("job")
                        throw IllegalArgumentException("own")
                    }
                }
                assertThat(own.exceptionOrNull()).hasMessage("own")
            }
        }
    }

    @Test
    fun loss_cancelsTheBlock_andIsThrown(): Unit = runBlocking {
        val entered = CompletableDeferred<Unit>()
        val ended = CompletableFuture<Throwable?>()
        val call = async(Dispatchers.Default) {
            runCatching {
                lock.withLock {
                    entered.complete(Unit)
                    awaitCancellation()
                }
            }.also { ended.complete(it.exceptionOrNull()) }
        }
        entered.await()
        interlock.administration().forceUnlock("orders:42")
        call.await()
        assertThat(ended.join()).isInstanceOf(LockLostException::class.java)
    }

    @Test
    fun permits_areLimited(): Unit = runBlocking {
        val semaphore = interlock.semaphore("pool", 2)
        semaphore.withPermits(2) {
            assertThat(semaphore.tryWithPermits { "ran" }).isNull()
        }
        assertThat(semaphore.tryWithPermits(wait = 5.minutes) { "ran" }).isEqualTo("ran")
        assertThatThrownBy { runBlocking { semaphore.withPermits(3) { } } }
            .isInstanceOf(IllegalArgumentException::class.java)
    }

    @Test
    fun permits_areHeldForTheirTerm(): Unit = runBlocking {
        val semaphore = interlock.semaphore("pool", 2)
        val longest = Duration.ofHours(1)
        val term = LeaseTerm.fixed(longest)
        semaphore.withPermits(term = term) { assertThat(it.remaining()).isBetween(Duration.ofSeconds(31), longest) }
        assertThat(semaphore.tryWithPermits(term = term) { it.remaining() }).isBetween(Duration.ofSeconds(31), longest)
    }
}
