package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.testkit.contract.LockStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The five verbs keep their contract, over one client of an application. On mongo-java-server, not MongoDB, unless told otherwise.
 *
 * <p>Two tests are stated anew, since this store keeps a free name for the waiter whose turn it is instead of waking it: others get it when that
 * moment is over.
 */
class JavaServerMongoStoreContractTest extends LockStoreContract {

    private static TestMongo mongo;

    @BeforeAll
    static void start() {
        mongo = TestMongo.start();
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @Override
    protected MongoStore openStore() {
        return MongoStore.over(mongo.client(), mongo.database());
    }

    @Override
    protected boolean wakes() {
        return false;
    }

    @Test
    @Override
    public void waiting_aWakeIsAHint_anyFreeNameIsGranted() {
        try (Client a = new Client(openStore());
                Client b = new Client(openStore());
                Client stranger = new Client(openStore())) {
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
        try (Client a = new Client(openStore());
                Client b = new Client(openStore())) {
            Claim earlier = a.hold("nobody comes");
            b.await("nobody comes", Duration.ofSeconds(1));
            Claim next = a.claim("nobody comes");
            assertThat(a.isGranted(next.waiting(Duration.ofSeconds(2)).replacing(earlier.owner())))
                    .isFalse();

            await().atMost(Duration.ofSeconds(5)).until(() -> a.isGranted(next.waiting(Duration.ofSeconds(3))));
        }
    }
}
