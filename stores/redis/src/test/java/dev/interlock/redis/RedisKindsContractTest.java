package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.contract.kind.KindsContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every kind of lock on Redis, with no more rights than docs/redis.md calls the least. */
@Tag("server")
@Tag("drivers")
class RedisKindsContractTest extends KindsContract {

    private static LeastRights rights;

    @BeforeAll
    static void startServer() {
        rights = new LeastRights();
    }

    @AfterAll
    static void stopServer() {
        rights.close();
    }

    @Override
    protected LockStore openStore() {
        return RedisStore.at(rights.uri());
    }

    @Test
    void P28_aReadWriteLockNeedsNoOtherRights() {
        try (Probe probe = new Probe(rights.uri())) {
            LockId id = new LockId("rights", LockKind.READ_WRITE);
            Claim writer = Claim.of(id, Mode.fair(), OwnerId.of(probe.id, 1), Probe.LEASE, Probe.PARTY);
            Claim reader = Claim.of(id, Mode.shared(), OwnerId.of(probe.id, 2), Probe.LEASE, Probe.PARTY);
            probe.granted(writer);
            probe.busy(reader.waiting(Duration.ZERO));
            probe.granted(writer.inMode(Mode.shared()));
            probe.granted(reader);
            assertThat(probe.renew(reader)).isEqualTo(Renewal.HELD);
            assertThat(Probe.answer(probe.store.inspect(id)).holders()).hasSize(2);
            assertThat(probe.release(reader.byForce())).isTrue();
            assertThat(probe.renew(reader)).isEqualTo(Renewal.FORCED);
            assertThat(probe.release(writer)).isTrue();
        }
    }
}
