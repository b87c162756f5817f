package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.ReleaseOutcome;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server, or a proxy, that ends connections which are idle: the first call after the pause works. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IdleConnectionTest {

    private static final LeaseTerm LONG = LeaseTerm.fixed(Duration.ofMinutes(5));

    @Test
    void endedConnection_isReplaced_byTheFirstCallAfterThePause() throws Exception {
        // A call is repeated if it fails soon: that is within a part of the time for an attempt.
        try (RedisServer server = RedisServer.builder().config("timeout 1").start();
                Interlock interlock = Interlock.builder(server.uri())
                        .attemptTimeout(Patience.FULL)
                        .storeTimeout(Patience.FULL)
                        .build()) {
            DistributedLock lock = interlock.lock("x");
            Lease lease = lock.acquire(LONG);
            await().until(() -> clients(server) == 0);

            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);

            await().until(() -> clients(server) == 0);
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
        }
    }

    /** The connections of others than the one that asks. */
    private static long clients(RedisServer server) {
        return server.command("CLIENT", "LIST", "TYPE", "normal")
                        .lines()
                        .filter(line -> !line.isBlank())
                        .count()
                - 1;
    }

    /** Whether the client has noticed it before or only notices it now. */
    @Test
    void connectionThatWasCut_isReplaced() throws Exception {
        cutAndCall(lock -> await().pollInSameThread()
                .until(lock::tryAcquire, Optional::isPresent)
                .orElseThrow());
    }

    /** A call that fails is repeated once, soon: a busy machine may not have a new connection by then. */
    @Tag(Effort.TIMING)
    @Test
    void connectionThatWasCut_isReplaced_byTheFirstCallAfterThePause() throws Exception {
        cutAndCall(lock -> lock.tryAcquire().orElseThrow());
    }

    private static void cutAndCall(Function<DistributedLock, Lease> call) throws Exception {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server);
                Interlock interlock = Interlock.connect(server.uriAt(proxy.port()))) {
            interlock.lock("first").acquire().close();
            for (int round = 0; round < 50; round++) {
                proxy.reset();
                call.apply(interlock.lock("x-" + round)).close();
            }
            assertThat(proxy.resets()).isPositive();
        }
    }
}
