package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client that listens hears when its lock is ended by force. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForceTest {

    /** The renewal that would find out comes after 40 minutes. */
    private static final LockOptions LASTING = LockOptions.defaults().lease(LeaseTerm.renewing(Duration.ofHours(2)));

    /** The callers behind a lease of their own client are not in the server. */
    @Test
    void force_isToldToAClientThatListens_andWhoWaitsThereIsNext() throws Exception {
        try (RedisServer server = RedisServer.start();
                Interlock other = open(server);
                Interlock client = open(server)) {
            DistributedLock lock = client.lock("forced", LASTING);
            Lease first = other.lock("forced", LASTING).acquire();
            Caller<Lease> held = Caller.start(lock::acquire);
            await().until(() -> !other.lock("forced").inspect().waiters().isEmpty());
            first.close();
            Lease lost = held.result();
            Caller<Lease> next = Caller.start(lock::acquire).awaitBlocked();

            assertThat(other.lock("forced").forceUnlock()).isTrue();

            try (Lease after = next.result()) {
                assertThat(after.isValid()).isTrue();
            }
            assertThat(lost.isValid()).isFalse();
            assertThat(lost.release().lossCause()).isEqualTo(LossCause.FORCED);
        }
    }

    /** Its time-outs only guard against hanging. */
    private static Interlock open(RedisServer server) {
        return Interlock.builder(server.uri())
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build();
    }
}
