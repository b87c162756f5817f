package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LossCause;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Wake;
import dev.interlock.support.EventLoop;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.Ports;
import dev.interlock.testkit.store.BlockingClient;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.CompactOption;
import io.etcd.jetcd.options.GetOption;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What can happen to the leases, the watches and the keys of a client. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EtcdFaultTest {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    private static final Duration NEVER = Duration.ofHours(1);

    private static Interlock open(String uri) {
        return Interlock.builder(EtcdStore.at(uri))
                .storeTimeout(Patience.FULL)
                .attemptTimeout(Patience.FULL)
                .pollCap(NEVER)
                .build();
    }

    private static List<KeyValue> keysOf(String name) {
        return ETCD.client()
                .getKVClient()
                .get(
                        Operations.bytes("interlock/" + name + "/"),
                        GetOption.builder().isPrefix(true).build())
                .join()
                .getKvs();
    }

    /** To connect has a limit of its own, which is not that of an answer, and says which member and how long. */
    @Tag("wide")
    @Test
    void serverThatAcceptsConnections_andSaysNothing_isNamed() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Interlock client = open("etcd://127.0.0.1:" + silent.getLocalPort())) {
            assertThatThrownBy(client.lock("silent")::tryLock)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("could not be connected to within 10000 ms: [http://127.0.0.1:"
                            + silent.getLocalPort() + "]/interlock");
        }
    }

    @Test
    void addressThatRefusesConnections_isNamed_withTheReason() throws Exception {
        int port = Ports.free();
        try (Interlock client = impatient("etcd://127.0.0.1:" + port)) {
            assertThatThrownBy(client.lock("refused")::tryLock)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("etcd cannot be reached: [http://127.0.0.1:" + port + "]/interlock")
                    .hasMessageContaining("Connection refused");
        }
    }

    @Test
    void hostThatNobodyKnows_isNamed() {
        try (Interlock client = impatient("etcd://no-such-host.invalid:2379")) {
            assertThatThrownBy(client.lock("unknown")::tryLock)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("etcd cannot be reached: [http://no-such-host.invalid:2379]/interlock")
                    .hasMessageContaining("Unknown host: no-such-host.invalid");
        }
    }

    private static Interlock impatient(String uri) {
        return Interlock.builder(EtcdStore.at(uri))
                .storeTimeout(Duration.ofSeconds(3))
                .build();
    }

    /** etcd has answered, so it is reached. */
    @Test
    void unavailability_thatEtcdItselfReports_isNotABrokenConnection() {
        StatusRuntimeException noLeader =
                Status.UNAVAILABLE.withDescription("etcdserver: no leader").asRuntimeException();
        assertThat(Etcd.unavailable(noLeader, "[http://one:2379]/locks"))
                .hasMessage("etcd cannot serve requests for now: [http://one:2379]/locks: etcdserver: no leader")
                .hasCause(noLeader);
    }

    @Test
    void sessionThatSomebodyRevokes_isLost_andTheNextIsGranted() throws Exception {
        try (Interlock client = open(ETCD.uri(Duration.ofSeconds(6)));
                Interlock other = open(ETCD.uri())) {
            Lease held = client.lock("revoked").acquire();
            Collection<LossCause> told = new ConcurrentLinkedQueue<>();
            held.onLost(told::add);
            Caller<Lease> waiting = Caller.start(other.lock("revoked")::acquire).awaitBlocked();

            ETCD.client()
                    .getLeaseClient()
                    .revoke(keysOf("revoked").get(0).getLease())
                    .join();

            Lease next = waiting.result();
            assertThat(next.token()).isGreaterThan(held.token());
            await().until(() -> !told.isEmpty());
            assertThat(told).containsExactly(LossCause.SESSION_LOST);
            assertThat(held.isValid()).isFalse();
            next.close();
            // The client begins another session.
            client.lock("revoked").acquire().close();
        }
    }

    @Test
    void clientThatIsCutOff_losesItsLease_beforeTheNextIsGranted() throws Exception {
        try (FaultProxy proxy = FaultProxy.to("127.0.0.1", ETCD.server().port());
                Interlock client = open("etcd://127.0.0.1:" + proxy.port() + "/interlock?session=4s");
                Interlock other = open(ETCD.uri())) {
            Lease held = client.lock("cut off").acquire(LeaseTerm.fixed(Patience.FULL));
            Caller<Lease> waiting = Caller.start(other.lock("cut off")::acquire).awaitBlocked();

            proxy.blackHole();
            // By the session's time, not by that of the lease.
            Lease next = waiting.result();

            assertThat(held.isValid()).isFalse();
            next.close();
            proxy.heal();
            client.lock("cut off").acquire().close();
        }
    }

    /** It is no refusal: the engine asks again, in the next session. */
    @Test
    void sessionThatEndsWhileAClaimIsAskedFor_isAFailureThatPasses() throws Exception {
        try (FaultProxy proxy = FaultProxy.to("127.0.0.1", ETCD.server().port());
                EtcdStore store = EtcdStore.at("etcd://127.0.0.1:" + proxy.port() + "/interlock?session=2s");
                BlockingClient client = new BlockingClient(store);
                Interlock holder = open(ETCD.uri())) {
            Lease held = holder.lock("ending").acquire();
            CompletableFuture<Wake> woken = new CompletableFuture<>();
            store.onWake(woken::complete);
            Claim claim = client.claim("ending").waiting(Duration.ZERO);
            client.busy(claim);

            proxy.blackHole(FaultProxy.Direction.TO_CLIENT);
            CompletableFuture<Attempt> answer = store.acquire(claim).toCompletableFuture();
            await().until(() -> woken.isDone() || answer.isDone());
            proxy.heal();

            // What ended the request, if it was not answered in time.
            Throwable failure =
                    answer.handle((attempt, e) -> LockStore.causeOf(e)).get(Patience.seconds(), TimeUnit.SECONDS);
            assertThat(failure instanceof IllegalStateException)
                    .as("%s", failure)
                    .isFalse();
            held.close();
        }
    }

    @Test
    void watchThatIsLost_costsAPoll() throws Exception {
        try (FaultProxy proxy = FaultProxy.to("127.0.0.1", ETCD.server().port());
                Interlock client = open(ETCD.uri());
                Interlock waiter = Interlock.builder(EtcdStore.at("etcd://127.0.0.1:" + proxy.port() + "?session=5m"))
                        .storeTimeout(Patience.FULL)
                        .build()) {
            Lease held = client.lock("watched").acquire();
            Caller<Lease> waiting =
                    Caller.start(waiter.lock("watched")::acquire).awaitBlocked();
            await().until(() -> keysOf("watched").size() == 2);

            proxy.reset();
            held.close();

            waiting.result().close();
            assertThat(proxy.resets()).isPositive();
        }
    }

    @Test
    void revisionThatIsCompacted_isReported() throws Exception {
        for (int i = 0; i < 3; i++) {
            ETCD.client()
                    .getKVClient()
                    .put(Operations.bytes("compacted"), Operations.bytes("x"))
                    .join();
        }
        long now = ETCD.client()
                .getKVClient()
                .get(Operations.bytes("compacted"))
                .join()
                .getHeader()
                .getRevision();
        ETCD.client().getKVClient().compact(now, CompactOption.DEFAULT).join();
        Collection<String> told = new ConcurrentLinkedQueue<>();
        EventLoop loop = new EventLoop("interlock-test", thread -> false);
        Etcd etcd = new Etcd(ETCD::client, false, "interlock", "a client", loop);
        Queue.Obstacle obstacle = new Queue.Obstacle("compacted", false, Map.of("compacted", 1), 1);

        loop.run(() -> new Watch(etcd, loop, obstacle, now - 2, () -> told.add("due")));

        await().until(() -> !told.isEmpty());
        loop.close();
    }

    @Test
    void compaction_whileSomebodyWaits_losesNoWake() throws Exception {
        try (Interlock client = open(ETCD.uri());
                Interlock other = open(ETCD.uri())) {
            DistributedLock lock = client.lock("compaction");
            Lease held = lock.acquire();
            Caller<Lease> waiting =
                    Caller.start(other.lock("compaction")::acquire).awaitBlocked();
            await().until(() -> keysOf("compaction").size() == 2);
            long now = ETCD.client()
                    .getKVClient()
                    .put(Operations.bytes("compacted"), Operations.bytes("x"))
                    .join()
                    .getHeader()
                    .getRevision();

            ETCD.client().getKVClient().compact(now, CompactOption.DEFAULT).join();
            held.close();

            waiting.result().close();
        }
    }

    /** The key of a waiting claim is gone: it lines up again, and never holds beside another one. */
    @Test
    void waitingKeyThatSomebodyDeletes_isMadeAnew() throws Exception {
        try (Interlock client = open(ETCD.uri());
                Interlock other = Interlock.builder(EtcdStore.at(ETCD.uri())).build()) {
            Lease held = client.lock("deleted").acquire();
            Caller<Lease> waiting = Caller.start(other.lock("deleted")::acquire).awaitBlocked();
            await().until(() -> keysOf("deleted").size() == 2);
            KeyValue second = keysOf("deleted").stream()
                    .max((a, b) -> Long.compare(a.getCreateRevision(), b.getCreateRevision()))
                    .orElseThrow();

            ETCD.client().getKVClient().delete(second.getKey()).join();
            await().until(() -> keysOf("deleted").size() == 2);
            assertThat(waiting.isDone()).isFalse();
            held.close();

            waiting.result().close();
        }
    }
}
