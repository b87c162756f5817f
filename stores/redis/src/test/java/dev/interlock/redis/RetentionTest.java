package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.spi.OwnerId;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a lock that is kept until somebody asks costs the server, and how its client hears of those who ask. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RetentionTest {

    private static final LockOptions RETAINED =
            LockOptions.builder().retained(Duration.ofHours(1)).build();

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** As the server counts. No renewal falls into the test. */
    @Test
    void retainedLock_isTakenAgain_withoutACommand() throws Exception {
        LockOptions lasting = RETAINED.toBuilder()
                .lease(LeaseTerm.renewing(Duration.ofMinutes(15)))
                .build();
        try (Interlock client = open()) {
            DistributedLock lock = client.lock("commands", lasting);
            lock.run(() -> {});
            await().until(() -> isSubscribed(inbox(lock)));
            server.command("CONFIG", "RESETSTAT");

            for (int i = 0; i < 1000; i++) {
                lock.run(() -> {});
            }

            assertThat(server.calls("evalsha")).isZero();
            assertThat(server.calls("publish")).isZero();
            assertThat(lock.isLocked()).isTrue();
        }
    }

    /** It is subscribed again with the next renewal, and the one who waits asks again with its next poll. */
    @Test
    void brokenSubscription_isRepaired_andTheLockIsGivenBack() throws Exception {
        LockOptions brief = RETAINED.toBuilder()
                .lease(LeaseTerm.renewing(Duration.ofSeconds(9)))
                .build();
        try (Interlock client = open();
                Interlock other = open()) {
            DistributedLock lock = client.lock("broken", brief);
            lock.run(() -> {});
            String inbox = inbox(lock);
            await().until(() -> isSubscribed(inbox));
            server.command("CLIENT", "KILL", "TYPE", "pubsub");

            try (Lease next = Caller.start(other.lock("broken")::acquire).result()) {
                assertThat(next.isValid()).isTrue();
            }
        }
    }

    /** Its time-outs only guard against hanging. */
    private static Interlock open() {
        return Interlock.builder(server.uri())
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build();
    }

    private static String inbox(DistributedLock lock) {
        OwnerId owner = new OwnerId(lock.inspect().holders().get(0).owner());
        assertThat(owner.isRetained()).isTrue();
        return "interlock_inbox:" + owner.clientId();
    }

    private static boolean isSubscribed(String channel) {
        return server.list("PUBSUB", "NUMSUB", channel).contains("1");
    }
}
