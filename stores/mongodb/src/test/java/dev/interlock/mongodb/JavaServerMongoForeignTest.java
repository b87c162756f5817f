package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that nobody writes who uses this library. */
class JavaServerMongoForeignTest {

    private final TestMongo mongo = TestMongo.start();
    private final BlockingClient client = new BlockingClient(MongoStore.over(mongo.client(), mongo.database()));

    @AfterEach
    void close() {
        client.close();
        mongo.close();
    }

    static Stream<Document> unknown() {
        return Stream.of(
                new Document("holders", "nobody"),
                new Document("holders", List.of("nobody")),
                new Document("holders", Collections.singletonList(null)),
                new Document("waiters", 1),
                new Document("forced", List.of(1)),
                new Document("turn", "mine"),
                new Document("turn", new Document("until", Instant.parse("2100-01-01T00:00:00Z"))),
                new Document("holders.0.owner", 1),
                new Document("holders.0.mode", null),
                new Document("holders.0.mode", 1),
                new Document("holders.0.mode", "by halves"));
    }

    @ParameterizedTest
    @MethodSource
    void unknown(Document fields) {
        client.hold("known");
        change(fields);

        assertThat(listed()).containsExactly("known");
        assertThat(BlockingClient.failure(
                        client.store().inspect(client.claim("foreign").id())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unknown data under 'foreign'");
        assertThat(BlockingClient.failure(client.store().acquire(client.claim("foreign"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unknown data under 'foreign'");
        try (Interlock looking = Interlock.builder(MongoStore.over(mongo.client(), mongo.database()))
                .build()) {
            assertThatThrownBy(() -> looking.administration().inspect("foreign"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("unknown data under 'foreign'");
        }
    }

    @Test
    void aRenewalOfSeveral_leavesOutWhatItCannotRead() {
        Claim known = client.claim("known");
        Claim foreign = client.claim("foreign");
        client.granted(known);
        client.granted(foreign);
        mongo.documents().updateOne(Filters.eq("LOCK:foreign"), Updates.set("holders", "nobody"));

        assertThat(BlockingClient.repeated(() -> client.store().renew(List.of(foreign, known))))
                .containsExactly(Map.entry(known, Renewal.HELD));
    }

    @Test
    void whoHolds_mayBeUnknown() {
        change(new Document("holders.0.host", null)
                .append("holders.0.application", 1)
                .append("holders.0.thread", null));

        assertThat(listed()).containsExactly("foreign");
        assertThat(client.inspect("foreign").holders().get(0).party().host()).isEqualTo("unknown");
    }

    @ParameterizedTest
    @ValueSource(strings = {"LOCK:", "NONE:n", "none", ""})
    void aKeyOfNoName_isLeftOut(String key) {
        keyed(key);
    }

    @Test
    void aKeyOfATooLongName_isLeftOut() {
        keyed("LOCK:" + "x".repeat(513));
    }

    private void keyed(String key) {
        client.hold("known");
        mongo.documents().insertOne(new Document("_id", key).append("seen", Instant.EPOCH));
        mongo.documents()
                .insertOne(new Document("_id", "SEMAPHORE:old")
                        .append("version", 1L)
                        .append("seen", Instant.EPOCH));

        assertThat(listed()).containsExactly("known");
        Documents documents =
                new Source(mongo::client, false, mongo.database(), MongoStore.DEFAULT_COLLECTION).documents();
        new Workers(() -> documents).sweep(documents, documents.now());
        assertThat(mongo.documents().countDocuments(Filters.eq("SEMAPHORE:old")))
                .isZero();
    }

    /** Of a lock that is held, with one that waits. */
    private void change(Document fields) {
        client.hold("foreign");
        client.await("foreign", Duration.ZERO);
        fields.forEach(
                (field, value) -> mongo.documents().updateOne(Filters.eq("LOCK:foreign"), Updates.set(field, value)));
    }

    private List<String> listed() {
        return BlockingClient.repeated(() -> ((LockCatalog) client.store()).list("", 10)).stream()
                .map(LockStatus::name)
                .toList();
    }
}
