package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server's clock that is set back by an hour, as by a failover: each date of a document is an hour too late. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JavaServerMongoClockTest {

    private static final String NAME = "clock";
    private static final Duration BRIEF = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final TestMongo mongo = TestMongo.start();
    private final BlockingClient a = new BlockingClient(MongoStore.over(mongo.client(), mongo.database()));
    private final BlockingClient b = new BlockingClient(MongoStore.over(mongo.client(), mongo.database()));

    @AfterEach
    void close() {
        a.close();
        b.close();
        mongo.close();
    }

    @Test
    void P10_aDeadHolder_isKeptNoLongerThanItsLease() {
        a.acquire(a.claim(NAME, BRIEF));
        setBack();

        // The test times out before an hour is over.
        lock(b.claim(NAME));

        assertThat(b.inspect(NAME).holders()).hasSize(1);
    }

    /** The whole document was written, and not only what one command takes. */
    @Test
    void P10_aDeadHolderWithAWaiter_isKeptNoLongerThanItsLease() {
        a.hold(NAME);
        Claim waiting = fair(b, LONG);
        assertThat(b.isGranted(waiting)).isFalse();
        setBack();
        mongo.documents().updateOne(Filters.eq("LOCK:" + NAME), Updates.set("holders.0.lease", BRIEF.toMillis()));

        lock(waiting);
    }

    @Test
    void P10_aDeadWaiterInOrder_isKeptNoLongerThanItsPlace() {
        Claim held = a.hold(NAME);
        assertThat(a.isGranted(fair(a, BRIEF))).isFalse();
        Claim waiting = fair(b, LONG);
        assertThat(b.isGranted(waiting)).isFalse();
        a.release(held);
        setBack();

        lock(waiting);
    }

    @Test
    void P10_aLiveHolder_isNotHurt() {
        Claim held = a.hold(NAME);
        setBack();

        assertThat(b.isGranted(b.claim(NAME).waiting(Duration.ZERO))).isFalse();

        assertThat(a.renew(held)).isEqualTo(Renewal.HELD);
        assertThat(b.inspect(NAME).holders().get(0).heldFor()).isEqualTo(Duration.ZERO);
        assertThat(b.inspect(NAME).holders().get(0).remainingLease()).isLessThanOrEqualTo(held.lease());
    }

    private static Claim fair(BlockingClient client, Duration lease) {
        return client.claim(NAME, lease).inMode(Mode.fair()).waiting(Duration.ZERO);
    }

    /** By polling, as a client does that nobody wakes. */
    private void lock(Claim claim) {
        await().atMost(Patience.limit()).until(() -> b.isGranted(claim.waiting(Duration.ZERO)));
    }

    private void setBack() {
        Document document = Objects.requireNonNull(
                mongo.documents().find(Filters.eq("LOCK:" + NAME)).first());
        assertThat(mongo.documents()
                        .replaceOne(Filters.eq("LOCK:" + NAME), (Document) anHourLater(document))
                        .getModifiedCount())
                .isEqualTo(1);
    }

    private static Object anHourLater(Object value) {
        if (value instanceof Date date) {
            return date.toInstant().plus(Duration.ofHours(1));
        } else if (value instanceof List<?> list) {
            return list.stream().map(JavaServerMongoClockTest::anHourLater).toList();
        } else if (value instanceof Document document) {
            Document changed = new Document();
            for (Map.Entry<String, Object> field : document.entrySet()) {
                changed.append(field.getKey(), field.getValue() == null ? null : anHourLater(field.getValue()));
            }
            return changed;
        }
        return value;
    }
}
