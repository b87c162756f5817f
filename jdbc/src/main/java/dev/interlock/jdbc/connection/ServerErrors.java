package dev.interlock.jdbc.connection;

import dev.interlock.StoreUnavailableException;
import java.sql.SQLException;
import java.util.Set;

/** Describes an error of a database server in one line, with what to do about it. */
public final class ServerErrors {

    /**
     * MySQL and MariaDB: no right to a command, a column or a database. They share their SQL state with errors of
     * syntax.
     */
    private static final Set<Integer> DENIED = Set.of(1142, 1143, 1044, 1227);

    /** MySQL and MariaDB: the server or the transaction is read-only. */
    private static final Set<Integer> READ_ONLY = Set.of(1290, 1792, 1836);

    /** MySQL, MariaDB and H2: a row lock was not granted in time. Their SQL states are less specific. */
    private static final Set<Integer> LOCKED = Set.of(1205, 50200);

    /**
     * MySQL and MariaDB: the binary log accepts only statements, which is impossible for transactions that see the
     * commits of others.
     */
    private static final int STATEMENT_LOG = 1665;

    /** H2: missing rights. */
    private static final int H2_DENIED = 90096;

    private ServerErrors() {}

    public static StoreUnavailableException explained(SQLException e, String url, String prefix, String dialect) {
        return new StoreUnavailableException(
                problem(e, prefix, dialect) + ": database=" + url + ", state=" + e.getSQLState() + " (" + oneLine(e)
                        + ")",
                e);
    }

    /** Describes why no connection could be opened. */
    static StoreUnavailableException unreachable(SQLException e, String url) {
        String state = String.valueOf(e.getSQLState());
        String problem =
                switch (state.length() < 2 ? "" : state.substring(0, 2)) {
                    case "28" -> "The database refuses this user or its password";
                    case "3D", "42" -> "The database does not exist, or is not for this user";
                    default -> "The database cannot be reached, or has no connection left";
                };
        return new StoreUnavailableException(
                problem + ": database=" + url + ", state=" + state + " (" + oneLine(e) + ")", e);
    }

    /** Whether the user lacks a right. */
    public static boolean isDenied(SQLException e) {
        return "42501".equals(e.getSQLState()) || DENIED.contains(e.getErrorCode()) || e.getErrorCode() == H2_DENIED;
    }

    private static String problem(SQLException e, String prefix, String dialect) {
        String state = String.valueOf(e.getSQLState());
        if (isDenied(e)) {
            return "This user may not create, or not use, the tables " + prefix
                    + "_*: let one who may run what `interlock schema --dialect " + dialect + " --prefix " + prefix
                    + "` prints, and grant SELECT, INSERT, UPDATE and DELETE on " + prefix + "_lock and " + prefix
                    + "_claim, and SELECT and UPDATE on " + prefix + "_fence";
        }
        if (state.equals("25006") || READ_ONLY.contains(e.getErrorCode())) {
            return "The database is read-only, as a replica is: name the primary";
        }
        if (e.getErrorCode() == STATEMENT_LOG) {
            return "The server writes statements to its binary log: set binlog_format to MIXED or ROW";
        }
        if (state.startsWith("08") || state.startsWith("57P")) {
            return "The connection to the database broke";
        }
        if (state.startsWith("40") || state.equals("55P03") || LOCKED.contains(e.getErrorCode())) {
            return "Others kept the tables " + prefix + "_* locked for over " + WaitLimits.LOCK_WAIT.toMillis() + " ms";
        }
        if (state.startsWith("42")) {
            return "The tables " + prefix + "_* are not as Interlock made them: drop them, or use another table prefix";
        }
        return "The database cannot be used";
    }

    private static String oneLine(SQLException e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s+", " ").strip();
    }
}
