package dev.interlock.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** The connection pool that an application would give to a peer, with its default settings. */
final class SqlPool {

    private SqlPool() {}

    static HikariDataSource open(String uri) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(uri);
        return new HikariDataSource(config);
    }
}
