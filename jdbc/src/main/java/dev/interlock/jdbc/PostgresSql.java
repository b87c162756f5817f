package dev.interlock.jdbc;

/** The statements that PostgreSQL has in its own way. */
final class PostgresSql {

    /** Not {@code now()}, which is the time at which the transaction began. */
    private static final String NOW = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";

    private static final String END_OF_RANGE = ":prefix || CAST('\\xff' AS BYTEA)";

    /**
     * For the transaction of this statement alone: a commit that does not wait for the disk. What ends a claim may be forgotten in a crash, since the claim ends
     * then with its lease. What grants one may not.
     */
    private static final String WITHOUT_WAITING = "set_config('synchronous_commit', 'off', true)";

    /**
     * One round trip. The row is the lock: whoever comes second waits for the first to commit, and then looks at the row that the first has left. So a
     * condition on another table, which would be looked at as it was before, decides nothing here.
     */
    private static final String TAKE =
            """
            WITH taken AS (
              INSERT INTO {p}_lock AS held_lock
                (name, kind, owner, held, mode, fence, since_ms, until_ms, lease_ms, listed_ms, amount, kept_ms,
                 host, pid, application, thread)
              VALUES
                (:name, :kind, :owner, 1, 'X', greatest({last_fence} + 1, least({now} * 1000, 8000000000000000)),
                 {now}, {now} + :lease, :lease, 0, 0, 0, :host, :pid, :application, :thread)
              ON CONFLICT (name, kind) DO UPDATE SET
                fence = CASE
                  WHEN held_lock.held = 1 AND held_lock.owner = excluded.owner AND held_lock.until_ms > excluded.since_ms
                  THEN held_lock.fence ELSE greatest(held_lock.fence + 1, excluded.fence) END,
                since_ms = CASE
                  WHEN held_lock.held = 1 AND held_lock.owner = excluded.owner AND held_lock.until_ms > excluded.since_ms
                  THEN held_lock.since_ms ELSE excluded.since_ms END,
                held = 1,
                mode = excluded.mode,
                owner = excluded.owner,
                until_ms = excluded.until_ms,
                lease_ms = excluded.lease_ms,
                host = excluded.host,
                pid = excluded.pid,
                application = excluded.application,
                thread = excluded.thread
              WHERE held_lock.owner = excluded.owner OR held_lock.until_ms <= excluded.since_ms
              RETURNING fence),
            unlisted AS (
              DELETE FROM {p}_claim
              WHERE name = :name AND kind = :kind AND owner = :owner AND state IN ('W', 'T', 'O') AND EXISTS (SELECT 1 FROM taken))
            SELECT fence FROM taken
            """
                    .replace("{last_fence}", CommonSql.LAST_FENCE);

    /** Who was called on a channel, perhaps before somebody listened. A hint too many costs one look. */
    static final String MISSED = "SELECT name, kind, owner FROM {p}_claim WHERE channel = ? AND state IN ('T', 'O')";

    private PostgresSql() {}

    /** The text of a step. */
    static String of(Step step) {
        String text =
                switch (step) {
                    case TAKE -> TAKE;
                    case END -> CommonSql.of(step) + " AND " + WITHOUT_WAITING + " = 'off'";
                    case LOCK_TO_END -> CommonSql.of(step).replace("SELECT 1", "SELECT " + WITHOUT_WAITING);
                    case ENSURE -> "INSERT " + CommonSql.NEW_NAME + " ON CONFLICT DO NOTHING";
                    case WAKE -> "SELECT pg_notify(:channel, :payload)";
                    default -> CommonSql.of(step);
                };
        return text.replace("{now}", NOW).replace("{end}", END_OF_RANGE);
    }
}
