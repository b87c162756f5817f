package dev.interlock.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cause is named by the exact code, not by its class; and what the server said is always there. */
class ServerErrorsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "42P01 | 0    | relation does not exist                        | not as Interlock made them",
                "42S22 | 1054 | Unknown column                                 | not as Interlock made them",
                "42501 | 0    | permission denied for table                    | grant SELECT",
                "42501 | 0    | query would be affected by row-level security  | or let the user bypass it",
                "42000 | 1142 | SELECT command denied                          | grant SELECT",
                "42000 | 1064 | You have an error in your SQL syntax           | does not accept a statement",
                "42601 | 0    | syntax error at or near                        | does not accept a statement",
                "42000 | 1104 | The SELECT would examine more than             | does not accept a statement",
                "25006 | 0    | cannot execute UPDATE in a read-only           | read-only, as a replica is",
                "HY000 | 1290 | running with the --read-only option            | read-only, as a replica is",
                "HY000 | 1290 | running with the --super-read-only option      | read-only, as a replica is",
                "HY000 | 1290 | running with the --secure-file-priv option     | An option of the server forbids",
                "HY000 | 1836 | Running in read-only mode                      | read-only, as a replica is",
                "HY000 | 1665 | Cannot execute statement: binary log           | set binlog_format",
                "40P01 | 0    | deadlock detected                              | kept the tables interlock_* locked",
                "40003 | 0    | statement completion unknown                   | cannot be used",
                "08P01 | 0    | bind message has 21 result formats             | do not understand each other",
                "08006 | 0    | An I/O error occurred                          | connection to the database broke",
                "57P01 | 0    | terminating connection                         | connection to the database broke",
                "57014 | 0    | canceling statement due to statement timeout   | cancelled a statement"
            })
    void failedStatement_isExplained_byItsCode(String state, int code, String message, String words) {
        SQLException failure = new SQLException(message, state, code);

        assertThat(ServerErrors.explained(failure, "jdbc:x://host/db", "interlock", "mysql"))
                .hasMessageContaining(words)
                .hasMessageContaining(message)
                .hasMessageContaining(state)
                .hasCause(failure);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "28P01 | 0    | password authentication failed | refuses this user",
                "3D000 | 0    | database does not exist        | does not exist, or is not for this user",
                "42000 | 1049 | Unknown database               | does not exist, or is not for this user",
                "42000 | 1044 | Access denied to database      | does not exist, or is not for this user",
                "42000 | 1064 | You have an error              | cannot be connected to",
                "53300 | 0    | too many clients already       | has no connection left",
                "08004 | 1040 | Too many connections           | has no connection left",
                "08001 | 0    | Connection refused             | cannot be reached"
            })
    void failedConnect_isExplained_byItsCode(String state, int code, String message, String words) {
        SQLException failure = new SQLException(message, state, code);

        assertThat(ServerErrors.unreachable(failure, "jdbc:x://host/db"))
                .hasMessageContaining(words)
                .hasMessageContaining(message)
                .hasCause(failure);
    }
}
