package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fault.StoreFault;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.store.BlockingClient;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.Verb;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A broken network between the store and its server. On mongo-java-server, not MongoDB, unless told otherwise: no
 * failover is to be had.
 */
class JavaServerMongoFaultTest {

    private static final Duration PATIENCE = Patience.FULL;

    private static TestMongo mongo;
    private FaultProxy proxy;
    private BlockingClient client;
    private BlockingClient other;

    @BeforeAll
    static void start() {
        mongo = TestMongo.start();
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @BeforeEach
    void connect() {
        proxy = FaultProxy.to("127.0.0.1", mongo.port());
        client = new BlockingClient(MongoStore.at(mongo.uriAt(proxy.port())));
        other = new BlockingClient(MongoStore.over(mongo.client(), mongo.database()));
    }

    @AfterEach
    void close() {
        client.close();
        other.close();
        proxy.close();
    }

    /** I7: the server has granted it, and the client does not know. */
    @Test
    void P09_lostReplyToAnAcquire_theSameClaimGetsItOrTakesItBack() {
        client.release(client.hold("lost grant"));
        Claim claim = client.claim("lost grant");
        proxy.blackHole(FaultProxy.Direction.TO_CLIENT);
        var asked = client.store().acquire(claim).toCompletableFuture();
        await().atMost(PATIENCE)
                .until(() -> other.inspect("lost grant").holders().size() == 1);
        assertThat(asked).isNotDone();
        proxy.reset();
        proxy.heal();

        assertThat(BlockingClient.failure(asked)).isNotNull();
        long granted = other.inspect("lost grant").holders().get(0).token();
        await().atMost(PATIENCE).ignoreExceptions().until(() -> client.isGranted(claim));
        assertThat(other.inspect("lost grant").holders().get(0).token()).isEqualTo(granted);
        assertThat(client.release(claim)).isTrue();
        other.hold("lost grant");
    }

    /** The control of the test before: without the fault the claim is granted to the one who asks. */
    @Test
    void P09_control_withoutAFault_theReplyComes() {
        Claim claim = client.claim("no fault");

        assertThat(client.isGranted(claim)).isTrue();
        assertThat(proxy.resets()).isZero();
    }

    @Test
    void P09_aLostReplyToARelease_isMadeUpForByTheNext() {
        Claim claim = client.hold("lost release");
        proxy.blackHole(FaultProxy.Direction.TO_CLIENT);
        var released = client.store().release(claim).toCompletableFuture();
        await().atMost(PATIENCE).until(() -> !other.inspect("lost release").isLocked());
        proxy.reset();
        proxy.heal();
        assertThat(BlockingClient.failure(released)).isNotNull();
        Claim next = other.hold("lost release");

        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> !client.release(claim) && !client.isGranted(client.claim("lost release")));

        assertThat(other.renew(next)).isEqualTo(Renewal.HELD);
    }

    /** Every budget ends under every fault, and then all goes on without a restart. */
    @Test
    void P10_timedWaits_endUnderEveryFault_andRecover() throws Exception {
        timedWaits(PATIENCE);
    }

    /** The contract of locks measures it to 50 ms, with what the machine did not run left out. */
    @Tag(Effort.TIMING)
    @Test
    void P10_timedWaits_endInTime_underEveryFault() throws Exception {
        timedWaits(Duration.ofSeconds(2));
    }

    private void timedWaits(Duration limit) throws Exception {
        try (Interlock interlock = Interlock.builder(MongoStore.at(mongo.uriAt(proxy.port())))
                .attemptTimeout(Duration.ofMillis(300))
                .closeTimeout(Duration.ofMillis(300))
                .build()) {
            DistributedLock lock = interlock.lock("budgets");
            await().atMost(PATIENCE).ignoreExceptions().until(() -> works(lock));
            for (StoreFault fault : TestMongo.faults(proxy)) {
                long hits = fault.hits();
                fault.strike();
                do {
                    // The longer wait first: it is long enough for the store to count as silent.
                    for (int millis : new int[] {200, 50}) {
                        long begun = System.nanoTime();
                        assertThatThrownBy(() -> lock.tryLock(Duration.ofMillis(millis)))
                                .isInstanceOf(StoreUnavailableException.class);
                        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                                .as(fault.name())
                                .isLessThan(limit);
                    }
                    // On a machine without a free processor the time may be over before anything was sent.
                } while (fault.hits() == hits);
                fault.heal();
                await().atMost(PATIENCE).ignoreExceptions().until(() -> works(lock));
            }
        }
    }

    /**
     * What nobody waits for any more is not asked, and not taken back: or a store that was slow once would be busy with
     * that, and slow for those who come then.
     */
    @Test
    void P12_whatIsGivenUpWhileTheServerIsSilent_leavesNothingToDo() throws Exception {
        CountingStore counts = new CountingStore(MongoStore.at(mongo.uriAt(proxy.port())));
        // A release that is not answered within this time is repeated, which is not counted here.
        try (Interlock interlock = Interlock.builder(counts)
                .attemptTimeout(PATIENCE)
                .storeTimeout(PATIENCE)
                .build()) {
            DistributedLock lock = interlock.lock("given up");
            lock.acquire().close();
            long asked = counts.requests(Verb.ACQUIRE);
            long released = counts.requests(Verb.RELEASE);
            proxy.blackHole();
            lock.acquireAsync().toCompletableFuture().cancel(true);
            for (int i = 0; i < 500; i++) {
                lock.acquireAsync().toCompletableFuture().cancel(true);
            }
            // The first may be on its way to the server.
            assertThat(counts.requests(Verb.ACQUIRE) - asked).isGreaterThan(500);
            assertThat(counts.requests(Verb.RELEASE) - released).isLessThanOrEqualTo(1);
            proxy.heal();

            await().atMost(PATIENCE).ignoreExceptions().until(() -> works(lock));
        }
    }

    /** A server or a proxy has ended connections that were idle: the first call after that is made once more. */
    @Test
    void cutConnections_areReplaced_byTheFirstCallAfterThePause() {
        try (Interlock interlock = Interlock.builder(MongoStore.at(mongo.uriAt(proxy.port())))
                .attemptTimeout(PATIENCE)
                .storeTimeout(PATIENCE)
                .build()) {
            await().atMost(PATIENCE).ignoreExceptions().until(() -> works(interlock.lock("cut")));
            for (int round = 0; round < 10; round++) {
                proxy.reset();
                Lease lease = interlock.lock("cut-" + round).tryAcquire().orElseThrow();
                proxy.reset();
                assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }

    private static boolean works(DistributedLock lock) throws InterruptedException {
        boolean held = lock.tryLock(Duration.ofSeconds(1));
        if (held) {
            lock.unlock();
        }
        return held;
    }

    /** P23: an application starts while its server is down. */
    @Test
    void P23_constructionDoesNoIo_andTheFirstVerbConnects() {
        proxy.blackHole();

        try (BlockingClient late = new BlockingClient(MongoStore.at(mongo.uriAt(proxy.port())))) {
            assertThat(proxy.connections()).isZero();
            var asked = late.store().acquire(late.claim("late")).toCompletableFuture();
            await().atMost(PATIENCE).until(() -> proxy.heldBytes(FaultProxy.Direction.TO_SERVER) > 0);
            assertThat(asked).isNotDone();

            proxy.heal();

            assertThat(BlockingClient.answer(asked)).isNotNull();
        }
    }

    /** P27: nothing that hangs keeps a client from closing. */
    @Test
    void P27_closing_doesNotWaitForASilentServer() {
        client.hold("silent");
        proxy.blackHole();
        var asked = client.store().acquire(client.claim("silent")).toCompletableFuture();
        await().atMost(PATIENCE).until(() -> proxy.heldBytes(FaultProxy.Direction.TO_SERVER) > 0);

        client.close();

        assertThat(asked).isNotDone();
        proxy.reset();
        assertThat(BlockingClient.failure(asked)).isNotNull();
    }
}
