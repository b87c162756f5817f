package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.testkit.store.BlockingClient;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Requests that etcd executes after later ones of the same client. There are two ways to the server, which the client
 * uses in turn; one of them holds a request back, while those that follow go by the other.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LateRequestTest {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    /** A transaction is longer, and what HTTP/2 says for itself is shorter. */
    private static final int LEAST_REQUEST = 100;

    private static final String EXECUTED = "grpc_server_handled_total{grpc_code=\"OK\",grpc_method=\"Txn\","
            + "grpc_service=\"etcdserverpb.KV\",grpc_type=\"unary\"}";

    private FaultProxy first;
    private FaultProxy second;
    private Client jetcd;
    private EtcdStore store;
    private BlockingClient client;
    private BlockingClient other;

    /** A lock that the client holds, so that its session goes on. */
    private String held;

    @BeforeEach
    void open(TestInfo test) {
        held = test.getDisplayName();
        first = FaultProxy.to("127.0.0.1", ETCD.server().port());
        second = FaultProxy.to("127.0.0.1", ETCD.server().port());
        jetcd = Client.builder()
                .endpoints("http://127.0.0.1:" + first.port(), "http://127.0.0.1:" + second.port())
                .waitForReady(false)
                // Nobody asks whether a silent connection lives.
                .keepaliveTime(Duration.ofHours(1))
                .build();
        store = EtcdStore.over(jetcd, "interlock", TestEtcd.LONG_SESSION);
        client = new BlockingClient(store);
        other = new BlockingClient(ETCD.over());
        client.hold(held);
    }

    @AfterEach
    void close() {
        if (first != null) {
            client.close();
            other.close();
            jetcd.close();
            first.close();
            second.close();
        }
    }

    private static long executed() {
        return ETCD.server().metric(EXECUTED);
    }

    private static List<KeyValue> keysOf(String prefix) {
        return ETCD.client()
                .getKVClient()
                .get(
                        Operations.bytes("interlock" + prefix),
                        GetOption.builder().isPrefix(true).build())
                .join()
                .getKvs();
    }

    /** Sends a request, which is held back; later ones are not. Returns who has it. */
    private FaultProxy delay(Supplier<CompletionStage<?>> request) {
        await("both ways work").until(() -> {
            long byFirst = first.forwardedBytes(Direction.TO_CLIENT);
            long bySecond = second.forwardedBytes(Direction.TO_CLIENT);
            client.inspect(held);
            client.inspect(held);
            return first.forwardedBytes(Direction.TO_CLIENT) - byFirst > LEAST_REQUEST
                    && second.forwardedBytes(Direction.TO_CLIENT) - bySecond > LEAST_REQUEST;
        });
        first.blackHole(Direction.TO_SERVER);
        second.blackHole(Direction.TO_SERVER);
        var unused = request.get();
        FaultProxy way = await("the request is under way").until(this::holder, Objects::nonNull);
        (way == first ? second : first).heal();
        return way;
    }

    private @Nullable FaultProxy holder() {
        return first.heldBytes(Direction.TO_SERVER) > LEAST_REQUEST
                ? first
                : second.heldBytes(Direction.TO_SERVER) > LEAST_REQUEST ? second : null;
    }

    /** Lets the request through; returns when etcd has executed it. */
    private static void deliver(FaultProxy way) {
        long before = executed();
        way.heal();
        await("the late request is executed").until(() -> executed() > before);
    }

    @Test
    void acquireThatArrivesAfterItsRelease_leavesNoKey() {
        Claim claim = client.claim("released").waiting(Duration.ZERO);
        FaultProxy way = delay(() -> store.acquire(claim));
        client.release(claim);

        deliver(way);

        assertThat(keysOf("/released/")).isEmpty();
        assertThat(other.isGranted(other.claim("released"))).isTrue();
    }

    /** The next claim of the client takes the place of the one that is still under way. */
    @Test
    void acquireThatArrivesAfterItsReplacement_leavesNoKey() {
        Claim claim = client.claim("replaced").waiting(Duration.ZERO);
        FaultProxy way = delay(() -> store.acquire(claim));
        Claim next = client.claim("replaced").waiting(Duration.ZERO).replacing(claim.owner());
        client.granted(next);

        deliver(way);

        assertThat(keysOf("/replaced/")).hasSize(1);
        client.release(next);
        assertThat(other.isGranted(other.claim("replaced"))).isTrue();
    }

    /** The mark that keeps a late request from being executed ends with the session, as the key would. */
    @Test
    void markOfALateRequest_isBoundToTheSession() {
        Claim claim = client.claim("marked").waiting(Duration.ZERO);
        FaultProxy way = delay(() -> store.acquire(claim));
        client.release(claim);
        long session = keysOf('/' + held + '/').get(0).getLease();

        assertThat(keysOf("%released/"))
                .extracting(KeyValue::getLease)
                .containsOnlyOnce(session)
                .doesNotContain(0L);
        deliver(way);
    }

    /**
     * The key of a claim that was given up is not used again, so the next claim is neither refused nor taken for it.
     */
    @Test
    void acquireThatArrivesAfterTheNextClaim_isNotTakenForIt() {
        Claim claim = client.claim("next").waiting(Duration.ZERO);
        FaultProxy way = delay(() -> store.acquire(claim));
        client.release(claim);
        Claim next = client.claim("next").waiting(Duration.ZERO);
        client.granted(next);

        deliver(way);

        assertThat(keysOf("/next/")).hasSize(1);
        assertThat(other.isGranted(other.claim("next"))).isFalse();
        assertThat(client.release(next)).isTrue();
        assertThat(other.isGranted(other.claim("next"))).isTrue();
    }

    /** A release is repeated until it is answered; the one that is late must not delete the key of the next claim. */
    @Test
    void releaseThatArrivesAfterTheNextClaim_deletesNothing() {
        // So long that its release is seen to be held back: a release has little more than the key.
        String name = "deleted".repeat(20);
        Claim claim = client.claim(name).waiting(Duration.ZERO);
        client.granted(claim);
        FaultProxy way = delay(() -> store.release(claim));
        await("it is repeated").until(() -> keysOf('/' + name + '/').isEmpty());
        Claim next = client.claim(name).waiting(Duration.ZERO);
        client.granted(next);

        deliver(way);

        assertThat(keysOf('/' + name + '/')).hasSize(1);
        assertThat(other.isGranted(other.claim(name))).isFalse();
        client.release(next);
    }

    @Test
    void replacementThatArrivesAfterTheNextClaim_deletesNothing() {
        Claim claim = client.claim("both").waiting(Duration.ZERO);
        client.granted(claim);
        Claim replacing = client.claim("both").waiting(Duration.ZERO).replacing(claim.owner());
        FaultProxy way = delay(() -> store.acquire(replacing));
        await("the claim that is replaced ends all the same")
                .until(() -> keysOf("/both/").isEmpty());
        Claim next = client.claim("both").waiting(Duration.ZERO);
        long fence = client.granted(next);

        deliver(way);

        assertThat(keysOf("/both/"))
                .as("the next claim, and behind it the late one")
                .hasSize(2)
                .anyMatch(key -> key.getCreateRevision() == fence);
        client.release(replacing);
        client.release(next);
    }

    @Test
    void permitsThatWereReturned_areNotTakenBackByALateRequest() {
        LockId semaphore = new LockId("permits", LockKind.SEMAPHORE);
        Claim claim = client.claim(semaphore).inMode(new Mode.Permits(4, 4));
        client.granted(claim);
        FaultProxy way = delay(() -> store.execute(BlockingClient.command(claim, new Command.KeepPermits(3))));
        client.executed(BlockingClient.command(claim, new Command.KeepPermits(1)));

        deliver(way);

        assertThat(other.isGranted(other.claim(semaphore).inMode(new Mode.Permits(3, 4))))
                .isTrue();
    }

    /** It was executed, but the answer was lost: what is written next does not fail because of it. */
    @Test
    void permitsThatAreReturned_afterARequestWithoutAnAnswer() {
        LockId semaphore = new LockId("unanswered", LockKind.SEMAPHORE);
        Claim claim = client.claim(semaphore).inMode(new Mode.Permits(4, 4));
        client.granted(claim);
        long before = executed();
        first.blackHole(Direction.TO_CLIENT);
        second.blackHole(Direction.TO_CLIENT);
        var unanswered = store.execute(BlockingClient.command(claim, new Command.KeepPermits(3)));
        await().until(() -> executed() > before);
        await().until(() -> unanswered.toCompletableFuture().isDone());
        first.heal();
        second.heal();

        client.executed(BlockingClient.command(claim, new Command.KeepPermits(1)));

        assertThat(other.isGranted(other.claim(semaphore).inMode(new Mode.Permits(3, 4))))
                .isTrue();
    }
}
