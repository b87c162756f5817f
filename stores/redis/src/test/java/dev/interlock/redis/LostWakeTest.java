package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * P11 on the network: the message of a release does not arrive, and whoever waits for it holds all the same, and soon.
 * Invariant I5.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostWakeTest {

    private static final Duration POLL_CAP = Duration.ofMillis(300);

    /** What an acquire and the scheduling of threads may take. */
    private static final Duration SLACK = Duration.ofMillis(300);

    /** Much less than the poll cap of a client that does not poll in time. */
    private static final Duration PROMPT = Duration.ofSeconds(5);

    /** The limit of a default test, which guards against hanging. */
    private static final Duration UNBOUNDED = Duration.ofMinutes(5);

    private static RedisServer server;
    private FaultProxy proxy;
    private Interlock holder;

    /** What {@link #holdAndWait} holds. */
    @SuppressWarnings("NullAway.Init")
    private DistributedLock held;

    private final List<Interlock> waiters = new ArrayList<>();

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** Only the one that waits is behind the proxy. */
    @BeforeEach
    void startProxy() {
        proxy = FaultProxy.to(server);
        holder = Interlock.connect(server.uri());
    }

    @AfterEach
    void closeAll() {
        waiters.forEach(Interlock::close);
        holder.close();
        proxy.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void P11_swallowedMessages_nextWaiterHolds(boolean fair) {
        swallowMessages(fair, UNBOUNDED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("timing")
    void P11_swallowedMessages_nextWaiterHoldsWithinThePollCap(boolean fair) {
        swallowMessages(fair, POLL_CAP.plus(SLACK));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void P11_messageConnectionCutBeforeARelease_nextWaiterHolds(boolean fair) {
        cutBeforeARelease(fair, UNBOUNDED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("timing")
    void P11_cutBeforeARelease_nextHoldsWithinThePollCap(boolean fair) {
        cutBeforeARelease(fair, POLL_CAP.plus(SLACK));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void P11_connectionsCutUnderAMessage_nextWaiterHolds(boolean fair) {
        cutUnderAMessage(fair, UNBOUNDED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("timing")
    void P11_cutUnderAMessage_nextHoldsWithinThePollCap(boolean fair) {
        cutUnderAMessage(fair, POLL_CAP.plus(SLACK));
    }

    /** The negative control: a message that arrives wakes the waiter long before it polls, also after a cut. */
    @Test
    @Tag("timing")
    void P11_noFault_nextWaiterIsWoken_andAgainAfterACut() {
        Interlock patient = open(Duration.ofMinutes(1));
        unlock(holdAndWait(patient, options(false)), PROMPT);
        cut();
        await("the client notices").until(() -> proxy.connections() == 1);
        unlock(holdAndWait(patient, options(false)), PROMPT);
        assertThat(proxy.swallowedChunks()).isZero();
    }

    /** With a fair lock the waiter has been granted the lock by the release, and does not know. */
    private void swallowMessages(boolean fair, Duration limit) {
        LockOptions options = options(fair);
        Interlock waiter = open(POLL_CAP);
        for (int round = 1; round <= 2; round++) {
            Caller<Boolean> waiting = holdAndWait(waiter, options);
            proxy.swallow("message");
            unlock(waiting, limit);

            long lost = round;
            await().until(() -> proxy.swallowedChunks() == lost);
            proxy.heal();
        }
    }

    private void cutBeforeARelease(boolean fair, Duration limit) {
        Caller<Boolean> waiting = holdAndWait(open(POLL_CAP), options(fair));
        server.command("CONFIG", "RESETSTAT");
        cut();
        unlock(waiting, limit);
        assertThat(server.calls("publish")).as("messages without a receiver").isPositive();
    }

    /** The message is on its way when its connection, and all others, break. */
    private void cutUnderAMessage(boolean fair, Duration limit) {
        Caller<Boolean> waiting = holdAndWait(open(POLL_CAP), options(fair));
        server.command("CONFIG", "RESETSTAT");
        proxy.blackHole(Direction.TO_CLIENT);
        try (Stopwatch watch = new Stopwatch()) {
            held.unlock();
            await().until(() -> server.calls("publish") > 0 && proxy.heldBytes(Direction.TO_CLIENT) > 0);
            proxy.reset();
            proxy.heal();
            waiting.result(UNBOUNDED);
            watch.assertAtMost(limit, "a hand-over under a cut");
        }
        await("the proxy counts what it drops").until(() -> proxy.droppedBytes(Direction.TO_CLIENT) > 0);
    }

    private static LockOptions options(boolean fair) {
        return fair ? LockOptions.builder().fair(true).build() : LockOptions.defaults();
    }

    /** Holds the lock here; returns when the other client is listed as waiting, and so can be told. */
    private Caller<Boolean> holdAndWait(Interlock waiter, LockOptions options) {
        held = holder.lock("lost", options);
        held.lock();
        DistributedLock same = waiter.lock("lost", options);
        Caller<Boolean> waiting = Caller.startAction(() -> {
            same.lock();
            same.unlock();
        });
        await().until(() -> held.inspect().waiters().size() == 1);
        return waiting;
    }

    private void unlock(Caller<Boolean> waiting, Duration limit) {
        try (Stopwatch watch = new Stopwatch()) {
            held.unlock();
            waiting.result(UNBOUNDED);
            watch.assertAtMost(limit, "a hand-over");
        }
    }

    /** An earlier test's connection may not have ended yet. */
    private static void cut() {
        await().until(() -> server.command("CLIENT", "LIST", "TYPE", "pubsub")
                        .lines()
                        .filter(line -> !line.isBlank())
                        .count()
                == 1);
        assertThat(server.command("CLIENT", "KILL", "TYPE", "pubsub")).isEqualTo("1");
    }

    private Interlock open(Duration pollCap) {
        Interlock client =
                Interlock.builder(server.uriAt(proxy.port())).pollCap(pollCap).build();
        waiters.add(client);
        return client;
    }
}
