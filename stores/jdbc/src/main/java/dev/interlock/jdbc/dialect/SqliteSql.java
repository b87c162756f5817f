package dev.interlock.jdbc.dialect;

import java.util.regex.Pattern;

/** The statements that differ on SQLite. Together they are all that happens in a file while locks are free. */
final class SqliteSql {

    /** The clock, with a resolution of 1 ms. Rounded, because the seconds are a binary fraction. */
    private static final String NOW = "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)";

    /**
     * Bytes that no text in UTF-8 has, and that are greater than all of them: the range is exactly the names with the
     * prefix. In a file with UTF-16 it leaves out names that go on with U+FFFF, which is no character.
     */
    private static final String END_OF_RANGE = ":prefix || CAST(x'FFFFFFFF' AS TEXT)";

    /**
     * A trigger removes the holder from the waiting claims. A fence that leaves no larger one is refused by the rules
     * of the name, not here.
     */
    private static final String ACQUIRE =
            """
            INSERT INTO {p}_lock
              (name, kind, owner, held, mode, fence, since_ms, until_ms, lease_ms, listed_ms, amount, kept_ms,
               host, pid, application, thread)
            SELECT
              :name, :kind, :owner, 1, 'X', max(deleted.fence + 1, min({now} * 1000, 8000000000000000)), {now},
              {now} + :lease, :lease, 0, 0, 0, :host, :pid, :application, :thread
            FROM (SELECT coalesce(max(last), 0) AS fence FROM {p}_fence) deleted
            WHERE deleted.fence < 9007199254740991
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
            """;

    /** Deletes the name with its last claim; a trigger keeps its fence. */
    private static final String RELEASE =
            """
            DELETE FROM {p}_lock
            WHERE name = :name AND kind = :kind AND owner = :owner AND held AND until_ms > {now}
              AND NOT EXISTS (SELECT 1 FROM {p}_claim c WHERE c.name = :name AND c.kind = :kind)
            """;

    /**
     * The beginning of a text, longer than all that this library writes. Here no column has a length, and a hundred
     * megabytes in one row would be read for each list of names. A text that is not too long is left as it is, since
     * {@code substr} ends at a character of number 0.
     */
    private static final String LEFT_OF =
            "CASE WHEN length(CAST(%1$s AS BLOB)) > 2400 THEN substr(%1$s, 1, 600) ELSE %1$s END";

    /** The texts among the columns of a query. */
    private static final Pattern TEXT = Pattern.compile(
            "(?<![\\w.])(?:[nc]\\.)?(?:name|kind|owner|mode|state|channel|host|application|thread)(?![\\w.])");

    private SqliteSql() {}

    private static String bounded(String query) {
        int from = query.indexOf("FROM");
        return TEXT.matcher(query.substring(0, from)).replaceAll(found -> LEFT_OF.formatted(found.group()))
                + query.substring(from);
    }

    /** The text of a statement. */
    static String of(SqlStatement statement) {
        String text =
                switch (statement) {
                    case ACQUIRE -> ACQUIRE;
                    case RELEASE -> RELEASE;
                    case INSERT_NAME -> "INSERT OR IGNORE " + CommonSql.NEW_NAME;
                    case LOAD, INSPECT, PAGE_CLAIMS, PAGE_NAMES -> bounded(CommonSql.of(statement));
                    case CATALOG ->
                        CommonSql.of(statement)
                                .replace(
                                        "SELECT p.name, p.kind",
                                        "SELECT " + LEFT_OF.formatted("p.name") + " AS name, "
                                                + LEFT_OF.formatted("p.kind") + " AS kind");
                    default -> CommonSql.of(statement);
                };
        return text.replace("{now}", NOW).replace("{end}", END_OF_RANGE).replaceAll(CommonSql.LIMIT, "LIMIT $1");
    }
}
