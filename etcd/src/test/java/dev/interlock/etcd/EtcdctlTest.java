package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockStatus;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.process.Signals;
import dev.interlock.testkit.server.EtcdServer;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Lock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The locks of etcd itself, by {@code etcdctl lock} and by jetcd, beside ours. */
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

    /** Locks, says the key, and holds until it is interrupted. */
    private static Process etcdctl(String name) throws IOException {
        String program = EtcdServer.command("etcdctl").map(Object::toString).orElse("");
        assumeThat(program).as("etcdctl is beside etcd").isNotEmpty();
        ProcessBuilder command =
                new ProcessBuilder(program, "--endpoints=" + ETCD.server().host(), "lock", "interlock/" + name);
        command.environment().put("ETCDCTL_API", "3");
        return command.start();
    }

    private static Caller<String> line(Process process) {
        return Caller.start(() -> process.inputReader().readLine());
    }

    private static void end(Process process) {
        Signals.send("INT", process.pid());
    }

    @Test
    void ours_keepsEtcdctlOut_andWakesIt() throws Exception {
        Lease held = client.lock("ours first").acquire();
        Process process = etcdctl("ours first");
        try {
            Caller<String> said = line(process);
            await().until(() -> client.lock("ours first").inspect().waiters().size() == 1);
            assertThat(said.isDone()).isFalse();

            held.close();

            assertThat(said.result()).startsWith("interlock/ours first/");
            assertThat(client.lock("ours first").tryAcquire()).isEmpty();
            end(process);
            process.waitFor();
            client.lock("ours first").acquire().close();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void etcdctl_keepsOursOut_isShown_andWakesIt() throws Exception {
        DistributedLock lock = client.lock("theirs first");
        Process process = etcdctl("theirs first");
        try {
            assertThat(line(process).result()).startsWith("interlock/theirs first/");
            assertThat(lock.tryAcquire()).isEmpty();
            LockStatus.Holder holder = lock.inspect().holders().get(0);
            assertThat(holder.owner()).matches("[0-9a-f]+");
            Caller<Lease> waiting = Caller.start(lock::acquire).awaitBlocked();
            await().until(() -> lock.inspect().waiters().size() == 1);

            end(process);

            Lease held = waiting.result();
            assertThat(held.token()).isGreaterThan(holder.token());
            held.close();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Four threads with our lock, and four with that of etcd's server. */
    @Tag(Effort.SCALED)
    @Test
    void mixed_neverTogether() {
        int rounds = Effort.pick(40, 2_500);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger turns = new AtomicInteger();
        Caller.Action turn = () -> {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            turns.incrementAndGet();
            assertThat(inside.decrementAndGet()).isZero();
        };
        Lock theirs = ETCD.client().getLockClient();
        ByteSequence name = Operations.bytes("interlock/mixed");
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            callers.add(Caller.startAction(() -> {
                long lease = ETCD.client()
                        .getLeaseClient()
                        .grant(Patience.FULL.toSeconds())
                        .join()
                        .getID();
                for (int round = 0; round < rounds; round++) {
                    ByteSequence key = theirs.lock(name, lease).join().getKey();
                    turn.run();
                    theirs.unlock(key).join();
                }
                ETCD.client().getLeaseClient().revoke(lease).join();
            }));
            callers.add(Caller.startAction(() -> {
                for (int round = 0; round < rounds; round++) {
                    try (Lease held = client.lock("mixed").acquire()) {
                        assertThat(held.isValid()).isTrue();
                        turn.run();
                    }
                }
            }));
        }

        callers.forEach(Caller::loopResult);

        assertThat(turns.get()).isEqualTo(8 * rounds);
    }
}
