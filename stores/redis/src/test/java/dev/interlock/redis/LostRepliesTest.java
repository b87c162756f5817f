package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Claim;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * P09 on the network: replies are lost, each with all behind it on its connection, and the server has done what was
 * asked. Invariants I2, I6 and I7.
 */
@Tag("some")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostRepliesTest {

    private static final Duration ATTEMPT = Duration.ofMillis(100);

    /** Outlasts the test: what is left behind does not go by itself. */
    private static final LeaseTerm LEASE = LeaseTerm.renewing(Duration.ofMinutes(10));

    private static final List<String> NAMES = List.of("a", "b", "c");

    private final RedisServer server = RedisServer.start();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<Interlock> clients = new ArrayList<>();
    private final List<RedisClient> applications = new ArrayList<>();

    /** What the locks protect: read, and then written. */
    private final AtomicLongArray counters = new AtomicLongArray(NAMES.size());

    private final AtomicLongArray turns = new AtomicLongArray(NAMES.size());
    private final AtomicLong inVain = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();

    @AfterEach
    void closeAll() {
        proxies.forEach(FaultProxy::heal);
        clients.forEach(Interlock::close);
        applications.forEach(client -> client.shutdown(0, 1, TimeUnit.SECONDS));
        proxies.forEach(FaultProxy::close);
        server.close();
    }

    @Tag(Effort.SCALED)
    @Tag(Effort.MINUTES)
    @Test
    void P09_aFifthOfRepliesLost_nothingIsLeft_nothingCountsTwice() throws Exception {
        open(RedisStore::at).dropReplies(0.2);
        open(this::shared).dropReplies(0.2);
        // Nothing is heard for longer than the client waits: its own time-out comes before the connection breaks.
        open(RedisStore::at).dropReplies(0.2, ATTEMPT.multipliedBy(2));
        long start = System.nanoTime();
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (Interlock client : clients) {
            callers.add(Caller.startAction(() -> takeTurns(client)));
            callers.add(Caller.startAction(() -> takeTurns(client)));
        }
        Duration time = Effort.pick(Duration.ofMillis(1_500), Duration.ofMinutes(2));
        await("enough turns, and replies lost by each proxy")
                .atMost(time.plusMinutes(5))
                .until(() -> System.nanoTime() - start > time.toNanos()
                        && sum(turns) > 20
                        && inVain.get() > 0
                        && proxies.stream().allMatch(proxy -> proxy.droppedReplies() > 2));
        over.set(true);
        callers.forEach(Caller::result);

        proxies.forEach(FaultProxy::heal);
        assertThat(counters).hasToString(turns.toString());
        await().untilAsserted(() -> assertThat(leftBehind()).isEmpty());
        for (Interlock client : clients) {
            client.lock(NAMES.get(0)).acquire(LEASE).close();
        }
        // What is not answered within the short attempts of these clients is released in the background.
        await().untilAsserted(() -> assertThat(leftBehind()).isEmpty());
    }

    /**
     * The negative control: a client that does not take back what it has not heard of leaves it behind, and so would
     * one that sets no end.
     */
    @Test
    void whatNobodyTakesBackIsSeen() {
        FaultProxy proxy = FaultProxy.to(server);
        proxies.add(proxy);
        try (Probe probe = new Probe(server.uriAt(proxy.port()))) {
            probe.release(probe.hold("warm"));
            assertThat(leftBehind()).isEmpty();
            Claim unheard = probe.claim("unheard");
            proxy.dropNextReply(Duration.ZERO);
            Probe.failure(probe.store.acquire(unheard));

            assertThat(proxy.droppedReplies()).isEqualTo(1);
            server.command("SET", "interlock_fence:{endless}", "1");
            assertThat(leftBehind()).containsExactlyInAnyOrder("unheard", "interlock_fence:{endless}");
        }
    }

    private FaultProxy open(Function<String, RedisStore> store) {
        FaultProxy proxy = FaultProxy.to(server);
        proxies.add(proxy);
        clients.add(Interlock.builder(store.apply(server.uriAt(proxy.port())))
                .attemptTimeout(ATTEMPT)
                .pollCap(ATTEMPT)
                .build());
        return proxy;
    }

    /** Over a client that connects again by itself, and would then send once more what was not answered. */
    private RedisStore shared(String uri) {
        RedisClient client = RedisClient.create(uri);
        applications.add(client);
        return RedisStore.over(client);
    }

    private void takeTurns(Interlock client) throws InterruptedException {
        for (int round = 0; !over.get(); round++) {
            int which = ThreadLocalRandom.current().nextInt(NAMES.size());
            DistributedLock lock = client.lock(NAMES.get(which));
            // The shorter one is mostly given up while the server is asked.
            Duration budget = round % 2 == 0
                    ? Duration.ofSeconds(1)
                    : Duration.ofNanos(ThreadLocalRandom.current().nextInt(3_000_000));
            try {
                boolean held = round % 4 < 2 ? reentrantTurn(lock, which, budget) : handleTurn(lock, which, budget);
                inVain.addAndGet(held ? 0 : 1);
            } catch (StoreUnavailableException e) {
                inVain.incrementAndGet();
            }
        }
    }

    private boolean reentrantTurn(DistributedLock lock, int which, Duration budget) throws InterruptedException {
        assertThat(lock.holdCount()).isZero();
        if (!lock.tryLock(budget, LEASE)) {
            return false;
        }
        try {
            lock.lock();
            assertThat(lock.holdCount()).isEqualTo(2);
            work(which);
            lock.unlock();
            assertThat(lock.holdCount()).isEqualTo(1);
        } finally {
            lock.unlock();
        }
        assertThat(lock.holdCount()).isZero();
        return true;
    }

    private boolean handleTurn(DistributedLock lock, int which, Duration budget) throws InterruptedException {
        Optional<Lease> maybe = lock.tryAcquire(budget, LEASE);
        if (maybe.isPresent()) {
            try (Lease held = maybe.get()) {
                work(which);
                assertThat(held.isValid()).isTrue();
            }
        }
        return maybe.isPresent();
    }

    /** The server, asked on a connection that works, has one owner, with a count of one. */
    private void work(int which) {
        long before = counters.get(which);
        assertThat(server.list("HVALS", NAMES.get(which)))
                .as("the owner's count, and the mark")
                .hasSize(2)
                .contains("1");
        counters.set(which, before + 1);
        turns.incrementAndGet(which);
    }

    /** All keys but the last fences, which are kept for a while. */
    private List<String> leftBehind() {
        return server.list("KEYS", "*").stream()
                .filter(key -> !key.startsWith("interlock_fence:") || Long.parseLong(server.command("PTTL", key)) <= 0)
                .toList();
    }

    private static long sum(AtomicLongArray numbers) {
        long sum = 0;
        for (int i = 0; i < numbers.length(); i++) {
            sum += numbers.get(i);
        }
        return sum;
    }
}
