package dev.interlock.jdbc;

import dev.interlock.testkit.server.MariaDbServer;
import dev.interlock.testkit.server.PostgresServer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** The databases, for tests that are the same on each. */
enum TestDatabase {
    POSTGRESQL,
    MARIADB,
    H2,
    SQLITE;

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    /** The URL of a new, empty database, for any driver manager. */
    String newUrl(Path directory) {
        String name = "each_" + NUMBERS.incrementAndGet();
        return switch (this) {
            case POSTGRESQL -> PostgresServer.shared().newDatabase();
            case MARIADB -> MariaDbServer.shared().url(MariaDbServer.shared().createDatabase());
            case H2 -> "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
            case SQLITE -> "jdbc:sqlite:" + directory.resolve(name + ".db");
        };
    }
}
