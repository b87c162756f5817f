package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Locks that are released without waiting for the server: what they cost it, and what becomes of the release and of the
 * acquire behind it if the server does not know a script, or the connection breaks between the two. I1, I6, I7.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EarlyReleaseTest {

    /** Outlasts the test: what is left behind does not go by itself. */
    private static final LockOptions EARLY = LockOptions.builder()
            .releaseEarly(true)
            .lease(LeaseTerm.renewing(Duration.ofMinutes(30)))
            .build();

    private final RedisServer server = RedisServer.start();
    private final FaultProxy proxy = FaultProxy.to(server);
    private final Queue<ReleaseOutcome> outcomes = new ConcurrentLinkedQueue<>();
    private final Interlock client = Interlock.builder(server.uriAt(proxy.port()))
            .attemptTimeout(Patience.FULL)
            .storeTimeout(Patience.FULL)
            .lockOptions(EARLY)
            .observer((name, kind, mode) -> new LockObserver.Acquisition() {
                @Override
                public void ended(ReleaseOutcome outcome, Duration held) {
                    outcomes.add(outcome);
                }
            })
            .build();

    @AfterEach
    void closeAll() {
        proxy.heal();
        client.close();
        proxy.close();
        server.close();
    }

    private void awaitOutcomes(int count) {
        await().until(() -> outcomes.size() >= count);
    }

    private boolean isHeld(String name) {
        return server.list("EXISTS", name).contains("1");
    }

    /** The acquire's script is known when the first release is sent, and that of the release is not. */
    @Test
    void scriptThatTheServerDoesNotKnow_doesNotMakeTheNextAcquireFail() {
        DistributedLock lock = client.lock("new");
        lock.lock();
        lock.unlock();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();

        for (int i = 0; i < 20; i++) {
            lock.lock();
            server.command("SCRIPT", "FLUSH");
            lock.unlock();
            assertThat(lock.tryLock()).as("turn %d", i).isTrue();
            lock.unlock();
        }

        awaitOutcomes(42);
        assertThat(outcomes).hasSize(42).containsOnly(ReleaseOutcome.RELEASED);
        assertThat(isHeld("new")).isFalse();
    }

    @Test
    void eachTurn_costsTwoCommands_asWithoutTheOption() {
        DistributedLock lock = client.lock("commands");
        for (int i = 0; i < 3; i++) {
            lock.lock();
            lock.unlock();
        }
        awaitOutcomes(3);
        server.command("CONFIG", "RESETSTAT");

        for (int i = 0; i < 1000; i++) {
            lock.lock();
            lock.unlock();
        }

        awaitOutcomes(1003);
        assertThat(server.calls("evalsha")).isEqualTo(2000);
        assertThat(server.calls("publish")).isZero();
    }

    /** The server has released it, and only the reply is lost: the client cannot know, and says so. */
    @Test
    void connectionThatBreaksBeforeTheReply_isUnconfirmed() throws Exception {
        DistributedLock lock = client.lock("cut");
        long token = 0;
        int turns = 10;
        for (int i = 0; i < turns; i++) {
            Lease lease = lock.acquire();
            assertThat(lease.token()).isGreaterThan(token);
            token = lease.token();
            int told = outcomes.size();
            long dropped = proxy.droppedReplies();
            proxy.dropNextReply(Duration.ZERO);
            lease.close();
            // With the acquire that follows on the same connection, or on a new one.
            Lease next = i % 2 == 0
                    ? lock.acquire()
                    : lock.tryAcquire(Patience.limit()).orElseThrow();
            assertThat(proxy.droppedReplies()).isEqualTo(dropped + 1);
            assertThat(next.token()).isGreaterThan(token);
            token = next.token();
            assertThat(server.list("HVALS", "cut"))
                    .as("one owner, and the mark")
                    .hasSize(2);
            awaitOutcomes(told + 1);
            next.close();
            awaitOutcomes(told + 2);
        }

        assertThat(outcomes)
                .hasSize(2 * turns)
                .contains(ReleaseOutcome.UNCONFIRMED)
                .containsOnly(ReleaseOutcome.UNCONFIRMED, ReleaseOutcome.RELEASED);
        await().until(() -> !isHeld("cut"));
    }

    /** The server has never heard of the release, nor of the acquire behind it: both are sent once more, in order. */
    @Test
    void connectionThatBreaksBeforeTheRequest_isRepeated() throws Exception {
        DistributedLock lock = client.lock("lost");
        for (int i = 0; i < 10; i++) {
            int turn = i;
            Lease lease = lock.acquire();
            int told = outcomes.size();
            proxy.blackHole(Direction.TO_SERVER);
            long held = proxy.heldBytes(Direction.TO_SERVER);
            lease.close();
            Caller<Boolean> next = Caller.start(() -> {
                try (Lease granted = turn % 2 == 0
                        ? lock.acquire()
                        : lock.tryAcquire(Patience.limit()).orElseThrow()) {
                    return granted.token() > lease.token();
                }
            });
            await().until(() -> proxy.heldBytes(Direction.TO_SERVER) > held);
            proxy.reset();
            proxy.heal();
            assertThat(next.result()).isTrue();
            awaitOutcomes(told + 2);
        }
        assertThat(outcomes).hasSize(20).containsOnly(ReleaseOutcome.RELEASED);
        await().until(() -> !isHeld("lost"));
    }

    /** Beside a client that wants the lock, too, and is in nobody's way. */
    @Test
    void brokenConnections_grantTheLockToOneAtATime() throws Exception {
        int turns = 60;
        long[] countAndToken = {0, 0};
        try (Interlock other = Interlock.connect(server.uri())) {
            List<Caller<Boolean>> callers = new ArrayList<>();
            for (Interlock each : List.of(client, other)) {
                DistributedLock lock = each.lock("shared", EARLY);
                callers.add(Caller.startAction(() -> {
                    for (int i = 0; i < turns; i++) {
                        try (Lease lease = lock.acquire()) {
                            assertThat(lease.token()).isGreaterThan(countAndToken[1]);
                            countAndToken[1] = lease.token();
                            countAndToken[0]++;
                        }
                        if (each == client && i % 5 == 0) {
                            proxy.reset();
                            proxy.heal();
                        }
                    }
                }));
            }
            callers.forEach(Caller::result);
        }
        assertThat(countAndToken[0]).isEqualTo(2L * turns);
        awaitOutcomes(turns);
        assertThat(proxy.resets()).isPositive();
        await().until(() -> !isHeld("shared"));
    }
}
