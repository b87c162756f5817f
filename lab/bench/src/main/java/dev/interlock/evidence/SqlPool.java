package dev.interlock.evidence;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** The connection pool that an application gives to a library. */
final class SqlPool {

    private SqlPool() {}

    /** With its default settings. */
    static HikariDataSource open(String uri) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(uri);
        return new HikariDataSource(config);
    }

    /** That fails within a second if it has no connection. */
    static HikariDataSource openImpatient(String uri) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(uri);
        config.setConnectionTimeout(1_000);
        return new HikariDataSource(config);
    }

    /** With time-outs that let a holder learn of a dead network before its lease ends. */
    static HikariDataSource openQuick(String uri) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(uri + "&socketTimeout=1&connectTimeout=1");
        config.setConnectionTimeout(1_000);
        return new HikariDataSource(config);
    }
}
