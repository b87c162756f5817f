/**
 * Locks in an SQL database. The drivers are optional: add the one of your database; the service loader finds it.
 *
 * <p>Only {@link dev.interlock.jdbc} is exported. The other packages are public to each other alone. The driver of
 * PostgreSQL is an automatic module, whose name its manifest declares.
 */
@SuppressWarnings("requires-automatic")
module dev.interlock.jdbc {
    requires transitive dev.interlock;
    requires transitive dev.interlock.fence;
    requires transitive java.sql;
    requires transitive dev.interlock.support;
    requires static org.checkerframework.checker.qual;
    requires static org.jspecify;
    requires static org.postgresql.jdbc;
    requires static org.xerial.sqlitejdbc;

    exports dev.interlock.jdbc;

    uses java.sql.Driver;

    provides dev.interlock.spi.LockStoreProvider with
            dev.interlock.jdbc.JdbcStoreProvider;
}
