package dev.interlock.jdbc;

import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The verb inspect, and the catalog: one read each, without any lock in the database. */
final class Inspect {

    private final Session session;

    Inspect(Session session) {
        this.session = session;
    }

    LockStatus one(LockId id) throws SQLException {
        Values values =
                new Values().with("name", id.name()).with("kind", id.kind().name());
        List<Entry> entries = session.query(Step.INSPECT, values, Entry::read);
        return status(id.name(), entries);
    }

    List<LockStatus> list(String prefix, int limit) throws SQLException {
        Values values = new Values().with("prefix", prefix).with("limit", limit).with("kind", LockKind.LOCK.name());
        Map<String, List<Entry>> byName = new LinkedHashMap<>();
        for (Entry entry : session.query(Step.CATALOG, values, Entry::read)) {
            byName.computeIfAbsent(entry.name, name -> new ArrayList<>()).add(entry);
        }
        return byName.entrySet().stream()
                .map(e -> status(e.getKey(), e.getValue()))
                .toList();
    }

    private static LockStatus status(String name, List<Entry> entries) {
        return new LockStatus(
                name,
                entries.stream().filter(Entry::held).map(Entry::holder).toList(),
                entries.stream().filter(e -> !e.held).map(Entry::waiter).toList());
    }

    /** A holder or a waiter. */
    private record Entry(
            String name, boolean held, String owner, Party party, Duration age, Duration left, long fence) {

        /** A token is a fence with room for the hand-overs within one claim. */
        private static final long TOKENS_PER_FENCE = LockOptions.MAX_HAND_OVERS + 1L;

        static Entry read(ResultSet row) throws SQLException {
            Party party = new Party(
                    row.getString("host"), row.getLong("pid"), row.getString("application"), row.getString("thread"));
            return new Entry(
                    row.getString("name"),
                    row.getBoolean("held"),
                    row.getString("owner"),
                    party,
                    // A clock that was set back would make it negative.
                    Duration.ofMillis(Math.max(0, row.getLong("age_ms"))),
                    Duration.ofMillis(row.getLong("left_ms")),
                    row.getLong("fence"));
        }

        LockStatus.Holder holder() {
            return new LockStatus.Holder(owner, party, age, left, fence * TOKENS_PER_FENCE);
        }

        LockStatus.Waiter waiter() {
            return new LockStatus.Waiter(owner, party, age);
        }
    }
}
