package dev.interlock.jdbc.dialect;

import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.connection.ConnectionSettings;
import dev.interlock.jdbc.connection.WaitLimits;
import dev.interlock.support.Examination;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** H2 2.2 and later: in memory for tests of one JVM, or as a server. */
final class H2Dialect extends ServerDialect {

    /** A row lock was not granted in time; another transaction has inserted the same row. */
    private static final Set<Integer> CONTENTION = Set.of(50200, 23505);

    /**
     * The time at which the first command of the transaction that asks for it began. The row of a name is locked before
     * that: a time from before a wait for the row would be earlier than what others have written meanwhile.
     */
    private static final String NOW = "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS BIGINT)";

    H2Dialect() {
        super("h2", CONTENTION);
    }

    @Override
    void set(Connection connection, ConnectionSettings settings) throws SQLException {
        String mode = new Values(connection)
                .text("SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'MODE'");
        if (mode.equals("Oracle")) {
            throw new StoreUnavailableException(
                    "H2 in this mode takes an empty text for none, which the tables of Interlock do not have: MODE="
                            + mode + "; use another mode, or a database of its own",
                    null);
        }
        settings.set(
                connection,
                "SELECT LOCK_TIMEOUT()",
                "SET LOCK_TIMEOUT ",
                Long.toString(WaitLimits.LOCK_WAIT.toMillis()));
    }

    /** False, since an interrupt may close the file that H2 writes. */
    @Override
    public boolean limitsStatementTime() {
        return false;
    }

    @Override
    public boolean skipsLockedRows() {
        return false;
    }

    @Override
    public String sql(SqlStatement statement) {
        String text = statement == SqlStatement.INSERT_NAME ? "INSERT " + CommonSql.NEW_NAME : CommonSql.of(statement);
        return text.replace("{now}", NOW)
                .replace("{end}", "CAST(:prefix AS VARBINARY) || X'FF'")
                .replaceAll(CommonSql.LIMIT, "FETCH FIRST $1 ROWS ONLY");
    }

    @Override
    public void examine(Connection connection, String prefix, Examination found) {
        new H2Diagnosis(new Values(connection), found).run();
    }

    @Override
    public String clockQuery() {
        return "SELECT " + NOW;
    }
}
