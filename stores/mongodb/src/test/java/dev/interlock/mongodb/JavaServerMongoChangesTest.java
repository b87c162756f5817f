package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoCollection;
import de.bwaldvogel.mongo.exception.MongoServerError;
import dev.interlock.spi.Claim;
import dev.interlock.testkit.Patience;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A change stream that is refused, breaks, or is needed no more. Always on mongo-java-server, not MongoDB, with change
 * streams of the tests' own in the form that MongoDB documents.
 */
class JavaServerMongoChangesTest {

    private static final Duration PATIENCE = Patience.FULL;

    /** One that polls and is next is told to ask again within this time, unless the machine has stood still. */
    private static final Duration SHORT = Duration.ofMillis(100);

    private static StreamingBackend backend;
    private static TestMongo mongo;

    @BeforeAll
    static void start() {
        backend = new StreamingBackend();
        mongo = TestMongo.startFake(backend);
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @AfterEach
    void accept() {
        backend.streams().refuse(null);
    }

    private static Heard open() {
        return new Heard(MongoStore.over(mongo.client(), mongo.database()));
    }

    /** As MongoDB answers without a replica set, and to a user without the right. */
    @ParameterizedTest
    @CsvSource({
        "40573, Location40573, The $changeStream stage is only supported on replica sets",
        "13, Unauthorized, not authorized on locks to execute command"
    })
    void aDeploymentThatRefuses_isAskedOnce_andPolled(int code, String name, String message) {
        int asked = backend.streams().asked();
        backend.streams().refuse(new MongoServerError(code, name, message));
        try (Heard waiter = open();
                Heard holder = open()) {
            assertPolls(holder, waiter, "refused " + code);
            assertThat(backend.streams().asked() - asked).isOne();
        }
    }

    /** As mongo-java-server itself answers: with a stream that is over before it begins. */
    @Test
    void aDeploymentWhoseStreamIsOverAtOnce_isPolled() {
        try (TestMongo other = TestMongo.startFake(new WholeAnswers());
                Heard waiter = new Heard(MongoStore.over(other.client(), other.database()));
                Heard holder = new Heard(MongoStore.over(other.client(), other.database()))) {
            assertPolls(holder, waiter, "over");
        }
    }

    /** There a change is told late: its stream would make things slower. */
    @Test
    void aShardedCluster_isNotAskedForAStream_andPolled() {
        StreamingBackend router = new StreamingBackend();
        router.route();
        try (TestMongo sharded = TestMongo.startFake(router);
                Heard waiter = new Heard(MongoStore.over(sharded.client(), sharded.database()));
                Heard holder = new Heard(MongoStore.over(sharded.client(), sharded.database()))) {
            assertPolls(holder, waiter, "sharded");
            assertThat(router.streams().asked()).isZero();
        }
    }

    private static void assertPolls(Heard holder, Heard waiter, String name) {
        Claim held = holder.hold(name);
        Claim waiting = waiter.claim(name).waiting(Duration.ZERO);
        for (int i = 0; i < 3; i++) {
            assertThat(waiter.busy(waiting)).isLessThan(SHORT);
            await().atMost(PATIENCE).until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("interlock-mongodb-wakes")));
        }
        holder.release(held);
        await().atMost(PATIENCE).until(() -> waiter.isGranted(waiting));
        assertThat(waiter.isWoken(waiting)).isFalse();
    }

    /** The server has forgotten the cursor, as one that stepped down: the stream goes on where it was. */
    @Test
    void aStreamThatBreaks_goesOn() {
        try (Heard waiter = open();
                Heard holder = open()) {
            Claim held = holder.hold("broken");
            Claim waiting = waiter.waits(waiter.claim("broken"));
            mongo.keepListed(held.id());
            int opened = backend.streams().opened();
            backend.streams().forgetStreams();
            await().atMost(PATIENCE).until(() -> backend.streams().opened() > opened);

            holder.release(held);

            waiter.awaitWake(waiting);
            waiter.granted(waiting);
        }
    }

    /** The server no longer has what came after the last change: whoever waits asks now, and another stream begins. */
    @Test
    void P11_aStreamThatHasLostItsPlace_wakesAndBeginsAnew() {
        try (Heard waiter = open();
                Heard holder = open()) {
            Claim held = holder.hold("lost");
            Claim waiting = waiter.waits(waiter.claim("lost"));
            mongo.keepListed(held.id());
            assertThat(waiter.isWoken(waiting)).isFalse();
            int asked = backend.streams().asked();
            backend.streams()
                    .refuse(new MongoServerError(
                            286, "ChangeStreamHistoryLost", "Resume of change stream was not possible"));

            backend.streams().forgetStreams();

            await().atMost(PATIENCE).until(() -> backend.streams().asked() > asked);
            waiter.awaitWake(waiting);
            backend.streams().refuse(null);
            waiter.forgetWakes();
            Claim again = waiter.waits(waiting);
            mongo.keepListed(held.id());
            holder.release(held);
            waiter.awaitWake(again);
            waiter.granted(again);
        }
    }

    /** What is written before it is open, it does not carry. */
    @Test
    void P11_aStreamThatIsBeingOpened_isNotReliedOn() throws InterruptedException {
        Source source = new Source(mongo::client, false, mongo.database(), MongoStore.DEFAULT_COLLECTION);
        var unused = source.documents();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        Wakes wakes = new Wakes(() -> opensLate(source, begun, goesOn), PATIENCE);
        wakes.listener(wake -> {});
        try (Heard client = open()) {
            Claim claim = client.claim("opening");
            wakes.waits(claim);
            begun.await();

            assertThat(wakes.streamFor(claim)).isNull();

            goesOn.countDown();
            await().atMost(PATIENCE).until(() -> wakes.streamFor(claim) != null);
        } finally {
            goesOn.countDown();
            wakes.close();
        }
    }

    /** The watched collection, which keeps whoever opens a stream until the test says so. */
    @SuppressWarnings("unchecked")
    private static MongoCollection<Document> opensLate(Source source, CountDownLatch begun, CountDownLatch goesOn) {
        MongoCollection<Document> watched = source.watched();
        return (MongoCollection<Document>) Proxy.newProxyInstance(
                MongoCollection.class.getClassLoader(),
                new Class<?>[] {MongoCollection.class},
                (self, method, values) -> {
                    if (method.getName().equals("watch")) {
                        begun.countDown();
                        goesOn.await();
                    }
                    return method.invoke(watched, values);
                });
    }

    @Test
    void aStreamThatIsNeededNoMore_ends() {
        Source source = new Source(mongo::client, false, mongo.database(), MongoStore.DEFAULT_COLLECTION);
        var unused = source.documents();
        Wakes wakes = new Wakes(source::watched, Duration.ofMillis(500));
        wakes.listener(wake -> {});
        try (Heard client = open()) {
            Claim claim = client.claim("ended");
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> {
                wakes.waits(claim);
                return wakes.streamFor(claim) != null;
            });

            await().atMost(PATIENCE).until(() -> wakes.streamFor(claim) == null);
            await().atMost(PATIENCE).until(() -> backend.streams().openNow() == 0);
        } finally {
            wakes.close();
        }
    }
}
