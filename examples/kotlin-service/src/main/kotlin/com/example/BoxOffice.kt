package com.example

import dev.interlock.Interlock
import dev.interlock.kotlin.withLock
import dev.interlock.kotlin.withPermits
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking

/** Sells the seats of a show, whose number is in a file. Several box offices may be open at once. */
class BoxOffice(interlock: Interlock, private val seats: Path) {

    private val lock = interlock.lock("show:42")
    private val tills = interlock.semaphore("tills", 3)

    /** Whether the customer got a seat. No thread waits for the lock, or for one of the tills of all offices. */
    suspend fun sell(): Boolean {
        val reserved = lock.withLock {
            val left = seats.readText().toInt()
            if (left > 0) seats.writeText("${left - 1}")
            left > 0
        }
        if (reserved) tills.withPermits { pay() }
        return reserved
    }

    private suspend fun pay() = delay(20)
}

/** The store, for example `redis://localhost:6379`; the file; the number of customers. Prints how many got a seat. */
fun main(args: Array<String>) = runBlocking {
    Interlock.connect(args[0]).use { interlock ->
        val office = BoxOffice(interlock, Path.of(args[1]))
        val customers = List(args[2].toInt()) { async { office.sell() } }
        println(customers.awaitAll().count { it })
    }
}
