package dev.interlock.jdbc.session;

import dev.interlock.jdbc.dialect.SqlStatement;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes rows of a table, but for those that another transaction has locked: they are passed by, and nobody waits for
 * them.
 */
public final class UnlockedRows {

    private final Session session;

    /** Locks those that it can have. */
    private final SqlStatement tryLock;

    private UnlockedRows(Session session, SqlStatement tryLock) {
        this.session = session;
        this.tryLock = tryLock;
    }

    public static UnlockedRows ofNames(Session session) {
        return new UnlockedRows(session, SqlStatement.TRY_LOCK);
    }

    public static UnlockedRows ofClaims(Session session) {
        return new UnlockedRows(session, SqlStatement.TRY_LOCK_CLAIM);
    }

    /**
     * Runs a step for each of these; how many rows each has written. Within a transaction, but where
     * {@link Dialect#passesByLocks()}.
     */
    public int[] updateAll(SqlStatement step, List<Parameters> all) throws SQLException {
        if (all.isEmpty()) {
            return new int[0];
        }
        if (session.dialect().passesByLocks()) {
            return session.updateAll(step, all);
        }
        Set<Key> locked = locked(all);
        int[] own =
                all.stream().mapToInt(row -> locked.contains(key(row)) ? 1 : 0).toArray();
        List<Parameters> written =
                all.stream().filter(row -> locked.contains(key(row))).toList();
        int[] counts = written.isEmpty() ? new int[0] : session.updateAll(step, written);
        for (int i = 0, next = 0; i < own.length; i++) {
            own[i] = own[i] == 1 ? counts[next++] : 0;
        }
        return own;
    }

    private Set<Key> locked(List<Parameters> all) throws SQLException {
        Set<Key> locked = new HashSet<>();
        int atOnce = session.dialect().triedAtOnce();
        for (int from = 0; from < all.size(); from += atOnce) {
            locked.addAll(session.query(
                    tryLock,
                    several(all, from, atOnce),
                    row -> new Key(session.dialect().name(row, 1), row.getString(2), row.getString(3))));
        }
        return locked;
    }

    /** Always as many, the last one again and again: so it is one statement to be kept prepared. */
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
        String owner = tryLock == SqlStatement.TRY_LOCK ? "" : row.get("owner").toString();
        return new Key(
                ((Parameters.Name) row.get("name")).text(), row.get("kind").toString(), owner);
    }

    /** Which row it is; of a name there is no owner. */
    private record Key(String name, String kind, String owner) {}
}
