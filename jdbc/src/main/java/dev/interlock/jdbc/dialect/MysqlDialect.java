package dev.interlock.jdbc.dialect;

import dev.interlock.jdbc.connection.ConnectionSettings;
import dev.interlock.jdbc.connection.WaitLimits;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** MariaDB 10.6 and later, MySQL 8 and later, with InnoDB. */
final class MysqlDialect extends ServerDialect {

    /**
     * A row lock not got in time; a row that was changed since it was read, as MariaDB says it. Both have an SQL state
     * that says nothing.
     */
    private static final Set<Integer> CONTENTION = Set.of(1205, 1020);

    /**
     * Not {@code SYSDATE}, which a setting of the server may turn into something else, and in UTC: local times come
     * twice in a night of autumn.
     */
    private static final String NOW = "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) DIV 1000)";

    private static final int TRIED_AT_ONCE = 32;

    private boolean isMariaDb;

    MysqlDialect() {
        super("mysql", CONTENTION);
    }

    @Override
    void set(Connection connection, ConnectionSettings restoration) throws SQLException {
        isMariaDb = connection.getMetaData().getDatabaseProductName().equals("MariaDB");
        restoration.number(
                connection,
                "SELECT @@SESSION.innodb_lock_wait_timeout",
                "SET SESSION innodb_lock_wait_timeout = ",
                WaitLimits.LOCK_WAIT.toSeconds());
    }

    @Override
    public String sql(SqlStatement step) {
        String text =
                switch (step) {
                    case ENSURE -> "INSERT IGNORE " + CommonSql.NEW_NAME;
                    // A look at all rows, which a small table invites to, would lock those of others for a moment.
                    case TRY_LOCK, TRY_LOCK_CLAIM ->
                        CommonSql.tryLock(step, TRIED_AT_ONCE).replace(" WHERE", " FORCE INDEX (PRIMARY) WHERE");
                    default -> CommonSql.of(step);
                };
        return text.replace("{now}", NOW).replace("{end}", "CONCAT(:prefix, x'FF')");
    }

    /** MySQL looks once in a second for waits that have lasted for more than one: they end after two. */
    @Override
    public boolean endsWaitsInTime() {
        return isMariaDb;
    }

    @Override
    public boolean passesByLocks() {
        return false;
    }

    @Override
    public int triedAtOnce() {
        return TRIED_AT_ONCE;
    }

    /** One command: the driver would send two. */
    @Override
    public String beginCommand() {
        return "START TRANSACTION";
    }
}
