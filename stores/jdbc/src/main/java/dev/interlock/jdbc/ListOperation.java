package dev.interlock.jdbc;

import dev.interlock.LockStatus;
import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Log;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Lists the names in use, in parts: each reads a window of the names from a cursor on, and then inspects by itself each
 * that is in use; one that is released in between is left out. Reads only, without any lock in the database, and takes
 * as long however many names are stored. Not thread-safe: the parts run one after the other.
 */
final class ListOperation {

    /** How many names one part looks at: some milliseconds of the server's time. */
    private static final int WINDOW = 4_096;

    /** How many names one part inspects. */
    private static final int INSPECTED = 100;

    /** A name that is longer is none of ours, and may have been cut when it was read. */
    private static final int LONGEST = 512;

    private static final String LAST_CHARACTER = Character.toString(Character.MAX_CODE_POINT);

    private final String prefix;
    private final int limit;
    private final List<LockStatus> listed = new ArrayList<>();
    private Row cursor;

    /** A list of the first names that begin so. */
    ListOperation(String prefix, int limit) {
        this.prefix = prefix;
        this.limit = limit;
        // Before all kinds of the name that is the prefix itself.
        this.cursor = new Row(prefix, "", false, 0, 0);
    }

    /** Reads the next part; returns whether it was the last. */
    boolean read(Session session) throws SQLException {
        int wanted = Math.min(INSPECTED, limit - listed.size());
        List<Row> rows = window(session, wanted + 1);
        List<LockStatus> found = new ArrayList<>();
        int used = 0;
        for (Row row : rows) {
            if (row.used() && used++ < wanted) {
                inspected(session, row).ifPresent(found::add);
            }
        }
        // Nothing is kept of a part that fails: it may run again.
        listed.addAll(found);
        if (used > wanted) {
            // The last one is not inspected yet.
            rows = rows.subList(0, wanted);
        }
        if (rows.isEmpty() || listed.size() >= limit) {
            return true;
        }
        cursor = rows.get(rows.size() - 1);
        return cursor.place() == 1 && cursor.number() < WINDOW;
    }

    /** All that was found, in the order of the names. */
    List<LockStatus> listed() {
        listed.sort(Comparator.comparing(LockStatus::name).thenComparing(LockStatus::kind));
        return List.copyOf(listed);
    }

    private List<Row> window(Session session, int most) throws SQLException {
        Parameters values = new Parameters()
                .withName("prefix", prefix)
                .withName("name", after(cursor.name()))
                .with("kind", after(cursor.kind()))
                .with("window", WINDOW)
                .with("most", most);
        WholeAnswer answer = new WholeAnswer();
        List<Row> rows = session.query(SqlStatement.CATALOG, values, row -> {
            answer.add(row.getLong(1));
            String kind = row.getString(3);
            String name = kind == null ? "" : session.dialect().decodedName(row, 2);
            return new Row(name, kind == null ? "" : kind, row.getInt(4) == 1, row.getInt(5), row.getLong(6));
        });
        answer.check();
        // Without a name the window is empty.
        return rows.get(0).kind().isEmpty() && rows.get(0).number() == 0 ? List.of() : rows;
    }

    /** Empty also if it is not a valid name or kind: anybody may have written such a row. */
    private static Optional<LockStatus> inspected(Session session, Row row) throws SQLException {
        LockId id;
        try {
            id = new LockId(row.name(), LockKind.valueOf(row.kind()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        try {
            return new InspectOperation(session)
                    .found(id)
                    .filter(status -> status.isLocked() || (id.kind() == LockKind.LATCH && status.count() > 0));
        } catch (UnreadableNameException e) {
            // One name that cannot be read does not hide the others.
            Log.of(ListOperation.class)
                    .log(System.Logger.Level.WARNING, "A name is missing in a list: " + e.getMessage());
            return Optional.empty();
        }
    }

    /** What the next window begins behind: a text that may have been cut is before the whole one. */
    private static String after(String text) {
        return text.length() > LONGEST ? text + LAST_CHARACTER : text;
    }

    /**
     * A name of a window.
     *
     * @param number how many names the window has
     * @param place its place from the end of the window on, from 1
     */
    private record Row(String name, String kind, boolean used, int number, long place) {}
}
