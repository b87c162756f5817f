package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.ServerAddress;
import dev.interlock.StoreUnavailableException;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/** What a server would answer that knows users, which the one in these tests does not. */
class FailuresTest {

    @Test
    void P28_aMissingRight_isNamed_andLeavesTheStoreUnavailable() {
        Throwable explained =
                Failures.explained(refusal(13, "not authorized on orders to execute command findAndModify"));

        assertThat(explained)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("find, insert, update and remove")
                .hasMessageContaining("not authorized on orders");
    }

    @Test
    void P28_aWrongPassword_isNamed_andLeavesTheStoreUnavailable() {
        Throwable explained = Failures.explained(authenticating(refusal(18, "Authentication failed.")));

        assertThat(explained)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("refused the user or the password");
    }

    /** The driver says of all that goes wrong while it logs in that it was about the user. */
    @Test
    void aNetworkThatBreaksWhileTheUserLogsIn_isNoWrongPassword() {
        Throwable reset = authenticating(new MongoSocketException("reset", new ServerAddress()));

        assertThat(Failures.explained(reset)).isSameAs(reset);
    }

    /** What may pass stays what it is: the engine asks again. */
    @Test
    void everythingElse_staysAsItIs() {
        MongoCommandException notPrimary = refusal(10107, "not primary");
        MongoSocketException reset = new MongoSocketException("reset", new ServerAddress());

        assertThat(Failures.explained(notPrimary)).isSameAs(notPrimary);
        assertThat(Failures.explained(reset)).isSameAs(reset);
    }

    private static MongoSecurityException authenticating(MongoException cause) {
        return new MongoSecurityException(
                MongoCredential.createCredential("somebody", "admin", "secret".toCharArray()),
                "Exception authenticating",
                cause);
    }

    private static MongoCommandException refusal(int code, String message) {
        BsonDocument answer = new BsonDocument("ok", new BsonInt32(0))
                .append("code", new BsonInt32(code))
                .append("errmsg", new BsonString(message));
        return new MongoCommandException(answer, new ServerAddress());
    }
}
