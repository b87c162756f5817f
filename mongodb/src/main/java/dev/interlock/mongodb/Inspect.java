package dev.interlock.mongodb;

import com.mongodb.client.MongoCursor;
import dev.interlock.LockStatus;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bson.Document;

/**
 * The verb inspect, and the catalog: reads at a time of the server that is asked for first, so that what was over then
 * is over.
 */
final class Inspect {

    private Inspect() {}

    static LockStatus one(Documents documents, LockId id) {
        long now = documents.now();
        Name name = documents.read(id, now);
        return (name == null ? Name.read(id, new Document(), now) : name).status();
    }

    static List<LockStatus> list(Documents documents, String prefix, int limit) {
        long now = documents.now();
        List<LockStatus> found = new ArrayList<>();
        for (LockKind kind : LockKind.values()) {
            found.addAll(list(documents, kind, prefix, limit, now));
        }
        return found.stream()
                .sorted(Comparator.comparing(LockStatus::name).thenComparing(LockStatus::kind))
                .limit(limit)
                .toList();
    }

    private static List<LockStatus> list(Documents documents, LockKind kind, String prefix, int limit, long now) {
        List<LockStatus> found = new ArrayList<>();
        try (MongoCursor<Document> next = documents.from(kind, prefix)) {
            while (next.hasNext() && found.size() < limit) {
                Name name = Documents.found(next.next(), now);
                if (name == null) {
                    continue;
                }
                if (!name.id.name().startsWith(prefix)) {
                    break;
                }
                LockStatus status = name.status();
                if (status.isLocked() || (kind == LockKind.LATCH && status.count() > 0)) {
                    found.add(status);
                }
            }
        }
        return found;
    }
}
