package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.OwnerId;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The end of a session that no claim is bound to. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionEndTest {

    /** This class counts what others do, so it has a server of its own. */
    @RegisterExtension
    private static final TestEtcd ETCD = new TestEtcd();

    /** Half of it is longer than a request is waited for, and its signs of life come sooner than that. */
    private static final Duration SESSION = Duration.ofSeconds(6);

    private static final String OF_LEASES = "etcdserverpb.Lease";

    /** The session would end in the middle of the attempt, which would fail beside a store that answers. */
    @Test
    void tryUnderWay_keepsTheSession() throws Exception {
        assertThat(lateAnswer((client, name) -> client.claim(name))).isInstanceOf(Attempt.Granted.class);
    }

    @Test
    void claimThatReplacesAnUnknownOne_keepsTheSession() throws Exception {
        assertThat(lateAnswer((client, name) ->
                        client.claim(name).waiting(Duration.ZERO).replacing(new OwnerId("unknown:1"))))
                .isInstanceOf(Attempt.Granted.class);
    }

    /** What a client without claims gets for a claim, if the next sign of life is due before the first answer comes. */
    private static Attempt lateAnswer(BiFunction<BlockingClient, String, Claim> asked) throws Exception {
        return Patience.inTime(() -> {
            // The last sign of life that is answered is not earlier.
            long start = System.nanoTime();
            try (FaultProxy proxy = FaultProxy.to("127.0.0.1", ETCD.server().port());
                    BlockingClient client = new BlockingClient(
                            EtcdStore.at("etcd://127.0.0.1:" + proxy.port() + "/interlock?session=" + SESSION))) {
                client.release(client.hold("before"));
                proxy.blackHole(Direction.TO_CLIENT);
                long signs = ETCD.server().received(OF_LEASES);
                CompletableFuture<Attempt> answer = client.store()
                        .acquire(asked.apply(client, "late-" + start))
                        .toCompletableFuture();
                await("a sign of life, or the end of the session")
                        .until(() -> ETCD.server().received(OF_LEASES) > signs);
                proxy.heal();
                await("the answer").until(answer::isDone);
                boolean inTime = System.nanoTime() - start < Etcd.PATIENCE.toNanos();
                return inTime ? Optional.of(answer.get()) : Optional.empty();
            }
        });
    }
}
