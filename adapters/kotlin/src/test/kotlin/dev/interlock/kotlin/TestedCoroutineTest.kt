package dev.interlock.kotlin

import dev.interlock.Interlock
import dev.interlock.test.InterlockTest
import dev.interlock.test.LockAssertions.assertThatLock
import dev.interlock.test.Locks
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** `interlock-test` with coroutines: the example of docs/testing.md. */
@InterlockTest
class TestedCoroutineTest {

    @Test
    fun busy_isWaitedFor(interlock: Interlock, locks: Locks) {
        locks.hold("settle:42")
        locks.whenWaiting("settle:42") { locks.release("settle:42") }

        val result = runBlocking { interlock.lock("settle:42").withLock { "settled" } }
        assertThat(result).isEqualTo("settled")
        assertThatLock("settle:42").isFree().wasAcquired(1)
    }
}
