package dev.interlock.examples;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;

/** The orders in the database, numbered from 1, and the ledger of their charges. Thread-safe. */
final class Orders implements AutoCloseable {

    /** Guarded by itself. */
    private final Connection connection;

    private final AtomicLong published = new AtomicLong();

    Orders(String url, String schema) throws SQLException {
        connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute(schema);
        }
    }

    /** Adds one. Called by one thread. */
    void publish() throws SQLException {
        long next = published.get() + 1;
        synchronized (connection) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("insert into orders (id, amount) values (" + next + ", 9.99)");
            }
        }
        published.set(next);
    }

    /** The last one. */
    long last() {
        return published.get();
    }

    /** How many have been charged just once. */
    long chargedOnce() throws SQLException {
        return number("select count(*) from (select 1 from charges group by order_id having count(*) = 1) as once");
    }

    /** How many have been charged more than once. */
    long chargedTwice() throws SQLException {
        return number("select count(*) from (select 1 from charges group by order_id having count(*) > 1) as twice");
    }

    /** How many charges this instance has made. */
    long chargesOf(Instance instance) throws SQLException {
        return number("select count(*) from charges where instance = '" + instance + "'");
    }

    /** At how many orders this instance works: it has opened them, and not charged them yet. */
    long openAt(Instance instance) throws SQLException {
        return number("select count(*) from orders where status = 'OPEN' and instance = '" + instance + "'");
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private long number(String query) throws SQLException {
        synchronized (connection) {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(query)) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
