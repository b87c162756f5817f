package dev.interlock.console;

import dev.interlock.Party;
import dev.interlock.spi.OwnerId;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What consoles have seen, in an SQLite file, of which the oldest is deleted. Several consoles may write one file: a
 * hold that two of them see is written once.
 *
 * <p>The connection belongs to one thread, on which every method's work is done, one after the other. Thread-safe.
 */
public final class History implements AutoCloseable {

    /** Says that a file is a history, in the header of the file. */
    private static final int APPLICATION_ID = 0x494C_4831;

    private static final int VERSION = 1;

    /** How many stretches of watching are kept, for all stores together. */
    private static final int MOST_WATCHES = 10_000;

    /** What tells one hold or wait from another; a text of an owner may be used again if there is no token. */
    static final String SAME = "store = ? AND name = ? AND kind = ? AND hold = ? AND owner = ? AND token = ?";

    /** A wait that a look did not find. */
    static final String MISSED =
            "store = ? AND name = ? AND kind = ? AND hold = 0 AND owner = ? AND how IN ('GONE', 'UNSEEN')";

    private static final List<String> SCHEMA = List.of(
            """
            CREATE TABLE span (id INTEGER PRIMARY KEY AUTOINCREMENT, store TEXT NOT NULL, name TEXT NOT NULL,
              kind TEXT NOT NULL, hold INTEGER NOT NULL, mode TEXT NOT NULL, owner TEXT NOT NULL,
              token INTEGER NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL, application TEXT NOT NULL,
              thread TEXT NOT NULL, began INTEGER NOT NULL, seen INTEGER, ended INTEGER, how TEXT)""",
            "CREATE INDEX span_name ON span (store, name, began)",
            "CREATE INDEX span_began ON span (store, began)",
            "CREATE INDEX span_open ON span (store) WHERE ended IS NULL",
            """
            CREATE TABLE action (id INTEGER PRIMARY KEY AUTOINCREMENT, store TEXT NOT NULL, name TEXT NOT NULL,
              kind TEXT NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL, by TEXT NOT NULL, reason TEXT NOT NULL,
              owner TEXT NOT NULL, token INTEGER NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL,
              application TEXT NOT NULL, thread TEXT NOT NULL, outcome TEXT NOT NULL)""",
            "CREATE INDEX action_name ON action (store, at)",
            """
            CREATE TABLE watch (id INTEGER PRIMARY KEY AUTOINCREMENT, store TEXT NOT NULL, first INTEGER NOT NULL,
              last INTEGER NOT NULL)""",
            "CREATE INDEX watch_store ON watch (store, last)");

    /**
     * By what one span is found. Without the owner a look at n claims of a name would read n times n spans. Older files
     * get it when they are opened.
     */
    private static final String SAME_INDEX = "CREATE INDEX IF NOT EXISTS span_same ON span (store, name, owner)";

    /** The most spans of a transaction: readers, and the end of the console, wait for no more. */
    private static final int MOST_AT_ONCE = 500;

    /** How long to wait for what is being written. */
    private static final long CLOSE_MILLIS = 500;

    private final Connection connection;
    private final int limit;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "interlock-console-history");
        made.setDaemon(true);
        return made;
    });

    /** The stretch of watching of each store that goes on. Only the thread uses it. */
    private final Map<String, Long> watches = new HashMap<>();

    private History(Connection connection, int limit) {
        this.connection = connection;
        this.limit = limit;
    }

    /** Points between which nobody has looked at a store. */
    public record Unseen(Instant from, Instant to) {

        /** In the shape of the API. */
        public Map<String, Object> json(String shownStore) {
            Map<String, Object> json = new java.util.LinkedHashMap<>();
            json.put("type", "unseen");
            json.put("store", shownStore);
            json.put("from", Times.text(from));
            json.put("to", Times.text(to));
            return json;
        }
    }

    /**
     * A part of the history of one store.
     *
     * @param spans those that had not ended before, the latest first
     * @param actions the latest first
     * @param unseen in their order
     * @param total how many spans and actions there are, which may be more than wanted
     */
    public record Part(List<Span> spans, List<Action> actions, List<Unseen> unseen, int total) {

        /** How many spans and actions these are. */
        public int size() {
            return spans.size() + actions.size();
        }

        /** Whether these are all. */
        public boolean complete() {
            return size() >= total;
        }
    }

    /**
     * Opens a history, and makes the file if there is none.
     *
     * @param file null for one in memory
     * @param limit the most holds and waits to keep, 1 or more
     * @throws IOException if that is not possible; the message says why
     */
    public static History open(@Nullable Path file, int limit) throws IOException {
        if (file != null) {
            create(file);
        }
        try {
            Connection connection = connect(file, false);
            try {
                prepare(connection);
            } catch (SQLException | IOException e) {
                connection.close();
                throw e;
            }
            return new History(connection, limit);
        } catch (SQLException e) {
            throw new IOException("the history " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Opens a history to read it.
     *
     * @throws IOException if that is not possible; the message says why
     */
    public static History read(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("there is no history " + file + ": no console has written there");
        }
        try {
            Connection connection = connect(file, true);
            try {
                if (pragma(connection, "application_id") != APPLICATION_ID) {
                    throw new IOException(file + " is not a history of a console");
                }
            } catch (SQLException | IOException e) {
                connection.close();
                throw e;
            }
            return new History(connection, 1);
        } catch (SQLException e) {
            throw new IOException("the history " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Before the database does, so that others cannot read it at any time. */
    private static void create(Path file) throws IOException {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null && !Files.isDirectory(folder)) {
                Files.createDirectories(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isRegularFile(file)) {
                throw new IOException("the history " + file + " is not a file", e);
            }
            ensurePrivate(file, ownUid());
        } catch (IOException e) {
            throw new IOException("the history " + file + " cannot be created: " + e, e);
        }
    }

    /** As the system counts users; null if it does not tell. */
    private static @Nullable Object ownUid() throws IOException {
        Path process = Path.of("/proc/self");
        return Files.exists(process) ? Files.getAttribute(process, "unix:uid") : null;
    }

    /**
     * Refuses a file of somebody else, or one that others may read or write: they would decide what is shown, or learn
     * what is written. The same holds for what SQLite has beside it.
     *
     * @param uid the user of this process; null if it is not known
     */
    static void ensurePrivate(Path file, @Nullable Object uid) throws IOException {
        for (String end : List.of("", "-wal", "-shm", "-journal")) {
            Path each = file.resolveSibling(file.getFileName() + end);
            if (!Files.exists(each, LinkOption.NOFOLLOW_LINKS)) {
                continue;
            }
            // Whoever has made a link decides where it leads.
            for (LinkOption[] how : List.of(new LinkOption[] {LinkOption.NOFOLLOW_LINKS}, new LinkOption[0])) {
                Object owner = Files.getAttribute(each, "unix:uid", how);
                if (uid != null && !uid.equals(owner)) {
                    throw new IOException("the history " + each + " belongs to another user, "
                            + Files.getOwner(each, how) + "; name another file");
                }
            }
            Set<PosixFilePermission> others = EnumSet.copyOf(Files.getPosixFilePermissions(each));
            others.removeAll(PosixFilePermissions.fromString("rwx------"));
            if (!others.isEmpty()) {
                throw new IOException("the history " + each + " is open to other users, mode "
                        + PosixFilePermissions.toString(Files.getPosixFilePermissions(each)) + "; run 'chmod 600 "
                        + each
                        + "', or name another file");
            }
        }
    }

    private static Connection connect(@Nullable Path file, boolean reading) throws SQLException {
        // As a URI, since a file's name may have characters that mean something to SQLite or to its driver.
        String place = file == null
                ? ":memory:"
                : file.toAbsolutePath().toUri().toString().replaceFirst("^file:/+", "file:///");
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + place);
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 10000");
            if (reading) {
                statement.execute("PRAGMA query_only = true");
            }
        }
        return connection;
    }

    private static void prepare(Connection connection) throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA synchronous = NORMAL");
            statement.execute("BEGIN IMMEDIATE");
            if (pragma(connection, "application_id") == APPLICATION_ID) {
                long version = pragma(connection, "user_version");
                if (version == VERSION) {
                    statement.execute("DROP INDEX IF EXISTS span_owner");
                    statement.execute(SAME_INDEX);
                    statement.execute("COMMIT");
                } else {
                    statement.execute("ROLLBACK");
                    throw new IOException(
                            "the history was written by another version (" + version + "); name another" + " file");
                }
                return;
            }
            if (count(connection, "SELECT count(*) FROM sqlite_master") > 0) {
                statement.execute("ROLLBACK");
                throw new IOException("the file is another database, and not a history; name another file");
            }
            for (String table : SCHEMA) {
                statement.execute(table);
            }
            statement.execute(SAME_INDEX);
            statement.execute("PRAGMA application_id = " + APPLICATION_ID);
            statement.execute("PRAGMA user_version = " + VERSION);
            statement.execute("COMMIT");
        }
    }

    private static long pragma(Connection connection, String name) throws SQLException {
        return count(connection, "PRAGMA " + name);
    }

    private static long count(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            return result.getLong(1);
        }
    }

    /**
     * Writes down what a look has found. If that fails, a part may have been written: the next look says all that is
     * {@code present}.
     *
     * @param store the store's URI, without a password
     * @param before the look before; null if nothing is known of the time before this look
     * @param at the look
     * @param begun what it found that was not there before
     * @param ended what it did not find any more
     * @param present all that it found, if what the file has as going on may not be true; else null
     */
    void look(
            String store,
            @Nullable Instant before,
            Instant at,
            List<Span> begun,
            List<Span> ended,
            @Nullable List<Span> present)
            throws IOException {
        List<Span> ending = new ArrayList<>();
        write(() -> {
            watch(store, before == null, at);
            if (present != null) {
                ending.addAll(notPresent(store, at, present));
            }
        });
        ending.addAll(ended);
        writeEach(ending, this::end);
        writeEach(begun, this::begin);
        if (!begun.isEmpty()) {
            write(this::trim);
        }
    }

    private interface Step {
        void run(Span span) throws SQLException;
    }

    private void writeEach(List<Span> spans, Step step) throws IOException {
        for (int from = 0; from < spans.size(); from += MOST_AT_ONCE) {
            List<Span> some = spans.subList(from, Math.min(from + MOST_AT_ONCE, spans.size()));
            write(() -> {
                for (Span span : some) {
                    step.run(span);
                }
            });
        }
    }

    /**
     * Writes down what somebody is about to do.
     *
     * @return the rows, for {@link #conclude}
     */
    List<Long> begin(List<Action> actions) throws IOException {
        List<Long> ids = new ArrayList<>();
        write(() -> {
            for (Action action : actions) {
                insert(action);
                ids.add(count(connection, "SELECT last_insert_rowid()"));
            }
            update("DELETE FROM action WHERE id <= (SELECT max(id) FROM action) - ?", limit);
        });
        return ids;
    }

    /** Writes down what came of it. */
    void conclude(List<Long> ids, Action.Outcome outcome) throws IOException {
        write(() -> {
            for (Long id : ids) {
                update("UPDATE action SET outcome = ? WHERE id = ?", outcome.name(), id);
            }
        });
    }

    private void insert(Action action) throws SQLException {
        update(
                "INSERT INTO action (store, name, kind, type, at, by, reason, owner, token, host, pid,"
                        + " application, thread, outcome) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                action.store(),
                action.name(),
                action.kind(),
                action.type().name(),
                action.at().toEpochMilli(),
                action.by(),
                action.reason(),
                action.owner(),
                action.token(),
                action.party().host(),
                action.party().pid(),
                action.party().application(),
                action.party().thread(),
                action.outcome().name());
    }

    /** A stretch of watching goes on, or another begins. */
    private void watch(String store, boolean anew, Instant at) throws SQLException {
        Long id = watches.get(store);
        if (!anew && id != null && update("UPDATE watch SET last = ? WHERE id = ?", at.toEpochMilli(), id) == 1) {
            return;
        }
        update("INSERT INTO watch (store, first, last) VALUES (?, ?, ?)", store, at.toEpochMilli(), at.toEpochMilli());
        watches.put(store, count(connection, "SELECT last_insert_rowid()"));
        update("DELETE FROM watch WHERE id <= (SELECT max(id) FROM watch) - ?", MOST_WATCHES);
    }

    private void begin(Span span) throws SQLException {
        boolean ofAcquisition = new OwnerId(span.owner()).isOfAcquisition();
        if (ofAcquisition) {
            mendWait(span);
        }
        // What another console has written, or this one before it was started anew.
        boolean unique = span.token() != 0 || ofAcquisition;
        try (PreparedStatement known = prepared(
                "SELECT 1 FROM span WHERE " + SAME + (unique ? "" : " AND ended IS NULL") + " LIMIT 1", same(span))) {
            try (ResultSet result = known.executeQuery()) {
                if (result.next()) {
                    return;
                }
            }
        }
        update(
                "INSERT INTO span (store, name, kind, hold, mode, owner, token, host, pid, application, thread, began)"
                        + " VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                span.store(),
                span.name(),
                span.kind(),
                span.hold() ? 1 : 0,
                span.mode(),
                span.owner(),
                span.token(),
                span.party().host(),
                span.party().pid(),
                span.party().application(),
                span.party().thread(),
                span.from().toEpochMilli());
    }

    /**
     * A look between a wake and the grant finds the name free, and none of its waits. The owner, which no other
     * acquisition has, tells a later look that the wait was granted, or that it goes on.
     */
    private void mendWait(Span begun) throws SQLException {
        if (begun.hold()) {
            update(
                    "UPDATE span SET how = 'GRANTED', ended = ? WHERE " + MISSED,
                    begun.from().toEpochMilli(),
                    begun.store(),
                    begun.name(),
                    begun.kind(),
                    begun.owner());
        } else {
            update(
                    "UPDATE span SET how = NULL, ended = NULL, seen = NULL WHERE " + MISSED,
                    begun.store(),
                    begun.name(),
                    begun.kind(),
                    begun.owner());
        }
    }

    private void end(Span span) throws SQLException {
        if (span.lastSeen() == null || span.to() == null || span.end() == null) {
            throw new IllegalArgumentException("A span that goes on does not end: " + span);
        }
        List<Object> values = new ArrayList<>(List.of(
                span.lastSeen().toEpochMilli(),
                span.to().toEpochMilli(),
                span.end().name()));
        values.addAll(List.of(same(span)));
        update("UPDATE span SET seen = ?, ended = ?, how = ? WHERE " + SAME + " AND ended IS NULL", values.toArray());
    }

    private static Object[] same(Span span) {
        return new Object[] {span.store(), span.name(), span.kind(), span.hold() ? 1 : 0, span.owner(), span.token()};
    }

    /** What the file has as going on and is not there, as ended: nobody has seen when. */
    private List<Span> notPresent(String store, Instant at, List<Span> present) throws SQLException {
        Set<List<Object>> there = new HashSet<>();
        present.forEach(span -> there.add(List.of(same(span))));
        long last = at.toEpochMilli();
        try (PreparedStatement query = prepared(
                        "SELECT last FROM watch WHERE store = ? AND last < ? ORDER BY last DESC LIMIT 1",
                        store,
                        at.toEpochMilli());
                ResultSet result = query.executeQuery()) {
            if (result.next()) {
                last = result.getLong(1);
            }
        }
        List<Span> ended = new ArrayList<>();
        for (Span open : spans("SELECT * FROM span WHERE store = ? AND ended IS NULL", store)) {
            if (!there.contains(List.of(same(open)))) {
                ended.add(open.ended(Instant.ofEpochMilli(last), at, Span.End.UNSEEN));
            }
        }
        return ended;
    }

    /** What goes on is kept, however old. */
    private void trim() throws SQLException {
        update("DELETE FROM span WHERE id <= (SELECT max(id) FROM span) - ? AND ended IS NOT NULL", limit);
    }

    /**
     * The part that begins at this moment.
     *
     * @param store the store's URI, without a password
     * @param name null for all names
     * @param most the most spans, and the most actions
     */
    public Part part(String store, @Nullable String name, Instant from, Instant to, int most) throws IOException {
        return call(() -> {
            long since = from.toEpochMilli();
            String where = name == null ? "store = ?" : "store = ? AND name = ?";
            List<Object> values = new ArrayList<>(List.of(store));
            if (name != null) {
                values.add(name);
            }
            values.add(since);
            String those = "FROM span WHERE " + where + " AND (ended IS NULL OR ended >= ?)";
            List<Object> bounded = new ArrayList<>(values);
            bounded.add(most);
            List<Span> spans = spans("SELECT * " + those + " ORDER BY began DESC, id DESC LIMIT ?", bounded.toArray());
            String theirs = "FROM action WHERE " + where + " AND at >= ?";
            List<Action> actions =
                    actions("SELECT * " + theirs + " ORDER BY at DESC, id DESC LIMIT ?", bounded.toArray());
            int total = (spans.size() < most ? spans.size() : count("SELECT count(*) " + those, values.toArray()))
                    + (actions.size() < most ? actions.size() : count("SELECT count(*) " + theirs, values.toArray()));
            return new Part(spans, actions, unseen(store, from, to), total);
        });
    }

    /** The stores that the file tells of. */
    public List<String> stores() throws IOException {
        return call(() -> {
            List<String> stores = new ArrayList<>();
            try (PreparedStatement query = prepared("SELECT DISTINCT store FROM watch ORDER BY store");
                    ResultSet result = query.executeQuery()) {
                while (result.next()) {
                    stores.add(result.getString(1));
                }
            }
            return stores;
        });
    }

    private List<Unseen> unseen(String store, Instant from, Instant to) throws SQLException {
        List<Unseen> unseen = new ArrayList<>();
        long at = from.toEpochMilli();
        try (PreparedStatement query = prepared(
                        "SELECT first, last FROM watch WHERE store = ? AND last >= ? AND first <= ? ORDER BY first",
                        store,
                        at,
                        to.toEpochMilli());
                ResultSet result = query.executeQuery()) {
            while (result.next()) {
                if (result.getLong(1) > at) {
                    unseen.add(new Unseen(Instant.ofEpochMilli(at), Instant.ofEpochMilli(result.getLong(1))));
                }
                at = Math.max(at, result.getLong(2));
            }
        }
        // The look that comes next is not missing yet.
        if (to.toEpochMilli() - at > Times.LONGEST_PAUSE.toMillis()) {
            unseen.add(new Unseen(Instant.ofEpochMilli(at), to));
        }
        return unseen;
    }

    private int count(String query, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(query, values);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }

    private List<Span> spans(String query, Object... values) throws SQLException {
        List<Span> spans = new ArrayList<>();
        try (PreparedStatement statement = prepared(query, values);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                String how = row.getString("how");
                spans.add(new Span(
                        row.getInt("hold") == 1,
                        row.getString("store"),
                        row.getString("name"),
                        row.getString("kind"),
                        row.getString("mode"),
                        row.getString("owner"),
                        row.getLong("token"),
                        party(row),
                        Instant.ofEpochMilli(row.getLong("began")),
                        how == null ? null : Instant.ofEpochMilli(row.getLong("seen")),
                        how == null ? null : Instant.ofEpochMilli(row.getLong("ended")),
                        how == null ? null : end(how)));
            }
        }
        return spans;
    }

    private List<Action> actions(String query, Object... values) throws SQLException {
        List<Action> actions = new ArrayList<>();
        try (PreparedStatement statement = prepared(query, values);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                actions.add(new Action(
                        Action.Type.valueOf(row.getString("type")),
                        row.getString("store"),
                        row.getString("name"),
                        row.getString("kind"),
                        Instant.ofEpochMilli(row.getLong("at")),
                        row.getString("by"),
                        row.getString("reason"),
                        row.getString("owner"),
                        row.getLong("token"),
                        party(row),
                        Action.Outcome.valueOf(row.getString("outcome"))));
            }
        }
        return actions;
    }

    private static Party party(ResultSet row) throws SQLException {
        return new Party(
                row.getString("host"), row.getLong("pid"), row.getString("application"), row.getString("thread"));
    }

    private int update(String statement, Object... values) throws SQLException {
        try (PreparedStatement prepared = prepared(statement, values)) {
            return prepared.executeUpdate();
        }
    }

    private PreparedStatement prepared(String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    /** Steps on the connection. */
    private interface Steps {
        void run() throws SQLException;
    }

    /** A question to the connection. */
    private interface Question<T> {
        T answer() throws SQLException;
    }

    /** All of it, or nothing. */
    private void write(Steps steps) throws IOException {
        call(() -> {
            update("BEGIN IMMEDIATE");
            try {
                steps.run();
                update("COMMIT");
            } catch (SQLException | RuntimeException e) {
                watches.clear();
                update("ROLLBACK");
                throw e;
            }
            return true;
        });
    }

    private <T> T call(Question<T> question) throws IOException {
        try {
            return thread.submit(question::answer).get();
        } catch (RejectedExecutionException e) {
            throw new IOException("the history is closed", e);
        } catch (ExecutionException e) {
            throw new IOException("the history cannot be used: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the history was used", e);
        }
    }

    /** Waits a little for what is being written. Idempotent. */
    @Override
    public void close() {
        if (thread.isShutdown()) {
            return;
        }
        Future<?> closed = thread.submit(() -> {
            connection.close();
            return true;
        });
        thread.shutdown();
        try {
            closed.get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // Another console writes, perhaps, or the disk is slow. What is not written by now is not.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Earlier versions took each end before its time for a release. */
    private static Span.End end(String written) {
        return written.equals("RELEASED") ? Span.End.ENDED : Span.End.valueOf(written);
    }
}
