package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** P13 as the server counts it: what a hand-over costs does not grow with those who wait. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandOverCostTest {

    /** No client polls during a test. */
    private static final Duration NEVER = Duration.ofHours(1);

    /** No renewal falls into a test, and who waits asks again after half a minute, which is the longest time. */
    private static final LeaseTerm LASTING = LeaseTerm.renewing(Duration.ofMinutes(15));

    private final RedisServer server = RedisServer.start();
    private final List<Interlock> clients = new ArrayList<>();

    @AfterEach
    void closeAll() {
        clients.forEach(Interlock::close);
        server.close();
    }

    /** One command releases and tells the next: no other client hears of it. */
    @ParameterizedTest
    @ValueSource(ints = {2, 32})
    void P13_aHandOverTellsOneClient_howeverManyWait(int waiting) {
        // The last release hands over to nobody.
        assertThat(handOver(waiting)).isGreaterThanOrEqualTo(waiting + 1L);
    }

    /** One command releases, and one acquires: nobody else asks. On a slow machine whoever waits asks besides. */
    @ParameterizedTest
    @ValueSource(ints = {2, 32})
    @Tag(Effort.TIMING)
    void P13_aHandOverCostsTwoCommands_howeverManyWait(int waiting) {
        assertThat(handOver(waiting)).isBetween(waiting + 1L, 2L * waiting + 1);
    }

    /** How many commands it takes until each of those who wait has had the lock. */
    private long handOver(int waiting) {
        DistributedLock lock = open().lock("hand-over");
        // The server learns the scripts.
        turn(lock);
        lock.lock();
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < waiting; i++) {
            DistributedLock same = open().lock(lock.name());
            callers.add(Caller.startAction(() -> turn(same)));
        }
        await().until(() -> lock.inspect().waiters().size() == waiting);
        awaitQuiet();
        server.command("CONFIG", "RESETSTAT");

        lock.unlock();
        callers.forEach(Caller::result);

        assertThat(server.calls("publish")).isEqualTo(waiting);
        return server.calls("evalsha");
    }

    /**
     * Whoever is listed can be told, and does not ask again by itself; but it may have asked once more when it learnt
     * that.
     */
    private void awaitQuiet() {
        AtomicLong last = new AtomicLong();
        await().during(Duration.ofMillis(200)).until(() -> {
            long now = server.calls("evalsha");
            return last.getAndSet(now) == now;
        });
    }

    private static void turn(DistributedLock lock) {
        lock.lock();
        lock.unlock();
    }

    private Interlock open() {
        Interlock client = Interlock.builder(server.uri())
                .pollCap(NEVER)
                .lockOptions(LockOptions.builder().lease(LASTING).build())
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build();
        clients.add(client);
        return client;
    }
}
