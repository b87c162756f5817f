package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.ServerAddress;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/** What a server would answer that knows users, which the one in these tests does not. */
class FailuresTest {

    @Test
    void P28_aMissingRight_isNamed_andFinal() {
        Throwable explained =
                Failures.explained(refusal(13, "not authorized on orders to execute command findAndModify"));

        assertThat(explained)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("find, insert, update and remove")
                .hasMessageContaining("not authorized on orders");
    }

    @Test
    void aWrongPassword_isNamed_andFinal() {
        Throwable explained = Failures.explained(new MongoSecurityException(null, "Exception authenticating"));

        assertThat(explained).isInstanceOf(IllegalStateException.class).hasMessageContaining("password");
    }

    /** What may pass stays what it is: the engine asks again. */
    @Test
    void everythingElse_staysAsItIs() {
        MongoCommandException notPrimary = refusal(10107, "not primary");
        MongoSocketException reset = new MongoSocketException("reset", new ServerAddress());

        assertThat(Failures.explained(notPrimary)).isSameAs(notPrimary);
        assertThat(Failures.explained(reset)).isSameAs(reset);
    }

    private static MongoCommandException refusal(int code, String message) {
        BsonDocument answer = new BsonDocument("ok", new BsonInt32(0))
                .append("code", new BsonInt32(code))
                .append("errmsg", new BsonString(message));
        return new MongoCommandException(answer, new ServerAddress());
    }
}
