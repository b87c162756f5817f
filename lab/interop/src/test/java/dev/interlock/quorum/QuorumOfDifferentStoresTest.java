package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LossCause;
import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.JdbcStoreProvider;
import dev.interlock.redis.RedisStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockFixture;
import dev.interlock.testkit.process.Signals;
import dev.interlock.testkit.server.PostgresServer;
import dev.interlock.testkit.server.RedisServer;
import dev.interlock.testkit.server.ZooKeeperServer;
import dev.interlock.zookeeper.ZooKeeperStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A majority of a Redis, a PostgreSQL and a ZooKeeper: they have nothing in common but the six verbs. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class QuorumOfDifferentStoresTest {

    /** Renewed after a third. A machine that stands still for the rest does not end it. */
    private static final LeaseTerm RENEWED = LeaseTerm.renewing(Duration.ofSeconds(12));

    /** Of a lease that is to end. */
    private static final LeaseTerm ENDING = LeaseTerm.renewing(Duration.ofSeconds(5));

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(10);

    private static RedisServer redis;
    private static PostgresServer postgres;
    private static ZooKeeperServer zookeeper;

    private Interlock one;
    private Interlock two;

    @BeforeAll
    static void startServers() {
        redis = RedisServer.start();
        postgres = PostgresServer.start();
        zookeeper = ZooKeeperServer.start();
    }

    @AfterAll
    static void stopServers() {
        zookeeper.close();
        postgres.close();
        redis.close();
    }

    @BeforeEach
    void open() {
        one = client();
        two = client();
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private static Interlock client() {
        return Interlock.builder(QuorumStore.over(
                        List.of(
                                RedisStore.at(redis.uri()),
                                new JdbcStoreProvider().create(postgres.url()),
                                ZooKeeperStore.at(zookeeper.uri())),
                        STORE_TIMEOUT))
                .build();
    }

    @Test
    void oneHoldsAfterTheOther_withTokensThatGrow() throws Exception {
        long last = 0;
        for (int i = 0; i < 10; i++) {
            DistributedLock lock = (i % 2 == 0 ? one : two).lock("in-turn");
            DistributedLock other = (i % 2 == 0 ? two : one).lock("in-turn");
            try (Lease lease = lock.tryAcquire(Patience.limit()).orElseThrow()) {
                assertThat(lease.token()).isGreaterThan(last);
                last = lease.token();
                assertThat(isGotByFirstAnswer(other)).isFalse();
            }
        }
    }

    /** Each of them may stand still, and the lock is held, and given on, by the other two. */
    @Test
    void oneThatStandsStill_isNotNoticed() throws Exception {
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        try (Lease lease = one.lock("still").acquire(RENEWED)) {
            lease.onLost(told::add);
            postgres.stop();
            try {
                assertThat(postgres.state()).isEqualTo(Signals.STOPPED);
                // The first renewal may have been sent before the server was stopped.
                LockFixture.awaitRenewal(lease);
                LockFixture.awaitRenewal(lease);
                assertThat(told).isEmpty();
                assertThat(isGot(two.lock("still"))).isFalse();
                try (Lease other = two.lock("another").acquire(LockFixture.LONG)) {
                    assertThat(other.isValid()).isTrue();
                }
            } finally {
                postgres.cont();
            }
        }
        assertThat(told).isEmpty();
    }

    /** The negative control: without a majority it is lost. */
    @Test
    void twoThatStandStill_areTheEnd() throws Exception {
        Queue<LossCause> told = new ConcurrentLinkedQueue<>();
        Lease lease = one.lock("end").acquire(ENDING);
        lease.onLost(told::add);
        postgres.stop();
        redis.stop();
        try {
            assertThat(redis.state()).isEqualTo(Signals.STOPPED);
            await().until(() -> !told.isEmpty());
            assertThat(told).hasSize(1);
            assertThat(lease.isValid()).isFalse();
        } finally {
            redis.cont();
            postgres.cont();
        }
        try (Lease next = two.lock("end").tryAcquire(Patience.limit()).orElseThrow()) {
            assertThat(next.token()).isGreaterThan(lease.token());
        }
    }

    /** Two stores may not answer in time on a busy machine. */
    private static boolean isGotByFirstAnswer(DistributedLock lock) {
        return await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .until(() -> Optional.of(lock.tryLock()), Optional::isPresent)
                .orElseThrow();
    }

    private static boolean isGot(DistributedLock lock) throws InterruptedException {
        try {
            return lock.tryLock(Duration.ofMillis(300));
        } catch (StoreUnavailableException e) {
            return false;
        }
    }
}
