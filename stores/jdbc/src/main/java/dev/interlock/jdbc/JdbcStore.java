package dev.interlock.jdbc;

import dev.interlock.LockStatus;
import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.connection.PooledConnections;
import dev.interlock.jdbc.connection.ServerConnections;
import dev.interlock.jdbc.connection.ServerErrors;
import dev.interlock.jdbc.connection.ServerUri;
import dev.interlock.jdbc.connection.SqliteErrors;
import dev.interlock.jdbc.connection.SqliteFile;
import dev.interlock.jdbc.connection.TablePrefix;
import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Log;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.support.Diagnosable;
import dev.interlock.support.Examination;
import dev.interlock.support.Finding;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Claims in the tables of an SQL database: PostgreSQL, MariaDB, MySQL, H2 or SQLite.
 *
 * <p>The store has one connection, which is never that of your transaction, and one thread that uses it. Both are
 * created by the first operation, and given up after half a minute without one, or a quarter of a second if others need
 * the connection, see {@link #over(DataSource)}; and by {@link #close()}. A caller that waits without limit and ignores
 * interrupts may use the connection itself, see {@link #lend}. The first operation also creates the tables, if they do
 * not exist; {@link Schema} has the script for users without that right. Connections go back to a pool with the
 * settings that they came with, and at the latest when {@link #close()} returns.
 *
 * <p>PostgreSQL wakes waiting clients, on a second connection, which is opened when a claim has to wait for the first
 * time. The users of an SQLite file wake each other, over sockets beside it. Without such a connection or socket, and
 * on the other databases, waiting claims poll: a busy acquire answers with a short time after which to ask again, the
 * shorter the nearer the claim is to its turn.
 *
 * <p>The database's clock is the store's clock. SQLite, 3.42 or later, is for the processes of one machine; the store
 * sets the journal mode of the file to WAL, which stays set. Thread-safe.
 */
public final class JdbcStore implements LockStore, LockCatalog, Diagnosable {

    /** How the names of the tables begin if you set nothing else. */
    public static final String DEFAULT_PREFIX = TablePrefix.DEFAULT;

    private static final Duration POLL_CAP = Duration.ofSeconds(2);

    /** How long closing waits for the connections of a pool: for a statement that ends by its own limits. */
    private static final Duration CLOSING =
            Duration.ofMillis(WaitLimits.NETWORK_MS).plus(WaitLimits.LOCK_WAIT);

    private final ConnectionSource connections;
    private final Worker worker;
    private final WakeSubscription wakes;
    private volatile @Nullable String clientId;

    private JdbcStore(ConnectionSource connections, String prefix) {
        this.connections = connections;
        this.wakes = new WakeSubscription(connections, prefix);
        this.worker = new Worker(
                new SessionHolder(connections, prefix, wakes),
                connections.isPool() ? Worker.IDLE_IN_POOL : Worker.IDLE);
    }

    /**
     * A store on connections of this pool or data source, with tables whose names begin with {@value #DEFAULT_PREFIX}.
     * See {@link #over(DataSource, String)}.
     */
    public static JdbcStore over(DataSource dataSource) {
        return over(dataSource, DEFAULT_PREFIX);
    }

    /**
     * A store on connections of this pool or data source. It takes one for its requests, and gives it back after a
     * quarter of a second without one; while claims wait on PostgreSQL, it has a second one to be woken on, unless the
     * pool is too small. So a pool needs one connection besides those that your code uses while it holds a lock.
     *
     * <p>The data source is asked on a thread of the store: what it finds in a thread-local variable of the caller,
     * such as a tenant or a transaction, is not there. Whatever it throws is a
     * {@link dev.interlock.StoreUnavailableException} for the caller, after the usual attempts.
     *
     * @param tablePrefix how the names of the tables begin: letters, digits and underscores, a letter first, at most 32
     * @throws IllegalArgumentException if the prefix has another form
     */
    public static JdbcStore over(DataSource dataSource, String tablePrefix) {
        TablePrefix.checked(tablePrefix);
        PooledConnections connections = new PooledConnections(dataSource);
        connections.most().ifPresent(JdbcStore::warnOfSmallPool);
        return new JdbcStore(connections, tablePrefix);
    }

    /**
     * A store in this SQLite file. If the file does not exist, the first operation creates it, readable and writable by
     * its owner only; its directory must exist.
     *
     * @throws IllegalStateException if the driver, {@code org.xerial:sqlite-jdbc}, is not on the class path
     */
    public static JdbcStore sqlite(Path file) {
        return sqlite(file, DEFAULT_PREFIX);
    }

    /** As {@link #sqlite(Path)}, with tables whose names begin with {@code tablePrefix}. */
    public static JdbcStore sqlite(Path file, String tablePrefix) {
        TablePrefix.checked(tablePrefix);
        return new JdbcStore(SqliteFile.of(file), tablePrefix);
    }

    /** A lease that cannot be renewed is lost: while the application has all connections, the store has none. */
    private static void warnOfSmallPool(int most) {
        if (most < 2) {
            Log.of(JdbcStore.class)
                    .log(
                            System.Logger.Level.WARNING,
                            "The pool is too small: connections=" + most
                                    + "; the lock store needs one besides those that "
                                    + "your code uses while it holds a lock, or leases cannot be renewed meanwhile");
        }
    }

    /** A store in the database of a URL. */
    static JdbcStore at(ServerUri uri) {
        return new JdbcStore(ServerConnections.of(uri), uri.prefix());
    }

    /** All but revocation and retention: no claim hears of requests that come while it holds. */
    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.REVOCATION, Capability.RETENTION));
    }

    /** Verbs run one after the other. */
    @Override
    public boolean keepsOrder() {
        return true;
    }

    /** False also after an idle time, after which the connection is given back. */
    @Override
    public boolean isConnected() {
        return worker.isConnected();
    }

    @Override
    public boolean isRefusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnreadableNameException) {
                return true;
            } else if (cause instanceof SQLException error) {
                // The driver of SQLite has no SQL states.
                return error.getSQLState() == null ? SqliteErrors.isRefusal(error) : ServerErrors.isRefusal(error);
            }
        }
        return false;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        clientId = claim.owner().clientId();
        return worker.submitSharing(session -> new AcquireOperation(session, claim).run());
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return worker.submitSharing(session -> new ExecuteOperation(session, command).run());
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return worker.submitSharing(session -> new ReleaseOperation(session, claim).run());
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        List<Claim> all = List.copyOf(claims);
        List<QueuedAnswer<Map<Claim, Renewal>>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += RenewOperation.MOST) {
            List<Claim> part = all.subList(from, Math.min(all.size(), from + RenewOperation.MOST));
            parts.add(worker.submitFirst(session -> new RenewOperation(session).run(part)));
        }
        return new RenewalAnswer(parts);
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return worker.submit(session -> new InspectOperation(session).one(id));
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return new ListAnswer(worker, new ListOperation(prefix, limit));
    }

    @Override
    public OptionalLong readClock() {
        return OptionalLong.of(Examination.await(worker.submit(Session::clock)));
    }

    @Override
    public List<Finding> diagnose() {
        return Examination.await(worker.submit(Session::diagnose));
    }

    /**
     * On PostgreSQL and SQLite. On other databases the listener is never called, and a busy answer says when to ask
     * again.
     */
    @Override
    public void onWake(Consumer<Wake> listener) {
        wakes.setReceiver(wake -> {
            OwnerId owner = wake.owner();
            // What was ended by force is told to everybody.
            if (owner != null && owner.clientId().equals(clientId)) {
                listener.accept(wake);
            }
        });
    }

    /**
     * Each poll of a waiter is a statement: at most one in a second for each waiter, including those that keep it
     * listed. Where nobody is woken, busy answers are shorter.
     */
    @Override
    public Duration pollCap() {
        return POLL_CAP;
    }

    /** On a connection that the store has opened itself, to a database whose driver limits every wait. */
    @Override
    public <T> CompletionStage<T> lend(Duration patience, Supplier<CompletionStage<T>> request) {
        return worker.lend(patience, request);
    }

    /**
     * Closes the connections. If they are those of a pool, they are back when this returns, as they were, unless the
     * server is silent: then this waits for at most 3 s.
     */
    @Override
    public void close() {
        worker.close();
        if (!connections.areDedicated()) {
            worker.awaitConnections(CLOSING);
        }
    }

    /** The database, the file, or the type of the pool; no password. */
    @Override
    public String toString() {
        return "JdbcStore[" + connections + "]";
    }
}
