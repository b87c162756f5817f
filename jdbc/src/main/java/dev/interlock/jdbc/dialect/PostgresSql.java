package dev.interlock.jdbc.dialect;

/** The statements that PostgreSQL has in its own way. */
final class PostgresSql {

    /**
     * Not {@code now()}, which is the time at which the transaction began; nor {@code extract}, which counts in
     * decimals and takes longer for the same microseconds.
     */
    private static final String NOW = "CAST(date_part('epoch', clock_timestamp()) * 1000 AS BIGINT)";

    private static final String END_OF_RANGE = ":prefix || CAST('\\xff' AS BYTEA)";

    /**
     * For the transaction of this statement alone: a commit that does not wait for the disk. What ends a claim may be
     * forgotten in a crash, since the claim ends then with its lease. What grants one may not.
     */
    private static final String WITHOUT_WAITING = "set_config('synchronous_commit', 'off', true)";

    /** The fence of a new grant, but for the last one before it. */
    private static final String TIME_FENCE = "least({now} * 1000, 8000000000000000)";

    /**
     * The row is the lock: whoever comes second waits for the first to commit, and then looks at the row that the first
     * has left. So a condition on another table, which would be looked at as it was before, decides nothing here. Where
     * the lock is busy nothing is written. A fence that leaves no larger one is for {@link NameState#nextFence} to
     * refuse.
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
     * What is not for a claim that asks for the first time is left out: each expression is made ready anew for each
     * call. A claim that asks again goes another way.
     */
    private static final String TAKE_AGAIN =
            """
            UPDATE {p}_lock SET
              fence = greatest(fence + 1, {time_fence}), since_ms = {now},
              held = 1, mode = 'X', owner = :owner, until_ms = {now} + :lease, lease_ms = :lease,
              host = :host, pid = :pid, application = :application, thread = :thread
            WHERE name = :name AND kind = :kind AND until_ms <= {now} AND listed_ms <= {now} AND fence < 9007199254740991
            RETURNING fence
            """
                    .replace("{time_fence}", TIME_FENCE);

    /** Whoever has it is listed no more. */
    private static final String TAKEN_OFF_THE_LIST = "WITH taken AS (" + TAKEN
            + """
            ), unlisted AS (
              DELETE FROM {p}_claim
              WHERE name = :name AND kind = :kind AND owner = :owner AND state IN ('W', 'T', 'O') AND EXISTS (SELECT 1 FROM taken))
            """;

    /** A name that has no row gets one; if another client is faster, the lock is busy. */
    private static final String TAKE = TAKEN_OFF_THE_LIST
            + """
            , made AS (
              INSERT INTO {p}_lock
                (name, kind, owner, held, mode, fence, since_ms, until_ms, lease_ms, listed_ms, amount, kept_ms,
                 host, pid, application, thread)
              SELECT :name, :kind, :owner, 1, 'X', greatest({last_fence} + 1, {time_fence}), {now}, {now} + :lease, :lease, 0, 0, 0,
                :host, :pid, :application, :thread
              WHERE NOT EXISTS (SELECT 1 FROM {p}_lock WHERE name = :name AND kind = :kind)
              ON CONFLICT DO NOTHING
              RETURNING fence)
            SELECT fence FROM taken UNION ALL SELECT fence FROM made
            """
                    .replace("{last_fence}", CommonSql.LAST_FENCE)
                    .replace("{time_fence}", TIME_FENCE);

    /** What is read is what was there before. */
    private static final String TAKE_OR_LOAD =
            TAKEN_OFF_THE_LIST + CommonSql.LOAD.replace("{more}", ", (SELECT fence FROM taken)");

    /** A row that is in another's hands is not waited for. */
    private static final String UNLESS_LOCKED =
            " AND EXISTS (SELECT 1 FROM {p}_%s WHERE name = :name AND kind = :kind%s FOR UPDATE SKIP LOCKED)";

    private PostgresSql() {}

    /** The text of a step. */
    static String of(SqlStatement step) {
        String text =
                switch (step) {
                    case TAKE -> TAKE;
                    case TAKE_AGAIN -> TAKE_AGAIN;
                    case TAKE_OR_LOAD -> TAKE_OR_LOAD;
                    case END -> CommonSql.of(step) + " AND " + WITHOUT_WAITING + " = 'off'";
                    case LOCK_TO_END -> CommonSql.of(step).replace("SELECT 1", "SELECT " + WITHOUT_WAITING);
                    case ENSURE -> "INSERT " + CommonSql.NEW_NAME + " ON CONFLICT DO NOTHING";
                    case WAKE -> "SELECT pg_notify(:channel, :payload)";
                    case SWEEP_CLAIM, RENEW_UNLOCKED_CLAIM ->
                        CommonSql.of(step) + UNLESS_LOCKED.formatted("claim", " AND owner = :owner");
                    case SWEEP_NAME, RENEW_UNLOCKED_HOLDER -> CommonSql.of(step) + UNLESS_LOCKED.formatted("lock", "");
                    default -> CommonSql.of(step);
                };
        return text.replace("{now}", NOW).replace("{end}", END_OF_RANGE);
    }
}
