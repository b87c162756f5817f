package dev.interlock.jdbc.dialect;

/** The statements that differ on PostgreSQL. */
final class PostgresSql {

    /**
     * Not {@code now()}, which is the time at which the transaction began; nor {@code extract}, which computes in
     * decimals and takes longer for the same microseconds.
     */
    private static final String NOW = "CAST(date_part('epoch', clock_timestamp()) * 1000 AS BIGINT)";

    /** Without a backslash, whose meaning depends on {@code standard_conforming_strings}. */
    private static final String END_OF_RANGE = ":prefix || decode('ff', 'hex')";

    /**
     * For the transaction of this statement alone: its commit does not wait for the disk. A statement that ends a claim
     * may be forgotten in a crash, since the claim then ends with its lease. A grant may not.
     */
    private static final String WITHOUT_WAITING = "set_config('synchronous_commit', 'off', true)";

    /** The smallest fence of a new grant, if the last one is smaller. */
    private static final String TIME_FENCE = "least({now} * 1000, 8000000000000000)";

    /**
     * The row is the lock: a second transaction waits until the first one commits, and then checks the row that the
     * first one has left. So a condition on another table, which would be checked on the old snapshot, must not decide.
     * If the lock is busy, nothing is written. A fence that leaves no larger one is refused by the rules of the name,
     * not here.
     */
    private static final String TAKEN =
            """
            UPDATE {p}_lock SET
              fence = CASE WHEN held = 1 AND owner = :owner AND until_ms > {now}
                THEN fence ELSE greatest(fence + 1, {time_fence}) END,
              since_ms = CASE WHEN held = 1 AND owner = :owner AND until_ms > {now} THEN since_ms ELSE {now} END,
              held = 1, mode = 'X', owner = :owner, until_ms = {now} + :lease, lease_ms = :lease,
              host = :host, pid = :pid, application = :application, thread = :thread
            WHERE name = :name AND kind = :kind AND (owner = :owner OR until_ms <= {now}) AND fence < 9007199254740991
            RETURNING fence
            """
                    .replace("{time_fence}", TIME_FENCE);

    /**
     * Leaves out what a first acquire does not need, because PostgreSQL prepares each expression anew for each call. A
     * claim that asks again uses another statement.
     */
    private static final String ACQUIRE_EXISTING =
            """
            UPDATE {p}_lock SET
              fence = greatest(fence + 1, {time_fence}), since_ms = {now},
              held = 1, mode = 'X', owner = :owner, until_ms = {now} + :lease, lease_ms = :lease,
              host = :host, pid = :pid, application = :application, thread = :thread
            WHERE name = :name AND kind = :kind AND until_ms <= {now} AND listed_ms <= {now}
              AND fence < 9007199254740991
            RETURNING fence
            """
                    .replace("{time_fence}", TIME_FENCE);

    /** The holder is not listed as waiting any more. */
    private static final String TAKEN_OFF_THE_LIST = "WITH taken AS (" + TAKEN
            + """
            ), unlisted AS (
              DELETE FROM {p}_claim
              WHERE name = :name AND kind = :kind AND owner = :owner AND state IN ('W', 'T', 'O')
                AND EXISTS (SELECT 1 FROM taken))
            """;

    /** Inserts a row if the name has none; if another client is faster, the lock is busy. */
    private static final String ACQUIRE = TAKEN_OFF_THE_LIST
            + """
            , made AS (
              INSERT INTO {p}_lock
                (name, kind, owner, held, mode, fence, since_ms, until_ms, lease_ms, listed_ms, amount, kept_ms,
                 host, pid, application, thread)
              SELECT :name, :kind, :owner, 1, 'X', greatest(deleted.fence + 1, {time_fence}), {now}, {now} + :lease,
                :lease, 0, 0, 0, :host, :pid, :application, :thread
              FROM (SELECT coalesce(max(last), 0) AS fence FROM {p}_fence) deleted
              WHERE deleted.fence < 9007199254740991
                AND NOT EXISTS (SELECT 1 FROM {p}_lock WHERE name = :name AND kind = :kind)
              ON CONFLICT DO NOTHING
              RETURNING fence)
            SELECT fence FROM taken UNION ALL SELECT fence FROM made
            """
                    .replace("{time_fence}", TIME_FENCE);

    /** Reads the rows as they were before. */
    private static final String ACQUIRE_OR_LOAD =
            TAKEN_OFF_THE_LIST + CommonSql.LOAD.replace("{more}", ", (SELECT fence FROM taken)");

    /** Skips a row that another transaction has locked. */
    private static final String UNLESS_LOCKED =
            " AND EXISTS (SELECT 1 FROM {p}_%s WHERE name = :name AND kind = :kind%s FOR UPDATE SKIP LOCKED)";

    /**
     * Fails if it writes no row, so that a commit in the same request is not executed: the server skips the rest of a
     * request after an error.
     */
    private static final String WRITING_ONE = "WITH written AS (%s RETURNING 1) SELECT 1 / count(*) FROM written";

    private PostgresSql() {}

    /** The text of a statement. */
    static String of(SqlStatement statement) {
        String text =
                switch (statement) {
                    case ACQUIRE -> ACQUIRE;
                    case ACQUIRE_EXISTING -> ACQUIRE_EXISTING;
                    case ACQUIRE_OR_LOAD -> ACQUIRE_OR_LOAD;
                    case RELEASE -> CommonSql.of(statement) + " AND " + WITHOUT_WAITING + " = 'off'";
                    case LOCK_TO_RELEASE -> CommonSql.of(statement).replace("SELECT 1", "SELECT " + WITHOUT_WAITING);
                    case INSERT_NAME -> "INSERT " + CommonSql.NEW_NAME + " ON CONFLICT DO NOTHING";
                    case INSERT_CLAIM, UPDATE_CLAIM, UPDATE_NAME, UPDATE_HOLDER ->
                        WRITING_ONE.formatted(CommonSql.of(statement));
                    case NOTIFY -> "SELECT pg_notify(:channel, :payload)";
                    case SWEEP_CLAIM, RENEW_UNLOCKED_CLAIM ->
                        CommonSql.of(statement) + UNLESS_LOCKED.formatted("claim", " AND owner = :owner");
                    case SWEEP_NAME, RENEW_UNLOCKED_HOLDER ->
                        CommonSql.of(statement) + UNLESS_LOCKED.formatted("lock", "");
                    default -> CommonSql.of(statement);
                };
        return text.replace("{now}", NOW).replace("{end}", END_OF_RANGE).replaceAll(CommonSql.LIMIT, "LIMIT $1");
    }
}
