package dev.interlock.jdbc.dialect;

import dev.interlock.jdbc.connection.ConnectionSettings;
import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.support.Examination;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** MariaDB 10.6 and later, MySQL 8 and later, with InnoDB. */
final class MysqlDialect extends ServerDialect {

    /**
     * A row lock was not granted in time; a row has changed since it was read (MariaDB). The SQL states of both are
     * unspecific.
     */
    private static final Set<Integer> CONTENTION = Set.of(1205, 1020);

    /**
     * Not {@code SYSDATE}, whose meaning depends on a setting of the server; and in UTC, since local times occur twice
     * in a night of autumn.
     */
    private static final String NOW = "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) DIV 1000)";

    private static final int TRIED_AT_ONCE = 32;

    private boolean isMariaDb;

    MysqlDialect() {
        super("mysql", CONTENTION);
    }

    @Override
    void set(Connection connection, ConnectionSettings settings) throws SQLException {
        isMariaDb = connection.getMetaData().getDatabaseProductName().equals("MariaDB");
        settings.setNumber(
                connection,
                "SELECT @@SESSION.innodb_lock_wait_timeout",
                "SET SESSION innodb_lock_wait_timeout = ",
                WaitLimits.LOCK_WAIT.toSeconds());
    }

    @Override
    public String sql(SqlStatement statement) {
        String text =
                switch (statement) {
                    case INSERT_NAME -> "INSERT IGNORE " + CommonSql.NEW_NAME;
                    // Without the hint, a scan of a small table would briefly lock the rows of others, too.
                    case TRY_LOCK_NAMES, TRY_LOCK_CLAIMS ->
                        CommonSql.tryLock(statement, TRIED_AT_ONCE).replace(" WHERE", " FORCE INDEX (PRIMARY) WHERE");
                    default -> CommonSql.of(statement);
                };
        return text.replace("{now}", NOW).replace("{end}", "CONCAT(:prefix, x'FF')");
    }

    /** False on MySQL: it checks once a second for waits of more than one second, so they end after two. */
    @Override
    public boolean endsLockWaitsInTime() {
        return isMariaDb;
    }

    @Override
    public boolean skipsLockedRows() {
        return false;
    }

    @Override
    public int tryLockBatch() {
        return TRIED_AT_ONCE;
    }

    /** One command: the driver would send two. */
    @Override
    public String beginCommand() {
        return "START TRANSACTION";
    }

    @Override
    public void examine(Connection connection, String prefix, Examination found) {
        new MysqlDiagnosis(new Values(connection), prefix, found).run();
    }

    @Override
    public String clockQuery() {
        return "SELECT " + NOW;
    }
}
