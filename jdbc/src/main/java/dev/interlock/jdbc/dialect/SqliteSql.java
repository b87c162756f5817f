package dev.interlock.jdbc.dialect;

/** The statements that differ on SQLite. Together they are all that happens in a file while locks are free. */
final class SqliteSql {

    /** The clock, with a resolution of 1 ms. Rounded, because the seconds are a binary fraction. */
    private static final String NOW = "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)";

    /**
     * The byte FF ends no text in UTF-8 and is greater than all of them: the range is exactly the names with the
     * prefix.
     */
    private static final String END_OF_RANGE = ":prefix || CAST(x'FF' AS TEXT)";

    /**
     * A trigger removes the holder from the waiting claims. A fence that leaves no larger one is refused by the rules
     * of the name, not here.
     */
    private static final String ACQUIRE =
            """
            INSERT INTO {p}_lock
              (name, kind, owner, held, mode, fence, since_ms, until_ms, lease_ms, listed_ms, amount, kept_ms,
               host, pid, application, thread)
            VALUES
              (:name, :kind, :owner, 1, 'X', max({last_fence} + 1, min({now} * 1000, 8000000000000000)), {now},
                {now} + :lease, :lease, 0, 0, 0, :host, :pid, :application, :thread)
            ON CONFLICT (name, kind) DO UPDATE SET
              fence = CASE WHEN held AND owner = excluded.owner AND until_ms > excluded.since_ms
                THEN fence ELSE max(fence + 1, excluded.fence) END,
              since_ms = CASE WHEN held AND owner = excluded.owner AND until_ms > excluded.since_ms
                THEN since_ms ELSE excluded.since_ms END,
              held = 1,
              mode = excluded.mode,
              owner = excluded.owner,
              until_ms = excluded.until_ms,
              lease_ms = excluded.lease_ms,
              host = excluded.host,
              pid = excluded.pid,
              application = excluded.application,
              thread = excluded.thread
            WHERE (owner = excluded.owner OR until_ms <= excluded.since_ms) AND fence < 9007199254740991
            RETURNING fence
            """
                    .replace("{last_fence}", CommonSql.LAST_FENCE);

    /** Deletes the name with its last claim; a trigger keeps its fence. */
    private static final String RELEASE =
            """
            DELETE FROM {p}_lock
            WHERE name = :name AND kind = :kind AND owner = :owner AND held AND until_ms > {now}
              AND NOT EXISTS (SELECT 1 FROM {p}_claim c WHERE c.name = :name AND c.kind = :kind)
            """;

    private SqliteSql() {}

    /** The text of a statement. */
    static String of(SqlStatement statement) {
        String text =
                switch (statement) {
                    case ACQUIRE -> ACQUIRE;
                    case RELEASE -> RELEASE;
                    case INSERT_NAME -> "INSERT OR IGNORE " + CommonSql.NEW_NAME;
                    default -> CommonSql.of(statement);
                };
        return text.replace("{now}", NOW).replace("{end}", END_OF_RANGE);
    }
}
