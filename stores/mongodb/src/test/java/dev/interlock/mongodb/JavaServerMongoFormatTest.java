package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.support.rules.Decision;
import dev.interlock.support.rules.NameState;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What docs/internals/mongodb-format.md says of commands and documents. On mongo-java-server, not MongoDB, unless told
 * otherwise.
 */
class JavaServerMongoFormatTest {

    private static TestMongo mongo;
    private static MongoClient watched;
    private static final Commands COMMANDS = new Commands();
    private BlockingClient client;
    private BlockingClient other;

    @BeforeAll
    static void start() {
        mongo = TestMongo.start();
        watched = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(mongo.uri()))
                .addCommandListener(COMMANDS)
                .build());
    }

    @AfterAll
    static void stop() {
        watched.close();
        mongo.close();
    }

    @BeforeEach
    void connect() {
        client = new BlockingClient(MongoStore.over(watched, mongo.database()));
        other = new BlockingClient(MongoStore.over(mongo.client(), mongo.database()));
        // As long as the driver knows no server, a verb first makes sure that there is one.
        client.inspect("any");
        COMMANDS.names();
    }

    @AfterEach
    void close() {
        client.close();
        other.close();
    }

    @Test
    void aKnownNameThatIsFree_isOneCommand_andFreedByOne() {
        client.release(client.hold("known"));
        COMMANDS.names();

        Claim claim = client.hold("known");
        assertThat(COMMANDS.names()).containsExactly("findAndModify");
        client.release(claim);
        assertThat(COMMANDS.names()).containsExactly("findAndModify");
    }

    @Test
    void aNewName_isThreeCommands() {
        client.hold("new");

        assertThat(COMMANDS.names()).containsExactly("findAndModify", "findAndModify", "update");
    }

    @Test
    void aPoll_isOneRead_whileTheNameIsHeld() {
        other.hold("polled");
        Claim waiting = client.await("polled", Duration.ZERO);
        mongo.keepListed(waiting.id());
        COMMANDS.names();

        assertThat(client.isGranted(waiting.waiting(Duration.ofMillis(20)))).isFalse();

        assertThat(COMMANDS.names()).containsExactly("find");
    }

    @Test
    void aRenewal_isThreeCommands_howeverManyClaims() {
        List<Claim> claims = List.of(client.hold("r1"), client.hold("r2"), client.hold("r3"));
        COMMANDS.names();

        assertThat(BlockingClient.repeated(() -> client.store().renew(claims))).hasSize(3);

        assertThat(COMMANDS.names()).containsExactly("update", "find", "update");
    }

    /** No failover loses what was answered. */
    @Test
    void P07_everyWrite_isAcknowledgedByAMajority() {
        Claim held = client.hold("majority");
        client.renew(held);
        client.release(held);
        client.release(held);

        for (BsonDocument command : COMMANDS.all()) {
            if (!command.getFirstKey().equals("find")) {
                assertThat(command.getDocument("writeConcern").get("w"))
                        .as(command.getFirstKey())
                        .isEqualTo(new BsonString("majority"));
            }
        }
    }

    @Test
    void aDocument_saysWhoHolds_inPlainWords() {
        Claim claim = client.claim("plain");
        long fence = client.granted(claim);
        client.renew(claim);

        Document document = document("LOCK:plain");
        assertThat(document.getString("sole")).isEqualTo(claim.owner().value());
        assertThat(document.getLong("fence")).isEqualTo(fence);
        Document holder = document.getList("holders", Document.class).get(0);
        assertThat(holder.getString("owner")).isEqualTo(claim.owner().value());
        assertThat(holder.getString("mode")).isEqualTo("exclusive");
        assertThat(holder.getString("host")).isEqualTo(client.party().host());
        assertThat(holder.getDate("until")).isAfter(holder.getDate("since"));
    }

    /** P07: whoever removes the documents, a later grant has a larger fence. */
    @Test
    void P07_aNameWhoseDocumentIsGone_hasLargerFences() {
        Claim claim = client.claim("gone");
        long fence = client.granted(claim);
        remove(claim.id());

        assertThat(client.renew(claim)).isEqualTo(Renewal.DELETED);
        assertThat(client.granted(client.claim("gone"))).isGreaterThan(fence);
    }

    /**
     * P07: a document that was swept stands again, made by one that has not got to its grant, and another one is
     * quicker.
     */
    @ParameterizedTest
    @EnumSource(names = {"LOCK", "READ_WRITE"})
    void P07_aDocumentThatWasMadeAnew_andNotGranted_hasLargerFences(LockKind kind) {
        LockId id = new LockId("reborn", kind);
        long fence = client.granted(client.claim(id, BlockingClient.LONG_LEASE));
        remove(id);
        NameDocument slower = documents().stampOrMake(id);
        NameState granted = granted(slower, client.claim(id, BlockingClient.LONG_LEASE));

        assertThat(other.granted(other.claim(id, BlockingClient.LONG_LEASE))).isGreaterThan(fence);
        assertThat(documents().swap(slower, granted, List.of())).isFalse();
    }

    /** P07: the one that made it anew gave up instead, and took back what it might have got. */
    @Test
    void P07_aDocumentThatWasMadeAnew_andGivenUp_hasLargerFences() {
        LockId id = LockId.lock("given up");
        long fence = client.granted(client.claim(id, BlockingClient.LONG_LEASE));
        remove(id);
        documents().stampOrMake(id);
        assertThat(client.release(client.claim(id, BlockingClient.LONG_LEASE))).isFalse();

        assertThat(other.granted(other.claim(id, BlockingClient.LONG_LEASE))).isGreaterThan(fence);
    }

    /** P07: whoever can write the collection may write it there. */
    @ParameterizedTest
    @ValueSource(longs = {(1L << 53) - 1, 1L << 53, Long.MAX_VALUE})
    void P07_aFenceThatLeavesNoLargerOne_isAnError(long fence) {
        mongo.documents()
                .insertOne(new Document("_id", "LOCK:largest " + fence)
                        .append("sole", null)
                        .append("version", 1L)
                        .append("fence", fence));

        assertThat(BlockingClient.failure(client.store().acquire(client.claim("largest " + fence))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fence=" + fence);
        assertThat(document("LOCK:largest " + fence).get("fence")).isEqualTo(fence);
    }

    /** The server would not count on. */
    @ParameterizedTest
    @ValueSource(strings = {"", "null"})
    void theLastVersion_isFollowedByTheFirst(String sole) {
        LockId id = LockId.lock("last version " + sole);
        mongo.documents()
                .insertOne(new Document("_id", "LOCK:" + id.name())
                        .append("sole", sole.isEmpty() ? "" : null)
                        .append("version", Long.MAX_VALUE)
                        .append("fence", 7L));

        Claim claim = client.claim(id, BlockingClient.LONG_LEASE);
        assertThat(client.granted(claim)).isGreaterThan(7);
        assertThat(document("LOCK:" + id.name()).get("version")).isEqualTo(Long.MIN_VALUE);
        assertThat(other.isGranted(other.claim(id, BlockingClient.LONG_LEASE))).isFalse();

        mongo.documents()
                .updateOne(
                        new Document("_id", "LOCK:" + id.name()),
                        new Document("$set", new Document("version", Long.MAX_VALUE)));
        assertThat(client.release(claim)).isTrue();
        assertThat(other.isGranted(other.claim(id, BlockingClient.LONG_LEASE))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -5, 0})
    void permitsOfAHolder_areOneAtLeast(long permits) {
        LockId id = new LockId("permits " + permits, LockKind.SEMAPHORE);
        client.granted(client.claim(id).inMode(new Mode.Permits(1, 2)));
        mongo.documents()
                .updateOne(
                        new Document("_id", "SEMAPHORE:" + id.name()),
                        new Document("$set", new Document("holders.0.permits", permits)));
        client.granted(client.claim(id).inMode(new Mode.Permits(1, 2)));

        assertThat(other.isGranted(other.claim(id).inMode(new Mode.Permits(1, 2))))
                .isFalse();
    }

    /** P22: what nobody uses any more goes, and what somebody holds, waits for or is to remember stays. */
    @Test
    void P22_sweeping_removesWhatIsOver_andNothingElse() {
        client.release(client.hold("swept-over"));
        client.hold("swept-held");
        Claim dead = client.claim(LockId.lock("swept-dead"), Duration.ofMillis(1));
        client.granted(dead);
        await().until(() -> !client.inspect("swept-dead").isLocked());
        LockId latch = new LockId("swept-latch", LockKind.LATCH);
        client.executed(client.command(latch, new Command.SetCount(2)));
        COMMANDS.names();
        Documents documents = documents();

        new Workers(() -> documents).sweep(documents, documents.now() + 1);

        assertThat(mongo.documents().find().map(document -> document.getString("_id")))
                .contains("LOCK:swept-held", "LATCH:swept-latch")
                .doesNotContain("LOCK:swept-over", "LOCK:swept-dead");
    }

    /** P22: without anybody's schedule, and not before the time that keeps fences from going back. */
    @Test
    void P22_sweeping_happensByItself_andSparesWhatWasUsedOfLate() {
        client.release(client.hold("own sweep"));
        mongo.documents()
                .insertOne(new Document("_id", "LOCK:long ago")
                        .append("sole", "")
                        .append("version", 1L)
                        .append("seen", Instant.EPOCH));
        Claim claim = client.claim("own sweep");

        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> {
            client.granted(claim);
            client.release(claim);
            return mongo.documents().find(new Document("_id", "LOCK:long ago")).first() == null;
        });

        assertThat(document("LOCK:own sweep")).isNotNull();
    }

    /** Of two that write what they have read only one does. */
    @Test
    void aSwap_failsIfAnotherHasWrittenSince() {
        client.release(client.hold("raced"));
        Documents documents = documents();
        LockId id = LockId.lock("raced");
        NameDocument mine = documents.stampOrMake(id);
        NameDocument theirs = documents.stampOrMake(id);
        NameState byThem = granted(theirs, other.claim("raced"));
        NameState byMe = granted(mine, client.claim("raced"));

        assertThat(documents.swap(theirs, byThem, List.of())).isTrue();
        assertThat(documents.swap(mine, byMe, List.of())).isFalse();
        assertThat(documents.swapAll(Map.of(mine, byMe))).isFalse();
    }

    /** However long somebody stood still between reading and writing, and whoever removed the document meanwhile. */
    @Test
    void aSwap_failsIfTheDocumentWasMadeAnewSince() {
        client.release(client.hold("anew"));
        Documents documents = documents();
        NameDocument stale = documents.stampOrMake(LockId.lock("anew"));
        mongo.documents().deleteOne(new Document("_id", "LOCK:anew"));
        Claim held = other.hold("anew");
        other.release(held);

        assertThat(documents.swap(stale, granted(stale, client.claim("anew")), List.of()))
                .isFalse();
    }

    /**
     * Whatever another client does to a name: who has read it before, and writes later, is refused. A write that went
     * on from the same version would undo what the other one was told.
     */
    @Test
    void aSwap_failsAfterEachVerbOfAnotherClient() {
        client.release(client.hold("verbs"));
        Documents documents = documents();
        LockId id = LockId.lock("verbs");
        Claim held = other.claim("verbs");
        Map<String, Runnable> verbs = new LinkedHashMap<>();
        verbs.put("take", () -> assertThat(documents.take(held)).isPositive());
        verbs.put("free", () -> assertThat(documents.free(held)).isTrue());
        verbs.put("acquire", () -> other.acquire(held));
        verbs.put("renew", () -> other.renew(held));
        verbs.put("acquire again", () -> other.acquire(held));
        verbs.put("release", () -> other.release(held));
        verbs.put("release once more", () -> other.release(held));

        verbs.forEach((verb, call) -> {
            NameDocument stale = documents.stampOrMake(id);
            call.run();
            assertThat(documents.swap(stale, stale.state(), List.of())).as(verb).isFalse();
        });
    }

    private static NameState granted(NameDocument read, Claim claim) {
        Decision<Attempt> decision = NameDocument.RULES.acquire(read.state(), claim, "", read.now());
        assertThat(decision.answer()).isInstanceOf(Attempt.Granted.class);
        return decision.state();
    }

    private static Documents documents() {
        return new Source(mongo::client, false, mongo.database(), MongoStore.DEFAULT_COLLECTION).documents();
    }

    /** As the sweeper of any client does, some time later. */
    private static void remove(LockId id) {
        Documents documents = documents();
        long now = documents.now();
        // Fences go on by the clock, which counts milliseconds.
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> documents.now() > now);
        mongo.documents().deleteOne(new Document("_id", id.kind().name() + ":" + id.name()));
    }

    private static Document document(String key) {
        return Objects.requireNonNull(
                mongo.documents().find(new Document("_id", key)).first());
    }
}
