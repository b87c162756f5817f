package dev.interlock.jdbc.dialect;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The statements that all databases understand. {@code {now}} is the clock of the database in milliseconds since 1970;
 * {@code {end}} is greater than all names that begin with {@code :prefix}; {@code {limit n}} is how the database writes
 * that a query returns the first {@code n} rows. MariaDB and MySQL look up no row by a comparison of several columns,
 * and need one of the first column besides: else they would read all rows before the cursor.
 */
final class CommonSql {

    private static final String THIS_NAME = " WHERE name = :name AND kind = :kind";

    private static final String THIS_CLAIM = THIS_NAME + " AND owner = :owner";

    private static final String NAME_COLUMNS =
            """
            owner = :owner, held = :held, mode = :mode, fence = :fence, since_ms = :since, until_ms = :until,
              lease_ms = :lease, listed_ms = :listed, amount = :amount, kept_ms = :kept""";

    /**
     * Leaves out the other owners that have counted a latch down: there may be very many, and none is needed.
     *
     * <p>The answer proves that it is whole: it has at least one row, with nulls if there is no such name, and each row
     * has the number of claims. A setting of the session, a driver or a proxy may cut it short, and who counts holders
     * that it has not seen would let in too many.
     *
     * <p>A name of which others have stored millions of claims costs no more than one with the most that are read: no
     * more are counted, and then none is looked up.
     */
    static final String LOAD =
            """
            SELECT {now}, k.number, n.owner, n.held, n.mode, n.fence, n.since_ms, n.until_ms, n.lease_ms,
              n.listed_ms, n.amount, n.kept_ms,
              c.owner, c.state, c.mode, c.permits, c.fence, c.since_ms, c.until_ms, c.lease_ms, c.arrival,
              c.channel{more}
            FROM (SELECT COUNT(*) AS number FROM (SELECT 1 AS one FROM {p}_claim
              WHERE name = :name AND kind = :kind AND (state <> 'C' OR owner = :owner) {limit {beyond}}) o) k
            LEFT JOIN {p}_lock n ON n.name = :name AND n.kind = :kind
            LEFT JOIN {p}_claim c ON c.name = CASE WHEN k.number <= {most} THEN n.name END AND c.kind = n.kind
              AND (c.state <> 'C' OR c.owner = :owner)
            {limit {beyond}}
            """
                    .replace("{beyond}", String.valueOf(Dialect.MOST_ROWS + 1))
                    .replace("{most}", String.valueOf(Dialect.MOST_ROWS));

    private static final String PARTIES =
            ", n.host, n.pid, n.application, n.thread, c.host, c.pid, c.application, c.thread";

    private static final String IS_UNUSED = "until_ms <= {now} AND listed_ms <= {now} AND kept_ms <= {now}";

    /** The last fence of all names that were deleted: a new name begins above it. */
    static final String LAST_FENCE = "coalesce((SELECT max(last) FROM {p}_fence), 0)";

    /** A name of which only the fence is known. */
    static final String NEW_NAME =
            """
            INTO {p}_lock (name, kind, owner, held, mode, fence, since_ms, until_ms, lease_ms, listed_ms, amount,
              kept_ms, host, pid, application, thread)
            VALUES (:name, :kind, '', 0, 'X', {last_fence}, 0, 0, 0, 0, 0, 0, '', 0, '', '')"""
                    .replace("{last_fence}", LAST_FENCE);

    /** A limit of rows: MySQL knows no other form than {@code LIMIT}, and some modes of H2 do not know that. */
    static final String LIMIT = "\\{limit (:?\\w+)}";

    private CommonSql() {}

    /** The text of a statement. */
    static String of(SqlStatement statement) {
        return switch (statement) {
            case ACQUIRE, ACQUIRE_EXISTING, ACQUIRE_OR_LOAD, NOTIFY, INSERT_NAME ->
                throw new IllegalArgumentException(
                        "A statement that this database does not have, or has in its own way: " + statement);
            case RELEASE ->
                "UPDATE {p}_lock SET owner = '', held = 0, since_ms = 0, until_ms = 0, lease_ms = 0" + THIS_CLAIM
                        + " AND held = 1 AND until_ms > {now} AND listed_ms <= {now}";
            case LOCK_NAME, LOCK_TO_RELEASE -> "SELECT 1 FROM {p}_lock" + THIS_NAME + " FOR UPDATE";
            case TRY_LOCK_NAMES, TRY_LOCK_CLAIMS -> tryLock(statement, 1);
            case LOAD -> LOAD.replace("{more}", "");
            case INSPECT -> LOAD.replace("{more}", PARTIES);
            case UPDATE_NAME -> "UPDATE {p}_lock SET " + NAME_COLUMNS + THIS_NAME;
            case UPDATE_HOLDER ->
                "UPDATE {p}_lock SET " + NAME_COLUMNS
                        + ", host = :host, pid = :pid, application = :application, thread = :thread" + THIS_NAME;
            case DELETE_NAME -> "DELETE FROM {p}_lock" + THIS_NAME;
            case INSERT_CLAIM ->
                """
                INSERT INTO {p}_claim (name, kind, owner, state, mode, permits, fence, since_ms, until_ms, lease_ms,
                  arrival, channel, host, pid, application, thread)
                VALUES (:name, :kind, :owner, :state, :mode, :permits, :fence, :since, :until, :lease, :arrival,
                  :channel, :host, :pid, :application, :thread)
                """;
            case UPDATE_CLAIM ->
                """
                UPDATE {p}_claim SET state = :state, mode = :mode, permits = :permits, fence = :fence,
                  since_ms = :since, until_ms = :until, lease_ms = :lease, arrival = :arrival, channel = :channel"""
                        + THIS_CLAIM;
            case DELETE_CLAIM -> "DELETE FROM {p}_claim" + THIS_CLAIM;
            case COMMIT -> "COMMIT";
            case DELETE_COUNTED -> "DELETE FROM {p}_claim" + THIS_NAME + " AND state = 'C'";
            case RENEW_HOLDER, RENEW_UNLOCKED_HOLDER ->
                "UPDATE {p}_lock SET until_ms = {now} + :lease, lease_ms = :lease" + THIS_CLAIM
                        + " AND held = 1 AND until_ms > {now}";
            case RENEW_CLAIM, RENEW_UNLOCKED_CLAIM ->
                "UPDATE {p}_claim SET until_ms = {now} + :lease, lease_ms = :lease" + THIS_CLAIM
                        + " AND state = 'H' AND until_ms > {now}";
            case CATALOG ->
                """
                SELECT COUNT(*) OVER (), u.name, u.kind, u.used, u.number, u.place
                FROM (SELECT 1 AS one) o LEFT JOIN (SELECT p.name, p.kind, p.used, p.number, p.place
                  FROM (SELECT n.name, n.kind, n.used, COUNT(*) OVER () AS number,
                      ROW_NUMBER() OVER (ORDER BY n.name DESC, n.kind DESC) AS place
                    FROM (SELECT n.name, n.kind, CASE WHEN (n.held = 1 AND n.until_ms > {now})
                        OR (n.kind = 'LATCH' AND n.amount > 0 AND n.kept_ms > {now})
                        OR EXISTS (SELECT 1 FROM {p}_claim c
                          WHERE c.name = n.name AND c.kind = n.kind AND c.state = 'H' AND c.until_ms > {now})
                        THEN 1 ELSE 0 END AS used
                      FROM {p}_lock n
                      WHERE n.name >= :name AND n.name < {end} AND (n.name, n.kind) > (:name, :kind)
                      ORDER BY n.name, n.kind {limit :window}) n) p
                  WHERE p.used = 1 OR p.place = 1 ORDER BY p.name, p.kind {limit :most}) u ON 1 = 1
                ORDER BY u.name, u.kind {limit :most}
                """;
            case PAGE_CLAIMS ->
                """
                SELECT name, kind, owner, CASE WHEN until_ms <= {now} THEN 1 ELSE 0 END FROM {p}_claim
                WHERE name >= :name AND (name, kind, owner) > (:name, :kind, :owner)
                ORDER BY name, kind, owner {limit :window}
                """;
            case SWEEP_CLAIM -> "DELETE FROM {p}_claim" + THIS_CLAIM + " AND until_ms <= {now}";
            case PAGE_NAMES ->
                "SELECT name, kind, fence, CASE WHEN " + IS_UNUSED
                        + " AND fence <= ({now} - :unused) * 1000 THEN 1 ELSE 0 END FROM {p}_lock"
                        + " WHERE name >= :name AND (name, kind) > (:name, :kind) ORDER BY name, kind {limit :window}";
            case RAISE_FENCE -> "UPDATE {p}_fence SET last = :fence WHERE last < :fence";
            case SWEEP_NAME ->
                "DELETE FROM {p}_lock" + THIS_NAME + " AND fence = :fence AND " + IS_UNUSED
                        + " AND NOT EXISTS (SELECT 1 FROM {p}_claim c"
                        + " WHERE c.name = {p}_lock.name AND c.kind = {p}_lock.kind)";
        };
    }

    /**
     * The text of {@link SqlStatement#TRY_LOCK_NAMES} or {@link SqlStatement#TRY_LOCK_CLAIMS} for so many rows. Their
     * parameters are numbered: {@code :name0}, {@code :name1}.
     */
    static String tryLock(SqlStatement statement, int rows) {
        boolean ofNames = statement == SqlStatement.TRY_LOCK_NAMES;
        String which = "(name = :name# AND kind = :kind#" + (ofNames ? ")" : " AND owner = :owner#)");
        return (ofNames ? "SELECT name, kind, '' FROM {p}_lock" : "SELECT name, kind, owner FROM {p}_claim")
                + IntStream.range(0, rows)
                        .mapToObj(number -> which.replace("#", String.valueOf(number)))
                        .collect(Collectors.joining(" OR ", " WHERE ", ""))
                + " FOR UPDATE SKIP LOCKED";
    }
}
