package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.LockStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * The SQL store on SQLite keeps the contract of the five verbs; every client has a connection of its own to one file.
 *
 * <p>Two tests are stated anew, since this store keeps a free name for the waiter whose turn it is instead of waking it: others get it when that
 * moment is over.
 */
class SqliteContractTest extends LockStoreContract {

    private static final Path DIRECTORY = TestFiles.directory();
    private static final Path FILE = DIRECTORY.resolve("contract.db");

    @AfterAll
    static void removeFiles() {
        TestFiles.delete(DIRECTORY);
    }

    @Override
    protected LockStore openStore() {
        return JdbcStore.sqlite(FILE);
    }

    @Override
    protected boolean wakes() {
        return false;
    }

    @Test
    @Override
    public void waiting_aWakeIsAHint_anyFreeNameIsGranted() {
        try (Client a = new Client(FILE);
                Client b = new Client(FILE);
                Client stranger = new Client(FILE)) {
            Claim held = a.hold("hint");
            Claim waiting = b.await("hint", Duration.ofSeconds(1));
            a.release(held);

            Claim strange = stranger.claim("hint");
            await().atMost(Duration.ofSeconds(5)).until(() -> stranger.isGranted(strange));

            assertThat(b.isGranted(waiting)).isFalse();
        }
    }

    @Test
    @Override
    public void replacing_whenTheWokenDoesNotCome_isGrantedWhenItAsksAgain() {
        try (Client a = new Client(FILE);
                Client b = new Client(FILE)) {
            Claim earlier = a.hold("nobody comes");
            b.await("nobody comes", Duration.ofSeconds(1));
            Claim next = a.claim("nobody comes");
            assertThat(a.isGranted(next.waiting(Duration.ofSeconds(2)).replacing(earlier.owner())))
                    .isFalse();

            await().atMost(Duration.ofSeconds(5)).until(() -> a.isGranted(next.waiting(Duration.ofSeconds(3))));
        }
    }
}
