package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.Ports;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing a client waits for nothing where nothing can be held: nothing was sent, or all that was sent is refused. */
class JavaServerMongoRefusedCloseTest {

    /** Whoever waits for it would not come back in this test. */
    private static final Duration FOR_EVER = Duration.ofHours(1);

    private static final Set<String> WRITES = Set.of("findAndModify", "findandmodify", "update", "insert", "delete");

    /** Refuses all that writes. */
    private static final class ReadOnly extends WholeAnswers {
        final AtomicInteger refusals = new AtomicInteger();

        @Override
        public Document handleCommand(Channel channel, String database, String command, Document query) {
            if (WRITES.contains(command)) {
                refusals.incrementAndGet();
                throw new MongoServerError(13, "Unauthorized", "not authorized to execute command");
            }
            return super.handleCommand(channel, database, command, query);
        }
    }

    private static Interlock open(String uri) {
        return Interlock.builder(MongoStore.at(uri))
                .storeTimeout(Duration.ofSeconds(3))
                .closeTimeout(FOR_EVER)
                .build();
    }

    private static void failsAndCloses(Interlock client) throws Exception {
        assertThatThrownBy(() -> client.lock("n").acquire(LeaseTerm.renewing(Duration.ofMinutes(30))))
                .isInstanceOf(StoreUnavailableException.class);
        CompletableFuture.runAsync(client::close).get(Patience.seconds(), TimeUnit.SECONDS);
    }

    @Test
    void P27_aUserWithoutRights() throws Exception {
        ReadOnly backend = new ReadOnly();
        try (TestMongo mongo = TestMongo.startFakeCold(backend)) {
            Interlock client = open(mongo.uri());
            CompletionStage<Lease> acquired = client.lock("n").acquireAsync(LeaseTerm.renewing(FOR_EVER));
            await().until(() -> backend.refusals.get() > 0);
            CompletableFuture.runAsync(client::close).get(Patience.seconds(), TimeUnit.SECONDS);
            assertThat(acquired.toCompletableFuture()).isCompletedExceptionally();
        }
    }

    @Test
    void P27_aUserWhoIsNotLetIn() throws Exception {
        try (TestMongo mongo = TestMongo.start()) {
            failsAndCloses(open("mongodb://somebody:wrong-secret@127.0.0.1:" + mongo.port() + "/" + mongo.database()));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void P27_aServerThatCannotBeReached(boolean isUnknown) throws Exception {
        failsAndCloses(open("mongodb://" + (isUnknown ? "host.invalid" : "127.0.0.1:" + Ports.free()) + "/none"));
    }
}
