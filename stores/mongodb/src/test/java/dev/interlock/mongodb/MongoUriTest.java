package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MongoUriTest {

    @ParameterizedTest
    @CsvSource({
        "mongodb://host, interlock, interlock",
        "mongodb://host/, interlock, interlock",
        "mongodb://host:27017/orders, orders, interlock",
        "'mongodb://a:1,b:2/orders?replicaSet=rs0&collection=app.locks&tls=true', orders, app.locks",
        "MONGODB://u%40:p%3A%2F@[::1]:27017/orders-2?collection=_locks, orders-2, _locks",
        "mongodb://[fe80::1%25en0]/orders, orders, interlock",
        "mongodb://%2Ftmp%2Fmongodb-27017.sock/orders, orders, interlock",
        "'mongodb://a:27017,b,[::1]/orders', orders, interlock",
        "mongodb+srv://user:secret@cluster.example.org/orders?collection=locks, orders, locks"
    })
    void databaseAndCollection_areRead(String uri, String database, String collection) {
        MongoUri parsed = MongoUri.parse(uri);

        assertThat(parsed.database()).isEqualTo(database);
        assertThat(parsed.collection()).isEqualTo(collection);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mongo://host/db | must begin with mongodb://",
                "mongodb:host | must begin with mongodb://",
                "mongodb:// | must be host or host:port",
                "mongodb://host/db#x | The database",
                "mongodb://u:secret@host:70000/db | with ports from 1 to 65535",
                "mongodb://u:secret@host/a.b | The database",
                "mongodb://u:secret@host/a/b | The database",
                "mongodb://u:secret@host/db?collection= | The collection",
                "mongodb://u:secret@host/db?collection=system.users | The collection",
                "mongodb://u:secret@host/db?collection=$cmd | The collection",
                "mongodb://u:secret@host/db?w=majority&authMechanism=secrecy | refuses",
                "mongodb://u:sec@ret@host/db | percent-encoded",
                "mongodb://u:sec/ret@host/db | percent-encoded",
                "mongodb://u:secret%@host/db | percent-encoded",
                "mongodb://app:secret | after user:password there must be @host",
                "mongodb://app:secret/db | after user:password there must be @host",
                "mongodb://app:secret?w=1 | after user:password there must be @host",
                "mongodb://app:secret:27017/db | after user:password there must be @host",
                "mongodb://h1:27017,app:secret/db | after user:password there must be @host",
                "mongodb://u:p@host:secret/db | after user:password there must be @host",
                "mongodb://app:12/secret+/db | after user:password there must be @host",
                "mongodb://app:[secret]/db | after user:password there must be @host",
                "mongodb://app:0/db | with ports from 1 to 65535",
                "mongodb://app:65536/db | with ports from 1 to 65535",
                "mongodb://app:secret#/db | after user:password there must be @host",
                "mongodb://app:12?secret | refuses",
                "mongodb://h/db?proxyPassword=secret | refuses",
                "mongodb://h/db?proxyPassword=secret@x.y/a.b | percent-encoded",
                "mongodb+srv://app:secret/db | after user:password there must be @host"
            })
    void wrongInput_isNamed_butNeverThePassword(String uri, String message) {
        assertThatThrownBy(() -> MongoStore.at(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message.strip())
                .satisfies(MongoUriTest::hasNoPassword);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a.b", "a/b", "a$b", "a\u0000b", "\u00e4"})
    void aDatabase_isChecked(String database) {
        assertThatThrownBy(() -> MongoUri.database(database))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The database of a MongoDB store");
    }

    @Test
    void theStore_isFoundByItsScheme() throws InterruptedException {
        try (TestMongo mongo = TestMongo.start();
                Interlock interlock = Interlock.connect(mongo.uri() + "&collection=found")) {
            interlock.lock("found").acquire().close();

            assertThat(mongo.client()
                            .getDatabase(mongo.database())
                            .getCollection("found")
                            .countDocuments())
                    .isEqualTo(1);
        }
    }

    private static void hasNoPassword(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString())
                .doesNotContain("secret")
                .doesNotContain("sec@")
                .doesNotContain("sec/");
    }
}
