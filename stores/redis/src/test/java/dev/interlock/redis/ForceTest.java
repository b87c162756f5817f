package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.spi.LockKind;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client that listens hears when its lock is ended by force. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForceTest {

    /** The renewal that would find out comes after 40 minutes. */
    private static final LockOptions LASTING =
            LockOptions.builder().lease(LeaseTerm.renewing(Duration.ofHours(2))).build();

    /** The callers behind a lease of their own client are not in the server. */
    @ParameterizedTest
    @EnumSource(names = {"LOCK", "READ_WRITE"})
    void force_isToldToAClientThatListens_andWhoWaitsThereIsNext(LockKind kind) throws Exception {
        try (RedisServer server = RedisServer.start();
                Interlock other = open(server);
                Interlock client = open(server)) {
            DistributedLock lock = lock(client, kind);
            Lease first = lock(other, kind).acquire();
            Caller<Lease> held = Caller.start(lock::acquire);
            await().until(() -> !lock(other, kind).inspect().waiters().isEmpty());
            first.close();
            Lease lost = held.result();
            Caller<Lease> next = Caller.start(lock::acquire).awaitBlocked();

            assertThat(other.administration().forceUnlock("forced")).isTrue();

            try (Lease after = next.result()) {
                assertThat(after.isValid()).isTrue();
            }
            assertThat(lost.isValid()).isFalse();
            assertThat(lost.release().lossCause()).isEqualTo(LossCause.FORCED);
        }
    }

    /** An exclusive lock of this kind. */
    private static DistributedLock lock(Interlock client, LockKind kind) {
        return kind == LockKind.LOCK
                ? client.lock("forced", LASTING)
                : client.readWriteLock("forced", LASTING).writeLock();
    }

    /** Its time-outs only guard against hanging. */
    private static Interlock open(RedisServer server) {
        return Interlock.builder(server.uri())
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build();
    }
}
