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
    private static final Set<Integer> READ_ONLY = Set.of(1792, 1836);

    /** MySQL and MariaDB: an option of the server, which the message names. */
    private static final int OPTION_PREVENTS = 1290;

    /** Rolled back, or not granted, because of others. */
    private static final Set<String> LOCKED_STATES = Set.of("40001", "40P01", "55P03");

    /** A table or a column is missing, or a column has another type. */
    private static final Set<String> OTHER_TABLES = Set.of("42P01", "42703", "42804", "42S02", "42S22", "42883");

    /** MySQL and MariaDB: there is no such database, or it is not for this user. H2: there is no such database. */
    private static final Set<Integer> NO_DATABASE = Set.of(1049, 1044, 90013, 90146, 90149);

    /** PostgreSQL, MySQL and MariaDB: all connections are in use. */
    private static final Set<Integer> FULL = Set.of(1040, 1203, 1226);

    /** MySQL, MariaDB and H2: a row lock was not granted in time. Their SQL states are less specific. */
    private static final Set<Integer> LOCKED = Set.of(1205, 50200);

    /**
     * MySQL and MariaDB: the binary log accepts only statements, which is impossible for transactions that see the
     * commits of others.
     */
    private static final int STATEMENT_LOG = 1665;

    /** PostgreSQL: the disk, or the memory, is full. */
    private static final Set<String> EXHAUSTED_STATES = Set.of("53100", "53200");

    /** MySQL and MariaDB: the disk, or a table, is full. */
    private static final Set<Integer> EXHAUSTED = Set.of(1021, 1114);

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
        String problem;
        if (state.startsWith("28")) {
            problem = "The database refuses this user or its password";
        } else if (state.startsWith("3D") || state.equals("42501") || NO_DATABASE.contains(e.getErrorCode())) {
            problem = "The database does not exist, or is not for this user";
        } else if (state.equals("53300") || FULL.contains(e.getErrorCode())) {
            problem = "The database has no connection left";
        } else if (state.startsWith("08")) {
            problem = "The database cannot be reached";
        } else {
            problem = "The database cannot be connected to";
        }
        return new StoreUnavailableException(
                problem + ": database=" + url + ", state=" + state + " (" + oneLine(e) + ")", e);
    }

    /** Whether the user lacks a right. */
    public static boolean isDenied(SQLException e) {
        return "42501".equals(e.getSQLState()) || DENIED.contains(e.getErrorCode()) || e.getErrorCode() == H2_DENIED;
    }

    /**
     * Whether the error is about a statement, a right or a value, and would be the same on another connection to the
     * same database.
     */
    public static boolean isOfStatement(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return isDenied(e) || state.startsWith("42") || state.startsWith("22") || state.startsWith("23");
    }

    /** Whether the server has refused a statement in a way in which it would refuse the next one, too. */
    public static boolean isRefusal(SQLException e) {
        return isOfStatement(e) || isReadOnly(e) || e.getErrorCode() == OPTION_PREVENTS || isExhausted(e);
    }

    private static boolean isExhausted(SQLException e) {
        return EXHAUSTED_STATES.contains(String.valueOf(e.getSQLState())) || EXHAUSTED.contains(e.getErrorCode());
    }

    private static String problem(SQLException e, String prefix, String dialect) {
        String state = String.valueOf(e.getSQLState());
        if (isHidden(e)) {
            return "Row-level security hides rows of the tables " + prefix
                    + "_* from this user, so that a holder might be overlooked: disable it for these tables, or let the"
                    + " user bypass it";
        }
        if (isDenied(e)) {
            return "This user may not create, or not use, the tables " + prefix
                    + "_*: let one who may run what `interlock schema --dialect " + dialect + " --prefix " + prefix
                    + "` prints, and grant SELECT, INSERT, UPDATE and DELETE on " + prefix + "_lock and " + prefix
                    + "_claim, and SELECT and UPDATE on " + prefix + "_fence";
        }
        if (isReadOnly(e)) {
            String primary = "The database is read-only, as a replica is: name the primary";
            return dialect.equals("postgresql")
                    ? primary + ", or reset default_transaction_read_only of this database and this user"
                    : primary;
        }
        if (e.getErrorCode() == OPTION_PREVENTS) {
            return "An option of the server forbids a statement of Interlock: change the option";
        }
        if (e.getErrorCode() == STATEMENT_LOG) {
            return "The server writes statements to its binary log: set binlog_format to MIXED or ROW";
        }
        if (LOCKED_STATES.contains(state) || LOCKED.contains(e.getErrorCode())) {
            return "Others kept the tables " + prefix + "_* locked for over " + WaitLimits.LOCK_WAIT.toMillis() + " ms";
        }
        if (OTHER_TABLES.contains(state)) {
            return "The tables " + prefix + "_* are not as Interlock made them: drop them, or use another table prefix";
        }
        if (state.startsWith("42")) {
            return "The database does not accept a statement of Interlock: see whether its version, and a mode that was"
                    + " set for it, are among those in docs/sql.md";
        }
        if (state.equals("08P01")) {
            return "The driver and the database do not understand each other: use another version or mode of the"
                    + " driver";
        }
        if (state.startsWith("08") || state.startsWith("57P")) {
            return "The connection to the database broke";
        }
        if (state.equals("57014")) {
            return "The database cancelled a statement, by a limit of time or for somebody";
        }
        return "The database cannot be used";
    }

    /** The code is also that of a missing right; only the words tell, and a server may say them in another language. */
    private static boolean isHidden(SQLException e) {
        return "42501".equals(e.getSQLState()) && oneLine(e).contains("row-level security");
    }

    /** The code for any option is also that of a read-only server, and only the words tell which. */
    private static boolean isReadOnly(SQLException e) {
        return "25006".equals(e.getSQLState())
                || READ_ONLY.contains(e.getErrorCode())
                || (e.getErrorCode() == OPTION_PREVENTS && oneLine(e).matches("(?i).*read[-_]only.*"));
    }

    private static String oneLine(SQLException e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s+", " ").strip();
    }
}
