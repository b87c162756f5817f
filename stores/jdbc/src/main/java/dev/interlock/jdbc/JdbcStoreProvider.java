package dev.interlock.jdbc;

import dev.interlock.jdbc.connection.ServerUri;
import dev.interlock.jdbc.connection.SqliteUri;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.LockStoreProvider;
import java.util.Set;

/**
 * Opens {@code jdbc:sqlite:/path/to/file.db} and {@code sqlite:/path/to/file.db}. In the path, write {@code %3F} for a
 * question mark and {@code %25} for a percent sign; every other character may stand for itself. The only parameter is
 * {@code prefix}, with which the names of the tables begin.
 *
 * <p>Also opens the URLs of the drivers for PostgreSQL, MariaDB, MySQL and H2:
 * {@code jdbc:postgresql://user:password@host/database?prefix=app}. The driver must be on the class path. The parameter
 * {@code prefix}, and a percent-encoded user and password before the host, are removed before the driver sees the URL.
 */
public final class JdbcStoreProvider implements LockStoreProvider {

    /** For {@link java.util.ServiceLoader}. */
    public JdbcStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("jdbc", "sqlite");
    }

    @Override
    public LockStore create(String uri) {
        if (SqliteUri.isSqlite(uri)) {
            SqliteUri parsed = SqliteUri.parse(uri);
            return JdbcStore.sqlite(parsed.file(), parsed.prefix());
        }
        return JdbcStore.at(ServerUri.parse(uri));
    }
}
