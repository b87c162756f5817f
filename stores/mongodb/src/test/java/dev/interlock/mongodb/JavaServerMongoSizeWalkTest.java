package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What others have stored, in any size and number: the walk of sizes. Other names work, and a name that is larger than
 * what a client reads says so.
 */
class JavaServerMongoSizeWalkTest {

    private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");
    private static final int MEGABYTE = 1 << 20;

    private final TestMongo mongo = TestMongo.start();
    private final Commands commands = new Commands();
    private final MongoClient driver = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(mongo.uri()))
            .addCommandListener(commands)
            .build());
    private final BlockingClient client = new BlockingClient(MongoStore.over(driver, mongo.database()));

    @AfterEach
    void close() {
        client.close();
        driver.close();
        mongo.close();
    }

    /** Where a large value stands in the document of a lock that somebody holds. */
    enum Place {
        HOST {
            @Override
            void fill(Document document, int bytes) {
                document.getList("holders", Document.class).get(0).append("host", "x".repeat(bytes));
            }
        },
        WAITERS {
            @Override
            void fill(Document document, int bytes) {
                document.append(
                        "waiters",
                        IntStream.range(0, bytes / 80).mapToObj(Place::waiter).toList());
            }
        },
        MARKS {
            @Override
            void fill(Document document, int bytes) {
                document.append("forced", List.of(new Document("owner", "x".repeat(bytes)).append("until", FAR)));
            }
        };

        abstract void fill(Document document, int bytes);

        private static Document waiter(int number) {
            return new Document("owner", "other:" + number)
                    .append("mode", "fair")
                    .append("until", FAR);
        }
    }

    /** Five megabytes; in the long form as much as a document may have. */
    @ParameterizedTest
    @EnumSource
    @Tag(Effort.SCALED)
    void aLargeDocument_isTheTroubleOfItsNameAlone(Place place) {
        Claim large = client.hold("large");
        Claim known = client.hold("known");
        enlarge("large", document -> place.fill(document, Effort.pick(5, 15) * MEGABYTE));

        assertThat(listed("", 10)).containsExactly("known");
        assertThat(BlockingClient.repeated(() -> client.store().renew(List.of(large, known))))
                .containsExactly(Map.entry(known, Renewal.HELD));
        assertThat(BlockingClient.failure(client.store().inspect(large.id())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'large' is too large to read: bytes=");
        assertThat(BlockingClient.failure(client.store().acquire(client.claim("large"))))
                .hasMessageContaining("'large' is too large to read: bytes=");
        assertOthersWork(known);
    }

    /** What no name needs is not even read. */
    @Test
    void aLargeFieldOfSomebodyElse_isNotRead() {
        Claim claim = client.hold("name");
        enlarge("name", document -> document.append("more", new Binary(new byte[5 * MEGABYTE])));

        assertThat(listed("", 10)).containsExactly("name");
        assertThat(client.inspect("name").holders()).hasSize(1);
        assertThat(client.renew(claim)).isEqualTo(Renewal.HELD);
        assertThat(client.release(claim)).isTrue();
        client.hold("name");
    }

    /** All at once would be more than some clients have memory for. The stand-in sends no more than 48 MB at a time. */
    @Test
    void manyLargeDocuments_areReadInParts() {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String name = "name" + i;
            claims.add(client.hold(name));
            enlarge(name, document -> Place.HOST.fill(document, 3 * MEGABYTE));
        }
        Documents documents =
                new Source(() -> driver, false, mongo.database(), MongoStore.DEFAULT_COLLECTION).documents();
        assertThat(documents.page("", 100).found()).hasSizeBetween(1, 6);

        assertThat(listed("", 100)).hasSize(claims.size());
        Map<Claim, Renewal> all = new HashMap<>();
        claims.forEach(claim -> all.put(claim, Renewal.HELD));
        assertThat(BlockingClient.repeated(() -> client.store().renew(claims))).isEqualTo(all);
        mongo.documents().deleteOne(Filters.eq("LOCK:name0"));
        all.put(claims.get(0), Renewal.DELETED);
        assertThat(BlockingClient.repeated(() -> client.store().renew(claims))).isEqualTo(all);
        new Workers(() -> documents).sweep(documents, documents.now());
        assertThat(mongo.documents().countDocuments()).isEqualTo(claims.size() - 1);
    }

    /** More than a name may have: another one polls, and does not make the document any larger. */
    @Test
    void aWaiterBeyondTheMost_isNotListed() {
        Claim held = client.hold("crowd");
        enlarge("crowd", document -> document.append("sole", null)
                .append(
                        "waiters",
                        IntStream.range(0, NameDocument.MOST_CLAIMS)
                                .mapToObj(Place::waiter)
                                .toList()));
        Claim known = client.hold("known");

        assertThat(client.inspect("crowd").waiters()).hasSize(NameDocument.MOST_CLAIMS);
        assertThat(BlockingClient.answer(client.store()
                        .acquire(client.claim("crowd").inMode(Mode.fair()).waiting(Duration.ZERO))))
                .isInstanceOf(Attempt.Busy.class);
        assertThat(client.inspect("crowd").waiters()).hasSize(NameDocument.MOST_CLAIMS);
        assertThat(client.release(held)).isTrue();
        assertThat(client.inspect("crowd").holders()).isEmpty();
        assertOthersWork(known);
    }

    @Test
    void aHolderBeyondTheMost_isRefused() {
        LockId id = new LockId("crowd", LockKind.SEMAPHORE);
        Mode permit = new Mode.Permits(1, 1 << 20);
        BlockingClient.answer(client.store().acquire(client.claim(id).inMode(permit)));
        Document holder =
                document("SEMAPHORE:crowd").getList("holders", Document.class).get(0);
        mongo.documents()
                .updateOne(
                        Filters.eq("SEMAPHORE:crowd"),
                        Updates.set(
                                "holders",
                                IntStream.range(0, NameDocument.MOST_CLAIMS)
                                        .mapToObj(i -> new Document(holder).append("owner", "other:" + i))
                                        .toList()));

        assertThat(BlockingClient.failure(
                        client.store().acquire(client.claim(id).inMode(permit))))
                .hasMessageContaining("'crowd' has too many claims to add one: most=10000");
    }

    /** A thousand names that nobody holds, and that are kept for their fences; in the long form a hundred thousand. */
    @Test
    @Tag(Effort.SCALED)
    void manyFreeNames_areNotReadByAList() {
        Claim known = client.hold("z known");
        int names = Effort.pick(10, 1_000);
        for (int i = 0; i < names; i++) {
            int hundreds = i * 100;
            mongo.documents()
                    .insertMany(IntStream.range(hundreds, hundreds + 100)
                            .mapToObj(number -> new Document("_id", "LOCK:name" + number)
                                    .append("version", (long) number)
                                    .append("fence", 1L)
                                    .append("sole", NameDocument.FREE)
                                    .append("seen", FAR))
                            .toList());
        }
        commands.names();

        assertThat(listed("", 10)).containsExactly("z known");
        assertThat(commands.names()).filteredOn("find"::equals).hasSize(LockKind.values().length);
        assertOthersWork(known);
    }

    /** More than a page of names that are over, though nobody has ended them. */
    @Test
    void namesThatAreOver_areReadPageByPage() {
        client.hold("z known");
        Document over = document("LOCK:z known").append("holders", List.of());
        mongo.documents()
                .insertMany(IntStream.range(0, 2_500)
                        .mapToObj(number -> new Document(over)
                                .append("_id", "LOCK:name" + number)
                                .append("sole", "other:" + number)
                                .append("version", (long) number))
                        .toList());

        assertThat(listed("", 10)).containsExactly("z known");
        assertThat(listed("name", 10)).isEmpty();
        assertThat(listed("z", 10)).containsExactly("z known");
    }

    @Test
    void aBeginningOfAnyCharacters_isFound() {
        for (String name : List.of("a\\E.*", "a\0b", "\uD7FF", "\uDBFF\uDFFF", "\uDBFF\uDFFFmore")) {
            client.hold(name);
            assertThat(listed(name, 10)).contains(name);
            assertThat(listed(name + 'x', 10)).isEmpty();
        }
    }

    /** A list may take long: no verb is behind it. */
    @Test
    void aList_isInNobodysWay() throws InterruptedException {
        Documents documents =
                new Source(() -> driver, false, mongo.database(), MongoStore.DEFAULT_COLLECTION).documents();
        Workers workers = new Workers(() -> documents);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Boolean> list = workers.look((used, wanted) -> {
                    begun.countDown();
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return true;
                })
                .toCompletableFuture();
        begun.await();
        for (int i = 0; i < 2 * Workers.THREADS; i++) {
            Workers.Verb<Boolean> verb = (used, wanted) -> true;
            assertThat(BlockingClient.answer(workers.submit(i, verb))).isTrue();
        }
        assertThat(list).isNotDone();
        end.countDown();
        workers.close();
    }

    private void assertOthersWork(Claim known) {
        assertThat(listed("", 10)).contains(known.id().name());
        assertThat(client.renew(known)).isEqualTo(Renewal.HELD);
        assertThat(client.release(known)).isTrue();
        client.release(client.hold("new"));
    }

    private List<String> listed(String prefix, int limit) {
        return BlockingClient.repeated(() -> ((LockCatalog) client.store()).list(prefix, limit)).stream()
                .map(LockStatus::name)
                .toList();
    }

    private void enlarge(String name, Consumer<Document> change) {
        Document document = document("LOCK:" + name);
        change.accept(document);
        mongo.documents().replaceOne(Filters.eq(document.get("_id")), document);
    }

    private Document document(String key) {
        return Objects.requireNonNull(mongo.documents().find(Filters.eq(key)).first());
    }
}
