package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import dev.interlock.redis.connection.DedicatedClient;
import dev.interlock.redis.connection.NodeConnector;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/**
 * Broken connections and sick servers, with the store's own client and with the application's, which would replay what
 * it has sent.
 */
@Tag("server")
class FaultTest {

    private static RedisServer server;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private FaultProxy proxy;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void startProxy() {
        server.command("FLUSHALL");
        proxy = FaultProxy.to(server);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable closeable : opened) {
            closeable.close();
        }
        proxy.close();
    }

    private Probe probe(boolean shared) {
        Probe probe;
        if (shared) {
            RedisClient client = RedisClient.create(server.uriAt(proxy.port()));
            opened.add(client::shutdown);
            probe = new Probe(RedisStore.over(client));
        } else {
            probe = new Probe(server.uriAt(proxy.port()));
        }
        opened.add(0, probe);
        return probe;
    }

    /** I7: what was in flight fails, and is not sent a second time when there is a connection again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void P09_commandsInFlightAtABreak_failAndAreNeverReplayed(boolean shared) {
        Probe probe = probe(shared);
        List<CompletableFuture<?>> inFlight = holdInFlight(probe);

        proxy.reset();
        inFlight.forEach(Probe::failure);

        proxy.heal();
        probe.hold("after");
        assertThat(server.list("EXISTS", "a", "b", "c")).containsExactly("0");
        assertThat(server.calls("evalsha")).isEqualTo(1);
        await("the proxy counts what it drops").until(() -> proxy.droppedBytes(Direction.TO_SERVER) > 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("timing")
    void P09_commandsInFlightWhenTheConnectionBreaks_failAtOnce(boolean shared) {
        List<CompletableFuture<?>> inFlight = holdInFlight(probe(shared));

        try (Stopwatch watch = new Stopwatch()) {
            proxy.reset();
            inFlight.forEach(Probe::failure);
            watch.assertAtMost(Duration.ofSeconds(2), "The failure of what is in flight");
        }
    }

    /** Three acquires that the proxy holds back. */
    private List<CompletableFuture<?>> holdInFlight(Probe probe) {
        probe.release(probe.hold("warm"));
        server.command("CONFIG", "RESETSTAT");
        proxy.blackHole(Direction.TO_SERVER);
        List<CompletableFuture<?>> inFlight = Stream.of("a", "b", "c")
                .<CompletableFuture<?>>map(
                        name -> probe.store.acquire(probe.claim(name)).toCompletableFuture())
                .toList();
        await().until(() -> proxy.heldBytes(Direction.TO_SERVER) > 0);
        return inFlight;
    }

    /** The negative control of the test before: without a fault the same commands arrive. */
    @Test
    void withoutAFaultTheCommandsArrive() {
        Probe probe = probe(false);
        probe.release(probe.hold("warm"));
        server.command("CONFIG", "RESETSTAT");
        Stream.of("a", "b", "c").forEach(probe::hold);

        assertThat(server.list("EXISTS", "a", "b", "c")).containsExactly("3");
        assertThat(server.calls("evalsha")).isEqualTo(3);
        assertThat(proxy.droppedBytes(Direction.TO_SERVER)).isZero();
    }

    /** I7: executed, but the answer never came: asking again is the same grant. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void P09_aLostReplyToAnAcquireIsTheSameGrantWhenAskedAgain(boolean shared) {
        Probe probe = probe(shared);
        probe.release(probe.hold("warm"));
        Claim claim = probe.claim("lost");
        proxy.dropNextReply(Duration.ZERO);

        Probe.failure(probe.store.acquire(claim));
        assertThat(proxy.droppedReplies()).isEqualTo(1);
        String stamp = server.command("HGET", "lost", "interlock");

        // The head of what was in flight fails a moment before the connection itself is seen to be gone.
        long fence = await().ignoreExceptionsInstanceOf(AssertionError.class)
                .until(() -> probe.granted(claim), granted -> true);
        assertThat(stamp).startsWith(fence + " ");
        assertThat(server.command("HGET", "lost", claim.owner().value())).isEqualTo("1");
        assertThat(probe.release(claim)).isTrue();
        assertThat(server.command("EXISTS", "lost")).isEqualTo("0");
    }

    /** I7: a caller that gives up while the store still connects: nothing is sent for it afterwards. */
    @Test
    void P09_whatIsCancelledBeforeThereIsAConnectionIsNotSent() {
        CompletableFuture<RedisCredentials> slow = new CompletableFuture<>();
        RedisURI uri = RedisStoreUri.parse(server.uri()).server();
        uri.setCredentialsProvider(() -> Mono.fromFuture(slow));
        Probe probe = new Probe(
                new RedisStore(new NodeConnector(new DedicatedClient(uri, null, null), uri), Settings.DEFAULTS));
        opened.add(0, probe);
        CompletionStage<Attempt> givenUp = probe.store.acquire(probe.claim("given up"));
        CompletionStage<Attempt> goesOn = probe.store.acquire(probe.claim("goes on"));
        givenUp.toCompletableFuture().cancel(true);
        // The fault: there is no connection yet.
        assertThat(goesOn.toCompletableFuture()).isNotDone();
        slow.complete(RedisCredentials.just(null, (char[]) null));

        assertThat(Probe.answer(goesOn)).isInstanceOf(Attempt.Granted.class);
        assertThat(server.command("EXISTS", "given up")).isEqualTo("0");
    }

    @Test
    void P10_aRefusedConnectionFailsAtOnceAndTheNextVerbTriesAgain() {
        proxy.refuse();
        Probe probe = probe(false);

        assertThat(Probe.failure(probe.store.acquire(probe.claim("x"))))
                .hasMessageContaining("Redis cannot be reached")
                .hasMessageContaining("redis://127.0.0.1:" + proxy.port());

        proxy.heal();
        await().ignoreExceptionsInstanceOf(AssertionError.class)
                .until(() -> probe.granted(probe.claim("x-" + System.nanoTime())) > 0);
    }

    /** I3: the server has forgotten the last fence, and the next is larger all the same. */
    @Test
    void P10_worksAgainAfterTheServerWasRestarted() {
        try (RedisServer own = RedisServer.start();
                Probe probe = new Probe(own.uri())) {
            Claim held = probe.claim("restart");
            long before = probe.granted(held);
            own.restart();

            assertThat(own.command("DBSIZE")).isEqualTo("0");
            await().ignoreExceptionsInstanceOf(AssertionError.class).until(() -> probe.renew(held) == Renewal.DELETED);
            assertThat(probe.granted(probe.claim("restart"))).isGreaterThan(before);
        }
    }

    /** A peer that vanished without a word: nobody resets the connection, and it does not come back. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void P10_worksAgainAlthoughTheConnectionIsDeadAndNobodySaysSo(boolean shared) {
        Probe probe = probe(shared);
        probe.hold("warm");
        proxy.forgetConnections();

        // The same each time: one that is given up on a slow machine may be granted all the same.
        Claim claim = probe.claim("x");
        await().until(() -> {
            CompletableFuture<Attempt> asked = probe.store.acquire(claim).toCompletableFuture();
            try {
                return asked.get(200, TimeUnit.MILLISECONDS) instanceof Attempt.Granted;
            } catch (TimeoutException | ExecutionException e) {
                asked.cancel(false);
                return false;
            }
        });
        assertThat(proxy.heldBytes(Direction.TO_SERVER)).isPositive();
    }

    /** A server that stands still and goes on: the connection is the same, and so are the answers. */
    @Test
    void P10_worksOnAfterTheServerStoodStill() {
        try (RedisServer own = RedisServer.start();
                Probe probe = new Probe(own.uri())) {
            Claim held = probe.hold("still");
            own.stop();
            CompletionStage<Attempt> asked = probe.store.acquire(probe.claim("meanwhile"));
            assertThat(own.state()).isEqualTo('T');
            assertThat(asked.toCompletableFuture()).isNotDone();
            own.cont();

            assertThat(Probe.answer(asked)).isInstanceOf(Attempt.Granted.class);
            assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
        }
    }

    /** A refused connection must not become a storm of them. */
    @Test
    void P25_aDeadServerIsNotAskedInABusyLoop() {
        proxy.refuse();
        Probe probe = probe(false);
        long end = System.nanoTime() + Duration.ofMillis(400).toNanos();
        int failures = 0;
        while (System.nanoTime() < end) {
            Probe.failure(probe.store.acquire(probe.claim("x")));
            failures++;
        }
        assertThat(failures).isLessThan(12);
    }

    @Test
    void aFlushedScriptIsToldAgain() {
        Probe probe = probe(false);
        Claim held = probe.hold("flush");
        for (int i = 0; i < 3; i++) {
            server.command("SCRIPT", "FLUSH");
            assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
            server.command("SCRIPT", "FLUSH");
            assertThat(probe.release(held)).isTrue();
            server.command("SCRIPT", "FLUSH");
            probe.granted(held);
        }
    }

    /** A server that has begun anew has work enough: it is told the script once, not by each of those who miss it. */
    @Test
    void manyAtOnceSurviveAFlush() {
        Probe probe = probe(false);
        probe.hold("first");
        server.command("SCRIPT", "FLUSH");
        server.command("CONFIG", "RESETSTAT");
        server.stop();
        List<CompletionStage<Attempt>> all = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                all.add(probe.store.acquire(probe.claim("flush:" + i)));
            }
        } finally {
            server.cont();
        }
        assertThat(all).allSatisfy(stage -> assertThat(Probe.answer(stage)).isInstanceOf(Attempt.Granted.class));
        assertThat(server.calls("evalsha")).as("each was refused once").isEqualTo(400);
        assertThat(server.calls("script|load")).isEqualTo(1);
    }

    /** I5: the subscription is gone; the next time the waiting claim asks, it stands again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void P11_afterTheSubscriptionBrokeTheNextQuestionBringsItBack(boolean shared) {
        Probe holder = new Probe(server.uri());
        opened.add(0, holder);
        Claim held = holder.hold("cut");
        Probe waiter = probe(shared);
        Claim waiting = waiter.claim("cut").waiting(Duration.ofSeconds(1));
        waiter.busy(waiting);
        proxy.reset();
        await().until(() -> server.list("PUBSUB", "CHANNELS").isEmpty());

        await().ignoreExceptionsInstanceOf(AssertionError.class)
                .until(() -> waiter.busy(waiting) != null
                        && !server.list("PUBSUB", "CHANNELS").isEmpty());
        holder.release(held);
        await().untilAsserted(() -> assertThat(waiter.wakes).contains(LockId.lock("cut")));
    }

    @Test
    void P11_aSwallowedWakeIsNothingWorse() {
        Probe holder = new Probe(server.uri());
        opened.add(0, holder);
        Claim held = holder.hold("swallow");
        Probe waiter = probe(false);
        Claim waiting = waiter.claim("swallow").waiting(Duration.ofSeconds(1));
        waiter.busy(waiting);
        proxy.swallow("message");

        holder.release(held);

        await().until(() -> proxy.swallowedChunks() == 1);
        assertThat(waiter.wakes).isEmpty();
        waiter.granted(waiting);
    }

    /**
     * Nothing is sent on the connection for messages: only the system finds out that its peer has vanished, and by
     * itself it would look in two hours.
     */
    @Test
    void P11_theSystemLooksAfterAConnectionThatIsSilent() {
        Probe probe = new Probe(server.uri());
        opened.add(0, probe);
        probe.hold("silent");
        probe.busy(probe.claim("silent").waiting(Duration.ZERO));

        await().untilAsserted(() -> assertThat(keepAliveTimers(server.port()))
                .hasSize(2)
                .allSatisfy(left -> assertThat(left).isLessThanOrEqualTo(Duration.ofSeconds(15))));
    }

    /**
     * When the system looks next, for each connection of this process to that port: see proc(5), and the kernel's
     * tcp_ipv4.c.
     */
    private static List<Duration> keepAliveTimers(int port) throws IOException {
        String peer = "0100007F:%04X".formatted(port);
        List<String> lines = new ArrayList<>(Files.readAllLines(Path.of("/proc/self/net/tcp")));
        Path six = Path.of("/proc/self/net/tcp6");
        if (Files.exists(six)) {
            lines.addAll(Files.readAllLines(six));
        }
        return lines.stream()
                .map(line -> line.strip().split("\\s+", -1))
                .filter(words -> words[2].endsWith(peer) && words[3].equals("01") && words[5].startsWith("02:"))
                .map(words -> Duration.ofMillis(10 * Long.parseLong(words[5].substring(3), 16)))
                .toList();
    }

    /**
     * The server has said that the lock is held: a caller with little time hears it, although its client cannot be
     * woken yet.
     */
    @Test
    void P10_aBusyAnswerDoesNotWaitForTheSubscription() throws Exception {
        Probe holder = new Probe(server.uri());
        opened.add(0, holder);
        holder.hold("cold");
        proxy.swallow("subscribe");
        AtomicInteger millis = new AtomicInteger(200);
        await().until(() -> isRefusedInTime(
                server.uriAt(proxy.port()), "cold", Duration.ofMillis(millis.updateAndGet(last -> 2 * last))));
        assertThat(proxy.swallowedChunks()).isPositive();
    }

    /** Whether a new client learns within the budget that the lock is held. A machine that stalls may need more. */
    private static boolean isRefusedInTime(String uri, String name, Duration budget) throws InterruptedException {
        try (Interlock client = Interlock.connect(uri)) {
            DistributedLock lock = client.lock(name);
            assertThat(lock.isLocked()).isTrue();
            assertThat(lock.tryLock(budget)).isFalse();
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    /** I5: as long as it cannot be woken a waiting claim is not listed, and asks by itself, with growing pauses. */
    @Test
    void P11_whoCannotBeWokenYetAsksByItself() {
        Probe holder = new Probe(server.uri());
        opened.add(0, holder);
        Claim held = holder.hold("cold");
        proxy.swallow("subscribe");
        try (Interlock client = Interlock.builder(server.uriAt(proxy.port()))
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build()) {
            assertThat(client.lock("cold").isLocked()).isTrue();
            server.command("CONFIG", "RESETSTAT");
            long start = System.nanoTime();
            CompletableFuture<Lease> waiting =
                    client.lock("cold").acquireAsync().toCompletableFuture();
            await().until(() -> server.calls("evalsha") >= 5);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(160));
            assertThat(Probe.answer(holder.store.inspect(held.id())).waiters()).isEmpty();

            holder.release(held);
            assertThat(waiting).succeedsWithin(Duration.ofMinutes(5));
        }
    }

    /** A claim that could not be listed is woken when it can, and not again when it has asked already. */
    @Test
    void P11_aClaimIsWokenToBeListed() {
        Probe holder = new Probe(server.uri());
        opened.add(0, holder);
        holder.hold("cold");
        Probe waiter = probe(false);
        Claim waiting = waiter.claim("cold").waiting(Duration.ZERO);

        assertThat(waiter.refused(waiting)).isLessThanOrEqualTo(Duration.ofMillis(20));
        await().untilAsserted(() -> assertThat(waiter.wakes).containsExactly(waiting.id()));
        assertThat(waiter.refused(waiting)).isGreaterThan(Duration.ofSeconds(10));
        assertThat(waiter.wakes).hasSize(1);
    }

    /** A first, uncontended acquire does not pay for the connection that wakes come from. */
    @Test
    void aFreeLockOpensOneConnectionABusyOneTwo() {
        Probe probe = probe(false);
        probe.granted(probe.claim("free").waiting(Duration.ZERO));
        assertThat(proxy.connections()).isEqualTo(1);

        probe.busy(probe.claim("free").waiting(Duration.ZERO));
        assertThat(proxy.connections()).isEqualTo(2);
        Map<Claim, Renewal> none = Probe.answer(probe.store.renew(List.of()));
        assertThat(none).isEmpty();
    }

    /**
     * Only threads that the store has started count. Those of an earlier test may stay: Lettuce never ends a connect
     * that is under way when the application shuts its client down, and the thread that waits for it stays.
     */
    @Test
    void P27_closeLeavesNoConnectionAndNoThread() {
        Set<Thread> before = ownThreads();
        Probe probe = new Probe(server.uriAt(proxy.port()));
        probe.busy(claimOfAHeld(probe).waiting(Duration.ZERO));
        assertThat(ownThreads()).anyMatch(thread -> !before.contains(thread));
        probe.close();

        await().until(() -> proxy.connections() == 0);
        await().untilAsserted(() -> assertThat(before).containsAll(ownThreads()));
    }

    private static Set<Thread> ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("lettuce")
                        || thread.getName().startsWith("interlock-redis"))
                .collect(Collectors.toSet());
    }

    private static Claim claimOfAHeld(Probe probe) {
        probe.hold("held");
        return probe.claim("held");
    }
}
