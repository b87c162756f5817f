package dev.interlock.kotlin

import dev.interlock.Interlock
import dev.interlock.memory.MemoryStore
import dev.interlock.spi.LockStore
import dev.interlock.annotation.Locked
import dev.interlock.spring.boot.InterlockAutoConfiguration
import dev.interlock.testkit.contract.form.Form
import dev.interlock.testkit.contract.form.FormBody
import dev.interlock.testkit.contract.form.FormTable
import java.util.concurrent.CompletableFuture
import java.util.function.Supplier
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.singleOrNull
import kotlinx.coroutines.future.asCompletableFuture
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import org.junit.jupiter.api.AfterEach
import org.springframework.context.annotation.AnnotationConfigApplicationContext

/** The table of forms over blocks of coroutines, and over `@Locked` on what only Kotlin has. */
class FormsTest : FormTable() {

    private val contexts = mutableListOf<AnnotationConfigApplicationContext>()

    @AfterEach
    fun closeContexts() = contexts.forEach { it.close() }

    override fun sessions(): Supplier<LockStore> = MemoryStore().let { store -> Supplier { store.session() } }

    override fun forms(): Map<String, Form> = mapOf(
        "withLock" to coroutine { client, name, wait, body ->
            val lock = client.lock(name)
            when (wait) {
                Form.Wait.UNLIMITED -> lock.withLock { body.begin().await() }
                Form.Wait.NONE -> lock.tryWithLock { body.begin().await() }
            }
        },
        "suspend" to coroutine { client, name, wait, body ->
            when (wait) {
                Form.Wait.UNLIMITED -> jobs(client).waiting(name, body)
                Form.Wait.NONE -> jobs(client).trying(name, body)
            }
        },
        "flow" to coroutine { client, name, wait, body ->
            when (wait) {
                Form.Wait.UNLIMITED -> jobs(client).waitingFlow(name, body)
                Form.Wait.NONE -> jobs(client).tryingFlow(name, body)
            }.singleOrNull()
        },
    )

    open class Jobs {

        @Locked("#{#name}")
        open suspend fun waiting(name: String, body: FormBody): String? = body.begin().await()

        @Locked(value = ["#{#name}"], waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        open suspend fun trying(name: String, body: FormBody): String? = body.begin().await()

        @Locked("#{#name}")
        open fun waitingFlow(name: String, body: FormBody): Flow<String> = flow { emit(body.begin().await()) }

        @Locked(value = ["#{#name}"], waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        open fun tryingFlow(name: String, body: FormBody): Flow<String> = flow { emit(body.begin().await()) }
    }

    /** Of an application with this client. */
    private fun jobs(client: Interlock): Jobs {
        val context = AnnotationConfigApplicationContext()
        context.registerBean(Interlock::class.java, Supplier { client })
        context.register(InterlockAutoConfiguration::class.java, Jobs::class.java)
        context.refresh()
        synchronized(contexts) { contexts.add(context) }
        return context.getBean(Jobs::class.java)
    }

    private fun coroutine(call: suspend (Interlock, String, Form.Wait, FormBody) -> String?) = object : Form {

        override fun begin(client: Interlock, name: String, wait: Form.Wait, body: FormBody): Form.Call {
            val sibling = CompletableDeferred<Unit>()
            val running = CoroutineScope(Dispatchers.Default).async {
                coroutineScope {
                    val failing = launch { sibling.await() }
                    call(client, name, wait, body).also { failing.cancel() }
                }
            }
            val result = running.asCompletableFuture()
            return object : Form.Call {
                override fun result(): CompletableFuture<String?> = result

                override fun giveUp(way: String) {
                    if (way == "cancel") {
                        running.cancel()
                    } else {
                        sibling.completeExceptionally(IllegalStateException("of the sibling"))
                    }
                }
            }
        }

        override fun ways() = listOf("cancel", "failure of a sibling")
    }
}
