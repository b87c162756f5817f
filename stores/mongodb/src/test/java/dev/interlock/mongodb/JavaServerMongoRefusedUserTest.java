package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoCommandException;
import dev.interlock.Interlock;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A server that lets this user not in. On mongo-java-server, which knows no users, and so refuses everyone who says to
 * be one.
 */
class JavaServerMongoRefusedUserTest {

    /** The driver looks for the server anew after each refusal, for up to half a second. */
    private static final Duration BUDGET = Duration.ofSeconds(3);

    private static TestMongo mongo;
    private Interlock refused;

    @BeforeAll
    static void start() {
        mongo = TestMongo.start();
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @BeforeEach
    void connect() {
        String uri = "mongodb://somebody:wrong-secret@127.0.0.1:" + mongo.port() + "/" + mongo.database();
        refused = Interlock.builder(MongoStore.at(uri))
                .attemptTimeout(Patience.FULL)
                .build();
    }

    @AfterEach
    void close() {
        refused.close();
    }

    /** Who is not let in does not know whether a name is free. */
    @Test
    void P28_aLook_isRefused_whateverTheKind() {
        assertRefused(() -> refused.administration().inspect("looked at"));
        assertRefused(() -> refused.lock("looked at").inspect());
    }

    @Test
    void P28_anAcquire_isRefused() {
        // Within one budget a slow machine may not have got an answer.
        await().atMost(Patience.FULL)
                .untilAsserted(() -> assertRefused(() -> refused.lock("wanted").tryLock(BUDGET)));
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("refused the user or the password")
                .hasMessageNotContaining("secret")
                .hasRootCauseInstanceOf(MongoCommandException.class);
    }
}
