package dev.interlock.kotlin

import dev.interlock.Interlock
import dev.interlock.Lease
import dev.interlock.spring.Locked
import dev.interlock.spring.boot.InterlockAutoConfiguration
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner

/** `@Locked` on suspending functions. */
class SuspendingMethodTest {

    open class Orders(private val interlock: Interlock) {

        @Locked("order:#{#id}")
        open suspend fun charge(id: String, lease: Lease?): Long {
            assertThat(interlock.lock("order:$id").isLocked).isTrue()
            delay(1)
            assertThat(interlock.lock("order:$id").isLocked).isTrue()
            return lease!!.token()
        }

        @Locked(value = ["order:#{#id}"], waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        open suspend fun chargeOnce(id: String): String? {
            delay(1)
            return "charged $id"
        }

        @Locked(value = ["order:#{#id}"], waitAtMost = "5m", onBusy = Locked.OnBusy.SKIP)
        open suspend fun chargeSoon(id: String): String? {
            delay(1)
            return "charged $id"
        }
    }

    @Test
    fun function_runsUnderTheLock() {
        ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration::class.java))
            .withBean(Interlock::class.java, { Interlock.inMemory() })
            .withBean(Orders::class.java)
            .run { context ->
                val orders = context.getBean(Orders::class.java)
                val interlock = context.getBean(Interlock::class.java)
                runBlocking {
                    val token = orders.charge("42", null)
                    assertThat(orders.charge("42", null)).isGreaterThan(token)
                    assertThat(orders.chargeSoon("42")).isEqualTo("charged 42")
                    interlock.lock("order:42").withLock { assertThat(orders.chargeOnce("42")).isNull() }
                }
                assertThat(interlock.list("", 10)).isEmpty()
            }
    }
}
