package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What every other test rests on: an answer shows a document as it was at one moment, after the command that it
 * answers. MongoDB's do.
 */
class JavaServerMongoAnswersTest {

    private static final int THREADS = 8;
    private static final int TURNS = Effort.pick(1_000, 5_000);
    private static final FindOneAndUpdateOptions AFTER =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);

    private static TestMongo mongo;

    @BeforeAll
    static void start() {
        mongo = TestMongo.start();
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @Test
    void answers_areOfOneMoment() throws Exception {
        MongoCollection<Document> counters =
                mongo.client().getDatabase(mongo.database()).getCollection("counters");
        counters.insertOne(new Document("_id", "counter").append("first", 0L).append("last", 0L));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<List<Long>>> counting = new ArrayList<>();
        try {
            for (int i = 0; i < THREADS; i++) {
                counting.add(threads.submit(() -> count(counters)));
            }
            List<Long> counted = new ArrayList<>();
            for (Future<List<Long>> counts : counting) {
                counted.addAll(counts.get(Patience.seconds(), TimeUnit.SECONDS));
            }

            assertThat(counted).hasSize(THREADS * TURNS).doesNotHaveDuplicates();
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Long> count(MongoCollection<Document> counters) {
        List<Long> counts = new ArrayList<>();
        for (int i = 0; i < TURNS; i++) {
            Document counted = counters.findOneAndUpdate(
                    Filters.eq("counter"), Updates.combine(Updates.inc("first", 1L), Updates.inc("last", 1L)), AFTER);
            assertThat(counted).isNotNull();
            assertThat(counted.getLong("last")).isEqualTo(counted.getLong("first"));
            counts.add(counted.getLong("first"));
        }
        return counts;
    }
}
