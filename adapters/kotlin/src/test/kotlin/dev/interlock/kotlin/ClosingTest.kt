package dev.interlock.kotlin

import dev.interlock.Interlock
import dev.interlock.LeaseTerm
import dev.interlock.annotation.Locked
import dev.interlock.memory.MemoryStore
import dev.interlock.spi.LockStore
import dev.interlock.spring.boot.InterlockAutoConfiguration
import dev.interlock.testkit.contract.form.ClosingTable
import dev.interlock.testkit.contract.form.Form
import dev.interlock.testkit.contract.form.FormBody
import dev.interlock.testkit.contract.form.Site
import dev.interlock.testkit.contract.recipe.PermitSite
import java.lang.reflect.Modifier
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import java.util.function.LongSupplier
import java.util.function.Supplier
import kotlin.time.Duration.Companion.hours
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.singleOrNull
import kotlinx.coroutines.future.asCompletableFuture
import kotlinx.coroutines.future.await
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.context.support.AbstractApplicationContext
import org.springframework.context.support.DefaultLifecycleProcessor

/** The table of closing over blocks of coroutines, and over `@Locked` on what only Kotlin has. */
class ClosingTest : ClosingTable() {

    private companion object {
        val FIXED: LeaseTerm = LeaseTerm.fixed(Duration.ofHours(1))
        val ANNOTATED = listOf("@Locked suspend", "@Locked Flow")
    }

    override fun sessions(nanoClock: LongSupplier): Supplier<LockStore> =
        MemoryStore(nanoClock).let { store -> Supplier { store.session() } }

    override fun forms(): Map<String, Form> = mapOf(
        "withLock" to Coroutine { client, name, body -> client.lock(name).withLock { body.begin().await() } },
        "withLock(term)" to Coroutine { client, name, body ->
            client.lock(name).withLock(FIXED) { body.begin().await() }
        },
        "tryWithLock" to Coroutine { client, name, body ->
            client.lock(name).tryWithLock(1.hours) { body.begin().await() }
        },
        "tryWithLock(term)" to Coroutine { client, name, body ->
            client.lock(name).tryWithLock(1.hours, FIXED) { body.begin().await() }
        },
        "withPermits" to Permits { client, name, body ->
            client.semaphore(name, 1).withPermits { body.begin().await() }
        },
        "withPermits(term)" to Permits { client, name, body ->
            client.semaphore(name, 1).withPermits(1, FIXED) { body.begin().await() }
        },
        "tryWithPermits" to Permits { client, name, body ->
            client.semaphore(name, 1).tryWithPermits(1, 1.hours) { body.begin().await() }
        },
        "tryWithPermits(term)" to Permits { client, name, body ->
            client.semaphore(name, 1).tryWithPermits(1, 1.hours, FIXED) { body.begin().await() }
        },
        ANNOTATED[0] to Annotated { jobs, name, body -> jobs.suspending(name, body) },
        ANNOTATED[1] to Annotated { jobs, name, body -> jobs.flowing(name, body).singleOrNull() },
    )

    override fun found(): Collection<String> = Class.forName("dev.interlock.kotlin.Locks").declaredMethods
        .filter { Modifier.isPublic(it.modifiers) && !it.isSynthetic && LeaseTerm::class.java in it.parameterTypes }
        .map { it.name.substringBefore("-") }
        .flatMap { listOf(it, "$it(term)") } + ANNOTATED

    open class Jobs {

        @Locked("#{#name}")
        open suspend fun suspending(name: String, body: FormBody): String? = body.begin().await()

        @Locked("#{#name}")
        open fun flowing(name: String, body: FormBody): Flow<String> = flow { emit(body.begin().await()) }
    }

    private open class Coroutine(private val call: suspend (Interlock, String, FormBody) -> String?) : Form {

        override fun begin(client: Interlock, name: String, wait: Form.Wait, body: FormBody): Form.Call {
            val running = CoroutineScope(Dispatchers.Default).async { call(client, name, body) }
            val result = running.asCompletableFuture()
            return object : Form.Call {
                override fun result(): CompletableFuture<String?> = result

                override fun giveUp(way: String) = running.cancel()
            }
        }

        override fun ways() = listOf("cancel")
    }

    private class Permits(call: suspend (Interlock, String, FormBody) -> String?) : Coroutine(call) {

        override fun site(other: Interlock, name: String): Site = PermitSite(other, name)
    }

    /** A method of an application, which is what closes. */
    private class Annotated(private val call: suspend (Jobs, String, FormBody) -> String?) : Form {

        private val contexts = ConcurrentHashMap<Interlock, AnnotationConfigApplicationContext>()

        override fun begin(client: Interlock, name: String, wait: Form.Wait, body: FormBody): Form.Call {
            val context = AnnotationConfigApplicationContext()
            contexts[client] = context
            context.registerBean(Interlock::class.java, Supplier { client })
            context.registerBean(
                AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME,
                DefaultLifecycleProcessor::class.java,
                Supplier { DefaultLifecycleProcessor() },
            )
            context.register(InterlockAutoConfiguration::class.java, Jobs::class.java)
            context.refresh()
            return Coroutine { _, _, _ -> call(context.getBean(Jobs::class.java), name, body) }
                .begin(client, name, wait, body)
        }

        override fun shutDown(client: Interlock, patiently: Boolean) {
            val context = contexts.getValue(client)
            if (context.isActive) {
                context.getBean(DefaultLifecycleProcessor::class.java)
                    .setTimeoutPerShutdownPhase(if (patiently) Long.MAX_VALUE else 1)
            }
            context.close()
        }

        override fun ways() = listOf("cancel")
    }
}
