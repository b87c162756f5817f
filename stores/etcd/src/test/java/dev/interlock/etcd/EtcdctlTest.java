package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Lock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The locks of etcd itself, by {@code etcdctl lock} and by jetcd, beside ours. */
@Tag("long")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EtcdctlTest {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    private static final Duration NEVER = Duration.ofHours(1);

    private Interlock client;

    @BeforeEach
    void open() {
        // Woken, or waiting until the test fails.
        client = Interlock.builder(EtcdStore.at(ETCD.uri()))
                .storeTimeout(Patience.FULL)
                .attemptTimeout(Patience.FULL)
                .pollCap(NEVER)
                .build();
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void ours_keepsEtcdctlOut_andWakesIt() throws Exception {
        Lease held = client.lock("ours first").acquire();
        try (Etcdctl process = Etcdctl.lock(ETCD, "ours first")) {
            Caller<String> said = process.granted();
            await().until(() -> client.lock("ours first").inspect().waiters().size() == 1);
            assertThat(said.isDone()).isFalse();

            held.close();

            assertThat(said.result()).startsWith("interlock/ours first/");
            assertThat(client.lock("ours first").tryAcquire()).isEmpty();
            process.end();
            client.lock("ours first").acquire().close();
        }
    }

    @Test
    void etcdctl_keepsOursOut_isShown_andWakesIt() throws Exception {
        DistributedLock lock = client.lock("theirs first");
        try (Etcdctl process = Etcdctl.lock(ETCD, "theirs first")) {
            assertThat(process.granted().result()).startsWith("interlock/theirs first/");
            assertThat(lock.tryAcquire()).isEmpty();
            LockStatus.Holder holder = lock.inspect().holders().get(0);
            assertThat(holder.owner()).matches("[0-9a-f]+");
            Caller<Lease> waiting = Caller.start(lock::acquire).awaitBlocked();
            await().until(() -> lock.inspect().waiters().size() == 1);

            process.end();

            Lease held = waiting.result();
            assertThat(held.token()).isGreaterThan(holder.token());
            held.close();
        }
    }

    /** Four threads with our lock, four with jetcd's, which etcd's server keeps, and processes of the command. */
    @Tag(Effort.SCALED)
    @Test
    void mixed_neverTogether() {
        int rounds = Effort.pick(40, 2_500);
        int processes = Effort.pick(3, 100);
        Room room = new Room();
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            callers.add(Caller.startAction(() -> locksOfJetcd("mixed", rounds, room)));
            callers.add(Caller.startAction(() -> {
                for (int round = 0; round < rounds; round++) {
                    try (Lease held = client.lock("mixed").acquire()) {
                        assertThat(held.isValid()).isTrue();
                        room.enter(held.token());
                    }
                }
            }));
        }
        callers.add(Caller.startAction(() -> {
            for (int i = 0; i < processes; i++) {
                try (Etcdctl process = Etcdctl.lock(ETCD, "mixed")) {
                    assertThat(process.granted().result()).startsWith("interlock/mixed/");
                    room.enter(0);
                    process.end();
                }
            }
        }));

        callers.forEach(Caller::loopResult);

        assertThat(room.turns()).isEqualTo(8 * rounds + processes);
    }

    /** With a lease that lasts longer than all rounds do, since nothing keeps it alive. */
    private static void locksOfJetcd(String name, int rounds, Room room) {
        Lock theirs = ETCD.client().getLockClient();
        ByteSequence path = Operations.bytes("interlock/" + name);
        long lease =
                ETCD.client().getLeaseClient().grant(NEVER.toSeconds()).join().getID();
        for (int round = 0; round < rounds; round++) {
            ByteSequence key = theirs.lock(path, lease).join().getKey();
            room.enter(0);
            theirs.unlock(key).join();
        }
        ETCD.client().getLeaseClient().revoke(lease).join();
    }
}
