package dev.interlock.jdbc;

/**
 * The statements of {@link SqliteDialect}, each for the {@link Step} of its name. {@code {p}} is the prefix of the tables; {@code {now}} the database's
 * clock in milliseconds, which stands still within a statement. Of a pair (name, kind) the table {p}_lock has at most one row: the holder (held = 1),
 * or the waiter for which the name is reserved (held = 0). Rows whose until_ms has come mean nothing.
 */
final class SqliteSql {

    /** The clock; resolution 1 ms. Rounded, since the seconds come as a binary fraction. */
    static final String NOW = "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)";

    /** The last fence of all names that are gone, and the version of the tables. One row. */
    static final String CREATE_FENCE =
            """
            CREATE TABLE IF NOT EXISTS {p}_fence (
              id INTEGER PRIMARY KEY CHECK (id = 1),
              last INTEGER NOT NULL,
              version INTEGER NOT NULL
            ) STRICT
            """;

    static final String CREATE_LOCK =
            """
            CREATE TABLE IF NOT EXISTS {p}_lock (
              name TEXT NOT NULL COLLATE BINARY,
              kind TEXT NOT NULL,
              owner TEXT NOT NULL,
              held INTEGER NOT NULL,
              fence INTEGER NOT NULL,
              since_ms INTEGER NOT NULL,
              until_ms INTEGER NOT NULL,
              lease_ms INTEGER NOT NULL,
              host TEXT NOT NULL,
              pid INTEGER NOT NULL,
              application TEXT NOT NULL,
              thread TEXT NOT NULL,
              PRIMARY KEY (name, kind)
            ) STRICT, WITHOUT ROWID
            """;

    /** seq grows with each arrival: it decides between two of the same millisecond. */
    static final String CREATE_WAITER =
            """
            CREATE TABLE IF NOT EXISTS {p}_waiter (
              seq INTEGER PRIMARY KEY,
              name TEXT NOT NULL COLLATE BINARY,
              kind TEXT NOT NULL,
              owner TEXT NOT NULL,
              since_ms INTEGER NOT NULL,
              until_ms INTEGER NOT NULL,
              host TEXT NOT NULL,
              pid INTEGER NOT NULL,
              application TEXT NOT NULL,
              thread TEXT NOT NULL,
              UNIQUE (name, kind, owner)
            ) STRICT
            """;

    static final String CREATE_FORCED =
            """
            CREATE TABLE IF NOT EXISTS {p}_forced (
              name TEXT NOT NULL COLLATE BINARY,
              kind TEXT NOT NULL,
              owner TEXT NOT NULL,
              until_ms INTEGER NOT NULL,
              PRIMARY KEY (name, kind, owner)
            ) STRICT, WITHOUT ROWID
            """;

    /** A name that is forgotten leaves its fence behind, whoever deletes the row: a later grant of the same name is above it. */
    static final String CREATE_FENCE_TRIGGER =
            """
            CREATE TRIGGER IF NOT EXISTS {p}_lock_gone AFTER DELETE ON {p}_lock BEGIN
              UPDATE {p}_fence SET last = max(last, OLD.fence);
            END
            """;

    /** Whoever has the name, as its holder or as the one whose turn it is, does not wait in the list any more. */
    static final String CREATE_INSERT_TRIGGER =
            """
            CREATE TRIGGER IF NOT EXISTS {p}_lock_new AFTER INSERT ON {p}_lock BEGIN
              DELETE FROM {p}_waiter WHERE name = NEW.name AND kind = NEW.kind AND owner = NEW.owner;
            END
            """;

    /** The same for a name that passes from one to another; a renewal does not touch the owner, and does not come here. */
    static final String CREATE_UPDATE_TRIGGER =
            """
            CREATE TRIGGER IF NOT EXISTS {p}_lock_passed AFTER UPDATE OF owner ON {p}_lock BEGIN
              DELETE FROM {p}_waiter WHERE name = NEW.name AND kind = NEW.kind AND owner = NEW.owner;
            END
            """;

    static final String INSERT_FENCE = "INSERT OR IGNORE INTO {p}_fence (id, last, version) VALUES (1, 0, {version})";

    static final String SELECT_VERSION = "SELECT version FROM {p}_fence";

    /**
     * The fence of a new row: above that of every name that is gone, and above every fence that a lost or an older file has forgotten, which is what the
     * microseconds are for; these count up to 8e15 (the year 2223), so that a clock far off cannot use up the 2^53 numbers.
     */
    private static final String NEW_FENCE =
            "max(coalesce((SELECT last FROM {p}_fence), 0) + 1, min({now} * 1000, 8000000000000000))";

    static final String TAKE =
            """
            INSERT INTO {p}_lock
              (name, kind, owner, held, fence, since_ms, until_ms, lease_ms, host, pid, application, thread)
            VALUES
              (:name, :kind, :owner, 1, {new_fence}, {now}, {now} + :lease, :lease, :host, :pid, :application, :thread)
            ON CONFLICT (name, kind) DO UPDATE SET
              fence = CASE WHEN held AND owner = excluded.owner AND until_ms > excluded.since_ms
                THEN fence ELSE max(fence + 1, excluded.fence) END,
              since_ms = CASE WHEN held AND owner = excluded.owner AND until_ms > excluded.since_ms
                THEN since_ms ELSE excluded.since_ms END,
              held = 1,
              owner = excluded.owner,
              until_ms = excluded.until_ms,
              lease_ms = excluded.lease_ms,
              host = excluded.host,
              pid = excluded.pid,
              application = excluded.application,
              thread = excluded.thread
            WHERE owner = excluded.owner OR until_ms <= excluded.since_ms
            RETURNING fence
            """
                    .replace("{new_fence}", NEW_FENCE);

    static final String LOOK =
            """
            SELECT held, {now} - since_ms AS age_ms, until_ms - {now} AS left_ms, lease_ms,
              coalesce((SELECT w.until_ms - {now} FROM {p}_waiter w
                WHERE w.name = :name AND w.kind = :kind AND w.owner = :owner), -1) AS listed_ms,
              (SELECT count(*) FROM {p}_waiter w
                WHERE w.name = :name AND w.kind = :kind AND w.owner <> :owner
                  AND w.until_ms > {now} AND w.since_ms < {now} - :waited) AS ahead
            FROM {p}_lock
            WHERE name = :name AND kind = :kind AND owner <> :owner AND until_ms > {now}
            """;

    /** Who is listed keeps its place. */
    static final String LIST =
            """
            INSERT INTO {p}_waiter (name, kind, owner, since_ms, until_ms, host, pid, application, thread)
            VALUES (:name, :kind, :owner, {now} - :waited, {now} + :listed, :host, :pid, :application, :thread)
            ON CONFLICT (name, kind, owner) DO UPDATE SET until_ms = excluded.until_ms
            """;

    static final String END_UNCONTENDED =
            """
            DELETE FROM {p}_lock
            WHERE name = :name AND kind = :kind AND owner = :owner AND held
              AND NOT EXISTS (SELECT 1 FROM {p}_waiter w
                WHERE w.name = :name AND w.kind = :kind AND w.until_ms > {now})
            RETURNING until_ms > {now}
            """;

    static final String STANDING =
            """
            SELECT held AND until_ms > {now} FROM {p}_lock
            WHERE name = :name AND kind = :kind AND owner = :owner
            """;

    /** The row keeps its fence: the reserved hold will be above it. */
    static final String RESERVE =
            """
            UPDATE {p}_lock SET
              held = 0,
              owner = next.owner,
              since_ms = next.since_ms,
              until_ms = {now} + :reserved,
              lease_ms = :reserved,
              host = next.host,
              pid = next.pid,
              application = next.application,
              thread = next.thread
            FROM (SELECT * FROM {p}_waiter w
              WHERE w.name = :name AND w.kind = :kind AND w.owner <> :owner
                AND w.until_ms > {now} AND w.since_ms <= {now} - :patience
              ORDER BY w.since_ms, w.seq LIMIT 1) AS next
            WHERE {p}_lock.name = :name AND {p}_lock.kind = :kind AND {p}_lock.owner = :owner
            RETURNING owner
            """;

    static final String DROP = "DELETE FROM {p}_lock WHERE name = :name AND kind = :kind AND owner = :owner";

    static final String UNLIST = "DELETE FROM {p}_waiter WHERE name = :name AND kind = :kind AND owner = :owner";

    static final String MARK_FORCED =
            """
            INSERT INTO {p}_forced (name, kind, owner, until_ms) VALUES (:name, :kind, :owner, {now} + :marked)
            ON CONFLICT (name, kind, owner) DO UPDATE SET until_ms = excluded.until_ms
            """;

    static final String RENEW =
            """
            UPDATE {p}_lock SET until_ms = {now} + :lease, lease_ms = :lease
            WHERE name = :name AND kind = :kind AND owner = :owner AND held AND until_ms > {now}
            RETURNING 1
            """;

    static final String CAUSE =
            """
            SELECT CASE
              WHEN EXISTS (SELECT 1 FROM {p}_forced
                WHERE name = :name AND kind = :kind AND owner = :owner AND until_ms > {now}) THEN 'FORCED'
              WHEN EXISTS (SELECT 1 FROM {p}_lock
                WHERE name = :name AND kind = :kind AND held AND until_ms > {now}) THEN 'TAKEN'
              ELSE 'DELETED' END
            """;

    static final String CUT =
            """
            UPDATE {p}_lock SET until_ms = {now} + lease_ms
            WHERE name = :name AND kind = :kind AND until_ms - {now} > lease_ms
            """;

    private static final String ENTRY =
            "owner, host, pid, application, thread, {now} - since_ms AS age_ms, until_ms - {now} AS left_ms";

    static final String INSPECT =
            """
            SELECT name, held, fence, 0 AS seq, {entry} FROM {p}_lock
            WHERE name = :name AND kind = :kind AND until_ms > {now}
            UNION ALL
            SELECT name, 0, 0, seq, {entry} FROM {p}_waiter
            WHERE name = :name AND kind = :kind AND until_ms > {now}
            ORDER BY held DESC, age_ms DESC, seq
            """
                    .replace("{entry}", ENTRY);

    /** The byte FF ends no text in UTF-8 and is above all of them: the range is exactly the names with the prefix. */
    static final String CATALOG =
            """
            WITH found AS (
              SELECT name FROM {p}_lock
              WHERE kind = :kind AND held AND until_ms > {now}
                AND name >= :prefix AND name < :prefix || CAST(x'FF' AS TEXT)
              ORDER BY name LIMIT :limit)
            SELECT name, held, fence, 0 AS seq, {entry} FROM {p}_lock
            WHERE kind = :kind AND name IN (SELECT name FROM found)
            UNION ALL
            SELECT name, 0, 0, seq, {entry} FROM {p}_waiter
            WHERE kind = :kind AND name IN (SELECT name FROM found) AND until_ms > {now}
            ORDER BY name, held DESC, age_ms DESC, seq
            """
                    .replace("{entry}", ENTRY);

    static final String SWEEP_HELD =
            """
            DELETE FROM {p}_lock WHERE until_ms <= {now} AND (name, kind) IN (
              SELECT name, kind FROM {p}_lock
              WHERE (name, kind) > (:after_name, :after_kind) ORDER BY name, kind LIMIT :window)
            """;

    static final String NEXT_HELD =
            """
            SELECT name, kind FROM {p}_lock
            WHERE (name, kind) > (:after_name, :after_kind) ORDER BY name, kind LIMIT 1 OFFSET :skip
            """;

    static final String SWEEP_WAITING =
            """
            DELETE FROM {p}_waiter WHERE until_ms <= {now} AND seq IN (
              SELECT seq FROM {p}_waiter WHERE seq > :after_seq ORDER BY seq LIMIT :window)
            """;

    static final String NEXT_WAITING =
            "SELECT seq FROM {p}_waiter WHERE seq > :after_seq ORDER BY seq LIMIT 1 OFFSET :skip";

    static final String SWEEP_FORCED = "DELETE FROM {p}_forced WHERE until_ms <= {now}";

    private SqliteSql() {}

    /** The text of a step. */
    static String of(Step step) {
        String text =
                switch (step) {
                    case TAKE -> TAKE;
                    case LOOK -> LOOK;
                    case LIST -> LIST;
                    case END_UNCONTENDED -> END_UNCONTENDED;
                    case STANDING -> STANDING;
                    case RESERVE -> RESERVE;
                    case DROP -> DROP;
                    case UNLIST -> UNLIST;
                    case MARK_FORCED -> MARK_FORCED;
                    case RENEW -> RENEW;
                    case CAUSE -> CAUSE;
                    case CUT -> CUT;
                    case INSPECT -> INSPECT;
                    case CATALOG -> CATALOG;
                    case SWEEP_HELD -> SWEEP_HELD;
                    case NEXT_HELD -> NEXT_HELD;
                    case SWEEP_WAITING -> SWEEP_WAITING;
                    case NEXT_WAITING -> NEXT_WAITING;
                    case SWEEP_FORCED -> SWEEP_FORCED;
                };
        return text.replace("{now}", NOW);
    }
}
