package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.RedisServer;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** P08: so many replicas as were asked for have a lock, or nobody has it. */
class ReplicasTest {

    private static RedisServer master;
    private static RedisServer steady;
    private static RedisServer frozen;

    @BeforeAll
    static void startServers() {
        master = RedisServer.start();
        steady = replica();
        frozen = replica();
    }

    @AfterAll
    static void stopServers() {
        frozen.close();
        steady.close();
        master.close();
    }

    @BeforeEach
    void reset() {
        master.command("CONFIG", "RESETSTAT");
    }

    @AfterEach
    void thaw() {
        if (frozen.state() == 'T') {
            frozen.cont();
            // The next test must not find it behind.
            String mark = Long.toString(System.nanoTime());
            master.command("SET", "thawed", mark);
            await().until(() -> mark.equals(frozen.command("GET", "thawed")));
        }
    }

    @Test
    void P08_aLockIsGotWhenAllThatWereAskedForHaveIt() {
        try (Probe probe = new Probe(master.uri() + "?replicas=2&replicaTimeout=PT2M")) {
            Claim held = probe.hold("both");

            assertThat(steady.command("EXISTS", "both")).isEqualTo("1");
            assertThat(frozen.command("EXISTS", "both")).isEqualTo("1");
            assertThat(master.calls("wait")).isEqualTo(1);
            probe.busy(probe.claim("both"));
            assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
            assertThat(probe.release(held)).isTrue();
            // Nothing but the grant waits.
            assertThat(master.calls("wait")).isEqualTo(1);
        }
    }

    @Test
    void P08_withoutTheSettingNothingWaitsForReplicas() {
        try (Probe probe = new Probe(master.uri())) {
            Claim held = probe.hold("none");
            probe.renew(held);
            probe.release(held);
            assertThat(master.calls("wait")).isZero();
        }
    }

    @Test
    void P08_oneOfTwoIsNotTwo_andTheLockIsReleasedAgain() {
        freeze();
        try (Probe probe = new Probe(RedisStore.builder(master.uri())
                .replicas(2, Duration.ofSeconds(4))
                .build())) {
            Claim claim = confirmedByOne(
                    probe,
                    () -> probe.claim("short-" + System.nanoTime()),
                    "replicas=2, confirmed=1, replicaTimeout=PT4S, name=short-");

            assertThat(master.command("EXISTS", claim.id().name())).isEqualTo("0");
            assertThat(probe.renew(claim)).isEqualTo(Renewal.DELETED);
        }
        // The control: one is enough if one was asked for.
        try (Probe probe = new Probe(master.uri() + "?replicas=1&replicaTimeout=PT2M")) {
            probe.release(probe.hold("short"));
        }
    }

    /**
     * I8: a writer that goes on as a reader has been confirmed, and its owner relies on it: nobody but the owner ends
     * it.
     */
    @Test
    void P08_aStepFromWriterToReaderIsNeverUndone() {
        try (Probe probe = new Probe(RedisStore.builder(master.uri())
                .replicas(2, Duration.ofSeconds(5))
                .build())) {
            Claim writer = probe.claim("down", LockKind.READ_WRITE, Mode.fair());
            long fence = probe.granted(writer);
            freeze();

            assertThat(probe.granted(writer.inMode(Mode.shared()))).isEqualTo(fence);
            try (Probe other = new Probe(master.uri())) {
                other.refused(other.claim("down", LockKind.READ_WRITE, Mode.fair()));
            }
            assertThat(probe.renew(writer)).isEqualTo(Renewal.HELD);
            // The control: whoever comes new shares with enough replicas, or not at all.
            Claim reader =
                    confirmedByOne(probe, () -> probe.claim("down", LockKind.READ_WRITE, Mode.shared()), "confirmed=1");
            assertThat(probe.renew(reader)).isEqualTo(Renewal.DELETED);
            probe.release(writer);
        }
    }

    /** I1: a connection that has written nothing is told that all replicas have everything. */
    @Test
    void P08_aConnectionThatBreaksWhileItWaits_confirmsNothing() {
        freeze();
        try (FaultProxy proxy = FaultProxy.to(master);
                Probe probe = new Probe(master.uriAt(proxy.port()) + "?replicas=2&replicaTimeout=PT4M")) {
            Claim claim = probe.claim("broken");
            CompletionStage<Attempt> asked = probe.store.acquire(claim);
            await().until(() -> master.command("INFO", "clients").contains("blocked_clients:1"));

            proxy.reset();

            assertThat(Probe.failure(asked)).isInstanceOf(StoreUnavailableException.class);
            // The trap: on another connection the answer is at once that both have it.
            assertThat(master.command("WAIT", "2", "240000")).isEqualTo("2");
            // As the engine releases what may have been granted.
            BlockingClient.repeated(() -> probe.store.release(claim));
            assertThat(master.command("EXISTS", "broken")).isEqualTo("0");
        }
    }

    /** A lagging replica added a second to each release elsewhere. */
    @Test
    void P08_releasesAndRenewalsAreNotBehindThoseWhoWait() {
        try (Probe probe = new Probe(RedisStore.builder(master.uri())
                .replicas(2, Duration.ofMinutes(4))
                .build())) {
            List<Claim> held = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                held.add(probe.hold("held-" + i));
            }
            freeze();
            List<CompletionStage<Attempt>> waiting = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                waiting.add(probe.store.acquire(probe.claim("waiting-" + i)));
            }
            await().until(() -> master.command("INFO", "clients").contains("blocked_clients:4"));

            for (Claim claim : held) {
                assertThat(probe.renew(claim)).isEqualTo(Renewal.HELD);
                assertThat(probe.release(claim)).isTrue();
            }
            // All of them overtook the acquires, which still wait.
            assertThat(master.command("INFO", "clients")).contains("blocked_clients:4");
            frozen.cont();
            waiting.forEach(stage -> assertThat(Probe.answer(stage)).isInstanceOf(Attempt.Granted.class));
        }
    }

    @Test
    void wrongNumbersAreNamed() {
        assertThatThrownBy(() -> RedisStore.at(master.uri() + "?replicas=0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("replicas must be a number, 1 or more");
        assertThatThrownBy(() -> RedisStore.builder(master.uri()).replicas(1, Duration.ZERO))
                .hasMessageContaining("replicaTimeout must be positive: PT0S");
        assertThatThrownBy(() -> RedisStore.at(master.uri() + "?replicas=two"))
                .hasMessageContaining("replicas must be a number, 1 or more");
    }

    /** A claim that failed with this message: while the machine stands still, an attempt may fail otherwise. */
    private static Claim confirmedByOne(Probe probe, Supplier<Claim> claims, String message) {
        AtomicReference<Claim> last = new AtomicReference<>();
        await().untilAsserted(() -> {
            Claim claim = claims.get();
            last.set(claim);
            assertThat(Probe.failure(probe.store.acquire(claim)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(message);
        });
        return Objects.requireNonNull(last.get());
    }

    private static void freeze() {
        frozen.stop();
        assertThat(frozen.state()).isEqualTo('T');
    }

    private static RedisServer replica() {
        RedisServer replica = RedisServer.builder()
                .config("replicaof 127.0.0.1 " + master.port())
                .start();
        replica.awaitReplication();
        return replica;
    }
}
