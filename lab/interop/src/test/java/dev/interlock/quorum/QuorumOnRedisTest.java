package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LossCause;
import dev.interlock.StoreUnavailableException;
import dev.interlock.redis.RedisStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.process.Signals;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A majority of three real servers. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("long")
class QuorumOnRedisTest {

    /** Renewed after a third. A machine that stands still for the rest does not end it. */
    private static final Duration LEASE = Duration.ofSeconds(9);

    private final List<RedisServer> servers = List.of(RedisServer.start(), RedisServer.start(), RedisServer.start());
    private Interlock one;
    private Interlock two;

    @BeforeEach
    void open() {
        one = client();
        two = client();
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
        servers.forEach(RedisServer::close);
    }

    private Interlock client() {
        return Interlock.builder(QuorumStore.over(servers.stream()
                        .map(server -> RedisStore.at(server.uri()))
                        .toList()))
                .build();
    }

    /** Whether it was got, by the first answer: two servers may not answer in time on a busy machine. */
    private static boolean firstAnswer(Callable<Boolean> attempt) {
        return await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .until(() -> Optional.of(attempt.call()), Optional::isPresent)
                .orElseThrow();
    }

    /** One store that says busy, and two that say nothing: whoever asks hears the one or the other, as it comes. */
    private static boolean isGot(DistributedLock lock) throws InterruptedException {
        try {
            return lock.tryLock(Duration.ofMillis(300));
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    @Test
    void P19_oneServerStopped_thenDead_isNotNoticed_twoAreTheEnd() throws Exception {
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        Lease lease = one.lock("a").acquire(LeaseTerm.renewing(LEASE));
        lease.onLost(told::add);
        assertThat(firstAnswer(() -> two.lock("a").tryLock())).isFalse();

        servers.get(0).stop();
        assertThat(servers.get(0).state()).isEqualTo(Signals.STOPPED);
        // The first renewal may have been sent before the server was stopped.
        LockFixture.awaitRenewal(lease);
        LockFixture.awaitRenewal(lease);
        assertThat(told).isEmpty();
        assertThat(firstAnswer(() -> two.lock("a").tryLock(Duration.ofSeconds(1))))
                .isFalse();
        try (Lease other = two.lock("b").acquire(LockFixture.LONG)) {
            assertThat(other.isValid()).isTrue();
        }

        servers.get(1).kill();
        await().until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LossCause.STORE_UNREACHABLE);
        assertThat(lease.isValid()).isFalse();
        assertThat(isGot(two.lock("a"))).as("by one of three").isFalse();
        servers.get(0).cont();
        assertThat(two.lock("a").tryLock(Patience.limit()))
                .as("two of three again")
                .isTrue();
        two.lock("a").unlock();
    }

    /**
     * Nobody renews meanwhile: it is locks and unlocks that give up, or else all of them would be sent to the server
     * when it comes back.
     */
    @Test
    void P19_aConnectionThatHasFallenSilent_isDropped() throws Exception {
        one.lock("a").acquire().close();
        List<String> before = connections(servers.get(0));
        assertThat(before).isNotEmpty();
        servers.get(0).stop();
        assertThat(servers.get(0).state()).isEqualTo(Signals.STOPPED);
        AtomicInteger turns = new AtomicInteger();
        await().pollInterval(Duration.ofMillis(50)).until(() -> {
            one.lock("a").acquire(LeaseTerm.fixed(LEASE)).close();
            return turns.incrementAndGet() == 80;
        });
        servers.get(0).cont();
        await().untilAsserted(() -> assertThat(connections(servers.get(0))).doesNotContainAnyElementsOf(before));
    }

    /** The numbers of the connections for commands, but that which asks. */
    private static List<String> connections(RedisServer server) {
        return server.command("CLIENT", "LIST")
                .lines()
                .filter(line -> line.contains(" sub=0 ") && !line.contains(" cmd=client"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    @Test
    void P19_nothingIsLeft_butTheFence_whichHasAnEnd() throws Exception {
        long last = 0;
        for (int round = 0; round < 5; round++) {
            try (Lease lease = (round % 2 == 0 ? one : two).lock("a").acquire()) {
                assertThat(lease.token()).isGreaterThan(last);
                last = lease.token();
            }
        }
        for (RedisServer server : servers) {
            await().untilAsserted(
                            () -> assertThat(server.command("EXISTS", "a")).isEqualTo("0"));
            for (String key : server.list("KEYS", "*")) {
                assertThat(key).contains("interlock");
                assertThat(Long.parseLong(server.command("PTTL", key))).as(key).isPositive();
            }
        }
    }
}
