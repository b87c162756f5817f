package dev.interlock.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.testkit.fuzz.Fuzz;
import dev.interlock.testkit.fuzz.Sane;
import dev.interlock.testkit.fuzz.UriFuzz;
import java.time.Duration;
import org.bson.Document;
import org.bson.json.JsonParseException;
import org.junit.jupiter.api.Test;

/** URIs, and documents that any client may have written. Without a server. */
class DocumentFuzzTest {

    private static final long NOW = 1_764_122_400_000L;
    private static final OwnerId STRANGER = OwnerId.of("0b5e2b0a-0000-4000-8000-000000000009", 1);

    private static final String HOLDER = "{owner: 'c:1', mode: 'exclusive', host: 'h', pid: 4, thread: 't', "
            + "since: {$date: 1764122399000}, until: {$date: 1764122429000}, fence: 17}";

    private static final String WAITER = "{owner: 'd:2', mode: 'fair', host: 'h', pid: {$numberLong: '5'}, "
            + "since: {$date: 1764122399500}, until: {$date: 1764122409000}}";

    private static final String LOCK = "{_id: 'LOCK:n', version: {$numberLong: '5'}, fence: 17, sole: null, holders: ["
            + HOLDER + "], waiters: [" + WAITER + "], forced: [{owner: 'e:1', until: {$date: 1764122409000}}], "
            + "turn: null}";

    private static final String TAKEN = "{_id: 'LOCK:n', version: 6, fence: 18, sole: 'c:1', "
            + "taken: {$date: 1764122399000}, holders: [{owner: 'c:1', mode: 'exclusive', lease: 30000}]}";

    private static final String SEMAPHORE = "{_id: 'SEMAPHORE:n', version: 1, fence: 3, capacity: 3, "
            + "remembered: {$date: 1764122409000}, holders: [{owner: 'c:1', mode: 'permits', permits: 2, of: 3, "
            + "since: {$date: 1764122399000}, until: {$date: 1764122429000}, fence: 3}], waiters: []}";

    private static final String LATCH =
            "{_id: 'LATCH:n', version: 1, fence: 3, count: 2, known: {$date: 1764122409000}, "
                    + "setter: 'c:1', counted: ['d:1', 'd:2'], waiters: []}";

    @Test
    void uri() {
        UriFuzz.run(
                "MongoDB URI",
                MongoUri::parse,
                "mongodb://host",
                "mongodb://user:s3cr3t@a:1,b:2/orders?replicaSet=rs0&collection=app.locks&tls=true",
                "MONGODB://u%40:s3cr3t@[::1]:27017/orders-2?collection=_locks&w=majority",
                "mongodb+srv://user:s3cr3t@cluster.example.org/orders?collection=locks");
    }

    /** Whatever the document says: a stranger gets no lock that somebody holds, and no permits that are not there. */
    @Test
    void document() {
        Fuzz.of("MongoDB document", LOCK, TAKEN, SEMAPHORE, LATCH)
                .words(
                        "null",
                        "{}",
                        "[]",
                        "''",
                        "{$date: ",
                        "{$numberLong: '",
                        "'}",
                        "owner",
                        "mode",
                        "lease",
                        "until",
                        "since",
                        "fence",
                        "version",
                        "sole",
                        "holders",
                        "1e300",
                        "NaN",
                        "true",
                        "9223372036854775807")
                .regressions(
                        "{_id: ".repeat(3_300) + "1" + "}".repeat(200),
                        "{capacity: 2147483648, fence: 3, remembered: {$date: 1764122409000}}",
                        "{sole: 'c:1', taken: {$date: 1764122399000}, fence: 1,"
                                + " holders: [{owner: 'c:1', mode: 'exclusive', lease: 9223372036854775807}]}")
                .run(DocumentFuzzTest::accepts);
    }

    private static boolean accepts(String input) {
        Document document;
        try {
            document = Document.parse(input);
        } catch (JsonParseException | IllegalArgumentException | org.bson.BsonInvalidOperationException e) {
            // No document that a server could return.
            return false;
        } catch (StackOverflowError e) {
            // The driver's reader of JSON, which the store does not use; a server takes a depth of 100 only.
            return false;
        }
        boolean accepted = false;
        for (LockKind kind : LockKind.values()) {
            LockId id = new LockId("n", kind);
            NameDocument[] read = new NameDocument[1];
            Fuzz.refusal(IllegalStateException.class, () -> read[0] = NameDocument.read(id, document, NOW));
            if (read[0] != null) {
                accepted = true;
                use(read[0], kind);
            }
        }
        Documents.anyName(document, NOW);
        return accepted;
    }

    private static void use(NameDocument read, LockKind kind) {
        Sane.check(NameDocument.RULES.status(read.state(), NOW));
        Mode mode = kind == LockKind.SEMAPHORE ? new Mode.Permits(1, 1) : Mode.exclusive();
        if (kind == LockKind.LATCH) {
            return;
        }
        Claim claim = Claim.of(read.state().id(), mode, STRANGER, Duration.ofSeconds(30), Party.UNKNOWN);
        Fuzz.refusal(IllegalStateException.class, () -> {
            Attempt answer =
                    NameDocument.RULES.acquire(read.state(), claim, "", NOW).answer();
            if (kind != LockKind.SEMAPHORE && !read.state().holders().isEmpty()) {
                assertThat(answer).isInstanceOf(Attempt.Busy.class);
            }
        });
    }
}
