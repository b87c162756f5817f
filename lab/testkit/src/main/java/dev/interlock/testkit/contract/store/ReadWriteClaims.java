package dev.interlock.testkit.contract.store;

import static dev.interlock.testkit.fixture.StoreClient.LONG_LEASE;

import dev.interlock.LockStatus;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import java.util.List;

/** The claims of a read/write lock, for the tests of a store. */
final class ReadWriteClaims {

    private ReadWriteClaims() {}

    /** A read/write lock of its own. */
    static LockId lock(StoreFixture fixture) {
        return new LockId(fixture.clients().unique("rw:"), LockKind.READ_WRITE);
    }

    static Claim shared(StoreClient client, LockId lock) {
        return shared(client, lock, LONG_LEASE);
    }

    static Claim shared(StoreClient client, LockId lock, Duration lease) {
        return client.claim(lock, lease).inMode(Mode.shared());
    }

    static Claim exclusive(StoreClient client, LockId lock) {
        return exclusive(client, lock, LONG_LEASE);
    }

    static Claim exclusive(StoreClient client, LockId lock, Duration lease) {
        return client.claim(lock, lease).inMode(Mode.fair());
    }

    /** Acquires a share that must be granted. */
    static Claim holdShared(StoreClient client, LockId lock) {
        Claim claim = shared(client, lock);
        client.granted(claim);
        return claim;
    }

    /** Acquires the whole, which must be granted. */
    static Claim holdExclusive(StoreClient client, LockId lock) {
        Claim claim = exclusive(client, lock);
        client.granted(claim);
        return claim;
    }

    /** Lists the claim as waiting, from now on; it must be busy. */
    static Claim await(StoreClient client, Claim claim) {
        Claim waiting = claim.waiting(Duration.ZERO);
        client.busy(waiting);
        return waiting;
    }

    /** The modes of who holds. */
    static List<Mode> modes(StoreClient client, LockId lock) {
        return client.inspect(lock).holders().stream()
                .map(LockStatus.Holder::mode)
                .toList();
    }

    /** The owner ids of who holds. */
    static List<String> holders(StoreClient client, LockId lock) {
        return client.inspect(lock).holders().stream()
                .map(LockStatus.Holder::owner)
                .toList();
    }

    /** What is left of the lease of this claim, which must be held. */
    static Duration remaining(StoreClient client, Claim claim) {
        return client.inspect(claim.id()).holders().stream()
                .filter(holder -> holder.owner().equals(claim.owner().value()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("Not held: " + claim))
                .remainingLease();
    }
}
