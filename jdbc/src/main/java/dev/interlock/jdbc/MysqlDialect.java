package dev.interlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** MariaDB 10.6 and later, MySQL 8 and later, with InnoDB. */
final class MysqlDialect extends ServerDialect {

    /** A row lock not got in time; a row that was changed since it was read, as MariaDB says it. Both have an SQL state that says nothing. */
    private static final Set<Integer> CONTENTION = Set.of(1205, 1020);

    /** Not {@code SYSDATE}, which a setting of the server may turn into something else, and in UTC: local times come twice in a night of autumn. */
    private static final String NOW = "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) DIV 1000)";

    /** A row that is in another's hands is not waited for: it comes round again. MySQL, which can wait no shorter than usual, takes it for a comment. */
    private static final String AT_ONCE = "/*M! SET STATEMENT innodb_lock_wait_timeout = 0 FOR */ ";

    MysqlDialect() {
        super("mysql", CONTENTION);
    }

    @Override
    void set(Connection connection, Restoration restoration) throws SQLException {
        restoration.number(
                connection,
                "SELECT @@SESSION.innodb_lock_wait_timeout",
                "SET SESSION innodb_lock_wait_timeout = ",
                PATIENCE.toSeconds());
    }

    @Override
    public String sql(Step step) {
        String text =
                switch (step) {
                    case ENSURE -> "INSERT IGNORE " + CommonSql.NEW_NAME;
                    case SWEEP_CLAIM, SWEEP_NAME -> AT_ONCE + CommonSql.of(step);
                    default -> CommonSql.of(step);
                };
        return text.replace("{now}", NOW).replace("{end}", "CONCAT(:prefix, x'FF')");
    }

    /** One command each: the driver would send two. */
    @Override
    public void begin(Session session) throws SQLException {
        session.command("START TRANSACTION");
    }

    @Override
    public void commit(Session session) throws SQLException {
        session.command("COMMIT");
    }

    @Override
    public void rollback(Session session) throws SQLException {
        session.command("ROLLBACK");
    }
}
