package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A key beside a lock that is of another type: what has happened is said, and the message names that key. */
class DamagedKeysTest {

    private static RedisServer server;
    private Probe probe;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        server.command("FLUSHALL");
        probe = new Probe(server.uri());
    }

    @AfterEach
    void close() {
        probe.close();
    }

    /** Whatever becomes of those that wait. */
    @ParameterizedTest
    @ValueSource(strings = {"interlock_waiters:{n}", "interlock_fence:{n}"})
    void aReleaseThatHappened_isConfirmed(String key) {
        for (Mode mode : List.of(Mode.exclusive(), Mode.fair())) {
            Claim held = probe.claim("n").inMode(mode);
            probe.granted(held);
            damage(key);
            assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
            assertThat(probe.release(held)).as("released in mode " + mode).isTrue();
            assertThat(server.command("EXISTS", "n")).isEqualTo("0");
            Claim forced = probe.claim("n").inMode(mode);
            server.command("DEL", key);
            probe.granted(forced);
            damage(key);
            assertThat(probe.release(forced.byForce())).isTrue();
            server.command("DEL", key);
        }
    }

    @ParameterizedTest
    @CsvSource({"READ_WRITE, interlock_rw_waiters:{n}", "SEMAPHORE, interlock_semaphore_waiters:{n}"})
    void aReleaseOfOtherKinds_isConfirmed(LockKind kind, String key) {
        Claim held = probe.claim("n", kind, mode(kind));
        damage(key);
        probe.granted(held);
        assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
        assertThat(probe.release(held)).isTrue();
        assertThat(server.list("KEYS", "*")).containsExactlyInAnyOrder(key, "interlock_fence:{n}");
    }

    @ParameterizedTest
    @CsvSource({
        "LOCK, interlock_fence:{n}, string",
        "LOCK, n, hash",
        "READ_WRITE, interlock_fence:{n}, string",
        "READ_WRITE, interlock_rw:{n}, hash",
        "READ_WRITE, n, hash",
        "SEMAPHORE, interlock_fence:{n}, string",
        "SEMAPHORE, interlock_semaphore:{n}, hash",
    })
    void theMessage_namesTheKey(LockKind kind, String key, String type) {
        damage(key);
        assertThat(Probe.refusal(() -> probe.store.acquire(probe.claim("n", kind, mode(kind)))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("The key " + key + " must be a " + type)
                .hasMessageContaining("name=n");
    }

    @Test
    void aFairLock_namesTheKeyOfThoseThatWait_whenItCannotBeListed() {
        probe.hold("n");
        damage("interlock_waiters:{n}");
        Claim waiting = probe.claim("n").inMode(Mode.fair()).waiting(Duration.ZERO);
        // At first it cannot be woken, and is not to be listed.
        probe.refused(waiting.inMode(Mode.fair()));
        await().untilAsserted(() -> assertThat(Probe.failure(probe.store.acquire(waiting)))
                .hasMessageContaining("The key interlock_waiters:{n} must be a hash"));
    }

    /** It may be held, as what nobody can say. */
    @ParameterizedTest
    @ValueSource(strings = {"n", "interlock_rw:{n}", "interlock_semaphore:{n}", "interlock_latch:{n}"})
    void aNameWithADamagedKey_isNotCalledFree(String key) {
        damage(key);
        try (Interlock client = Interlock.connect(server.uri())) {
            assertThatThrownBy(() -> client.administration().inspect("n"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("The key " + key + " must be a hash");
        }
    }

    @Test
    void aNameThatIsInUseAsAnotherKind_isShownAsThat() {
        try (Interlock client = Interlock.connect(server.uri())) {
            for (LockKind kind : List.of(LockKind.LOCK, LockKind.READ_WRITE)) {
                Claim held = probe.claim("n", kind, mode(kind));
                probe.granted(held);
                assertThat(client.administration().inspect("n"))
                        .extracting(LockStatus::kind)
                        .containsExactly(kind);
                probe.release(held);
            }
            assertThat(client.administration().inspect("n")).isEmpty();
        }
    }

    private static Mode mode(LockKind kind) {
        return switch (kind) {
            case LOCK -> Mode.exclusive();
            case READ_WRITE -> Mode.shared();
            default -> new Mode.Permits(1, 2);
        };
    }

    private static void damage(String key) {
        server.command("DEL", key);
        server.command("LPUSH", key, "of another type");
    }
}
