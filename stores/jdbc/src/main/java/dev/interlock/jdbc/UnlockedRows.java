package dev.interlock.jdbc;

import dev.interlock.jdbc.dialect.SqlStatement;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Updates or deletes rows, but skips those that another transaction has locked. */
final class UnlockedRows {

    private final Session session;

    /** Locks the rows that are not locked. */
    private final SqlStatement tryLock;

    private UnlockedRows(Session session, SqlStatement tryLock) {
        this.session = session;
        this.tryLock = tryLock;
    }

    static UnlockedRows ofNames(Session session) {
        return new UnlockedRows(session, SqlStatement.TRY_LOCK_NAMES);
    }

    static UnlockedRows ofClaims(Session session) {
        return new UnlockedRows(session, SqlStatement.TRY_LOCK_CLAIMS);
    }

    /**
     * Runs a statement for each of these parameters; returns the row count of each. Within a transaction, unless
     * {@link Dialect#skipsLockedRows()}.
     */
    int[] updateAll(SqlStatement statement, List<Parameters> all) throws SQLException {
        if (all.isEmpty()) {
            return new int[0];
        }
        if (session.dialect().skipsLockedRows()) {
            return session.updateAll(statement, all);
        }
        Set<Key> locked = locked(all);
        int[] own =
                all.stream().mapToInt(row -> locked.contains(key(row)) ? 1 : 0).toArray();
        List<Parameters> written =
                all.stream().filter(row -> locked.contains(key(row))).toList();
        int[] counts = written.isEmpty() ? new int[0] : session.updateAll(statement, written);
        for (int i = 0, next = 0; i < own.length; i++) {
            own[i] = own[i] == 1 ? counts[next++] : 0;
        }
        return own;
    }

    private Set<Key> locked(List<Parameters> all) throws SQLException {
        Set<Key> locked = new HashSet<>();
        int atOnce = session.dialect().tryLockBatch();
        for (int from = 0; from < all.size(); from += atOnce) {
            locked.addAll(session.query(
                    tryLock,
                    several(all, from, atOnce),
                    row -> new Key(session.dialect().decodedName(row, 1), row.getString(2), row.getString(3))));
        }
        return locked;
    }

    /** Always the same number of rows, by repeating the last one: so one prepared statement is enough. */
    private static Parameters several(List<Parameters> all, int from, int count) {
        Parameters several = new Parameters();
        for (int i = 0; i < count; i++) {
            Parameters row = all.get(Math.min(from + i, all.size() - 1));
            for (String part : List.of("name", "kind", "owner")) {
                several.with(part + i, row.get(part));
            }
        }
        return several;
    }

    private Key key(Parameters row) {
        String owner =
                tryLock == SqlStatement.TRY_LOCK_NAMES ? "" : row.get("owner").toString();
        return new Key(
                ((Parameters.Name) row.get("name")).text(), row.get("kind").toString(), owner);
    }

    /** Identifies a row; the owner of a name is empty. */
    private record Key(String name, String kind, String owner) {}
}
