package dev.interlock.kotlin

import dev.interlock.Interlock
import dev.interlock.Lease
import dev.interlock.annotation.Locked
import dev.interlock.spring.boot.InterlockAutoConfiguration
import dev.interlock.testkit.fixture.OtherJars
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.launch
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

        @Locked(value = ["order:#{#id}"], waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        open suspend fun receipts(id: String): List<String> {
            delay(1)
            return listOf("receipt of $id")
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
                    interlock.lock("order:42").withLock {
                        assertThat(orders.chargeOnce("42")).isNull()
                        assertThat(orders.receipts("42")).isEmpty()
                    }
                    assertThat(orders.receipts("42")).containsExactly("receipt of 42")
                }
                assertThat(interlock.administration().list("", 10)).isEmpty()
            }
    }

    open class Rows {

        @Locked("rows")
        open fun all(): Flow<Int> = flow { repeat(3) { emit(it) } }
    }

    @Test
    fun collectorOfAFlow_isInsideOfTheLock() {
        application().withBean(Rows::class.java).run { context ->
            val lock = context.getBean(Interlock::class.java).lock("rows")
            val inside = mutableListOf<Boolean>()
            runBlocking {
                context.getBean(Rows::class.java).all().collect {
                    // Long enough for a producer that runs ahead to end.
                    delay(50)
                    inside += lock.isLocked
                }
            }
            assertThat(inside).containsExactly(true, true, true)
            assertThat(lock.isLocked).isFalse()
        }
    }

    open class Unending {

        @Locked("x")
        open suspend fun flow(): Flow<Int> = flow { emit(1) }
    }

    open class UnendingJob(private val scope: CoroutineScope?) {

        @Locked("x")
        open fun job(): Job = scope!!.launch {}
    }

    open class UnendingSequence {

        @Locked("x")
        open fun sequence(): Sequence<Int> = sequenceOf(1)
    }

    @Test
    fun resultOfUnknownEnd_isRefusedByName() {
        assertRefused(Unending(), "kotlinx.coroutines.flow.Flow", "the result of the method")
        assertRefused(UnendingJob(null), "kotlinx.coroutines.Job", "suspending function")
        assertRefused(UnendingSequence(), "kotlin.sequences.Sequence", "List")
    }

    private fun assertRefused(bean: Any, vararg mentioned: String) {
        application().withBean("refused", Any::class.java, { bean }).run { context ->
            assertThat(context.startupFailure).rootCause().hasMessageContainingAll(*mentioned)
        }
    }

    @Test
    fun withoutAnArtefact_functionsAreRefused_andItIsNamed() {
        for ((missing, named) in mapOf(
            "kotlinx-coroutines-reactor" to "org.jetbrains.kotlinx:kotlinx-coroutines-reactor",
            "kotlin-reflect" to "org.jetbrains.kotlin:kotlin-reflect",
        )) {
            OtherJars.without(missing).use { it.call(SuspendingMethodTest::class.java, "startWithout", named) }
        }
    }

    companion object {

        private fun application() = ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration::class.java))
            .withBean(Interlock::class.java, { Interlock.inMemory() })

        /** Runs where the class path lacks an artefact. */
        @JvmStatic
        fun startWithout(named: String) {
            val beans = listOf(Waiting::class.java) + if (named.endsWith("-reactor")) listOf(Rows::class.java) else listOf()
            for (bean in beans) {
                application().withBean(bean).run { context ->
                    assertThat(context.startupFailure).rootCause().hasMessageContaining(named)
                }
            }
        }
    }

    open class Waiting {

        @Locked("x")
        open suspend fun run(): String {
            delay(1)
            return "ran"
        }
    }
}
