package dev.interlock.kotlin

import dev.interlock.Interlock
import dev.interlock.LeaseTerm
import dev.interlock.memory.MemoryStore
import dev.interlock.spi.LockStore
import dev.interlock.testkit.contract.cancel.CancellationWalk
import dev.interlock.testkit.contract.cancel.Scene
import java.lang.reflect.Modifier
import java.time.Duration
import java.util.function.Supplier
import kotlin.time.Duration.Companion.hours
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** The walk of cancellation over coroutines: each dispatch is a step, besides those of the lock. */
class CancellationTest : CancellationWalk() {

    private companion object {
        val FIXED: LeaseTerm = LeaseTerm.fixed(Duration.ofHours(1))
    }

    override fun sessions(): Supplier<LockStore> {
        val store = MemoryStore()
        return Supplier { store.session() }
    }

    override fun ways() = listOf("cancel", "cancel the scope", "cancel, unconfined")

    override fun forms(): Map<String, Form> = mapOf(
        "withLock" to form { scene -> scene.client().lock(scene.name()).withLock { body(scene) } },
        "tryWithLock" to form { scene -> scene.client().lock(scene.name()).tryWithLock(1.hours) { body(scene) } },
        "withPermits" to permits { scene -> scene.client().semaphore(scene.name(), 2).withPermits(2) { body(scene) } },
        "tryWithPermits" to permits { scene ->
            scene.client().semaphore(scene.name(), 2).tryWithPermits(2, 1.hours) { body(scene) }
        },
        "withLock(term)" to form { scene -> scene.client().lock(scene.name()).withLock(FIXED) { body(scene) } },
        "tryWithLock(term)" to form { scene ->
            scene.client().lock(scene.name()).tryWithLock(1.hours, FIXED) { body(scene) }
        },
        "withPermits(term)" to permits { scene ->
            scene.client().semaphore(scene.name(), 2).withPermits(2, FIXED) { body(scene) }
        },
        "tryWithPermits(term)" to permits { scene ->
            scene.client().semaphore(scene.name(), 2).tryWithPermits(2, 1.hours, FIXED) { body(scene) }
        },
    )

    /** With and without a term, which each of them takes. */
    @Test
    fun eachSuspendingFunction_isWalked() {
        val functions = Class.forName("dev.interlock.kotlin.Locks").declaredMethods
            .filter { Modifier.isPublic(it.modifiers) && !it.isSynthetic && LeaseTerm::class.java in it.parameterTypes }
            .map { it.name.substringBefore("-") }
        assertThat(functions.flatMap { listOf(it, "$it(term)") }).containsExactlyInAnyOrderElementsOf(forms().keys)
    }

    private suspend fun body(scene: Scene): String {
        scene.body()
        awaitCancellation()
    }

    private fun form(call: suspend (Scene) -> Any?) = Form { scene, way -> begin(scene, way, call) }

    private fun permits(call: suspend (Scene) -> Any?) = object : Form {
        override fun begin(scene: Scene, way: String) = begin(scene, way, call)

        override fun hold(client: Interlock, name: String) =
            client.semaphore(name, 2).acquire(2).let { lease -> Runnable { lease.close() } }
    }

    private fun begin(scene: Scene, way: String, call: suspend (Scene) -> Any?): Runnable {
        val parent = Job()
        val dispatcher = if (way.endsWith("unconfined")) Dispatchers.Unconfined else scene.asCoroutineDispatcher()
        val scope = CoroutineScope(parent + dispatcher)
        val job = scope.launch(start = CoroutineStart.LAZY) { call(scene) }
        scene.begun {
            if (way == "cancel the scope") {
                scope.cancel()
            } else {
                job.cancel()
            }
        }
        job.start()
        return Runnable {}
    }
}
