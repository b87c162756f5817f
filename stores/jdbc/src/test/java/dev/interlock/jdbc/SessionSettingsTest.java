package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.StoreUnavailableException;
import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.jdbc.fixture.Strange;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.testkit.server.MariaDbServer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The store keeps its contract, whatever a server, a proxy, a driver or a pool has set for its connections: the
 * settings that are known to change what a statement means. {@link SettingsWalkTest} tries all others.
 */
class SessionSettingsTest extends FileTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sql_select_limit = 1",
                "sql_select_limit = 0",
                "sql_select_limit = 10",
                "sql_safe_updates = 1",
                "sql_mode = 'ANSI'",
                "sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,IGNORE_SPACE,NO_BACKSLASH_ESCAPES'",
                "sql_mode = ''",
                "sql_mode = 'PAD_CHAR_TO_FULL_LENGTH,HIGH_NOT_PRECEDENCE,NO_UNSIGNED_SUBTRACTION'",
                "autocommit = 0",
                "completion_type = 1",
                "completion_type = 2",
                "timestamp = 1",
                "timestamp = 4000000000",
                "time_zone = '+13:00'",
                "TRANSACTION READ ONLY",
                "TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
                "collation_connection = utf8mb4_bin",
                "max_join_size = 1"
            })
    void mariaDb_settings(String setting) {
        works(TestDatabase.MARIADB, "", "SET SESSION " + setting);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sql_mode = 'ORACLE'", "sql_mode = 'ORACLE,EMPTY_STRING_IS_NULL'", "sql_mode = 'MSSQL'"})
    void mariaDb_modes(String setting) {
        if (!MariaDbServer.isMySql()) {
            works(TestDatabase.MARIADB, "", "SET SESSION " + setting);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sessionVariables=sql_select_limit=1",
                "useServerPrepStmts=true",
                "useAffectedRows=true",
                "rewriteBatchedStatements=true",
                "useBulkStmts=true",
                "allowMultiQueries=true",
                "defaultFetchSize=1",
                "autocommit=false",
                "transactionIsolation=REPEATABLE-READ",
                "disablePipeline=true"
            })
    void mariaDb_options(String option) {
        works(TestDatabase.MARIADB, "&" + option);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "standard_conforming_strings = off",
                "default_transaction_isolation = 'serializable'",
                "bytea_output = 'escape'",
                "TimeZone = 'Pacific/Apia'",
                "lc_messages = 'C'",
                "extra_float_digits = -15",
                "transform_null_equals = on"
            })
    void postgres_settings(String setting) {
        works(TestDatabase.POSTGRESQL, "", "SET " + setting);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "prepareThreshold=-1",
                "prepareThreshold=0",
                "prepareThreshold=1",
                "preferQueryMode=simple",
                "preferQueryMode=extendedForPrepared",
                "preferQueryMode=extendedCacheEverything",
                "autosave=always",
                "defaultRowFetchSize=1",
                "adaptiveFetch=true&defaultRowFetchSize=1",
                "binaryTransfer=false",
                "stringtype=unspecified",
                "reWriteBatchedInserts=true",
                "readOnly=true&readOnlyMode=always",
                "readOnly=true",
                "preparedStatementCacheQueries=0",
                "quoteReturningIdentifiers=false"
            })
    void postgres_options(String option) {
        works(TestDatabase.POSTGRESQL, "&" + option);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "REGULAR",
                "LEGACY",
                "DB2",
                "Derby",
                "HSQLDB",
                "MSSQLServer",
                "MySQL",
                "MariaDB",
                "PostgreSQL",
                "STRICT"
            })
    void h2_modes(String mode) {
        works(TestDatabase.H2, ";MODE=" + mode);
    }

    /** There an empty text is none, and the tables have none. */
    @ParameterizedTest
    @CsvSource("MODE=Oracle, MODE=Oracle")
    void h2_isRefused_byName(String setting, String name) {
        String url = TestDatabase.H2.newUrl(directory) + ";" + setting;
        try (Strange clients = new Strange(() -> JdbcStore.over(Strange.source(url)))) {
            assertThat(clients.refusal())
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(name);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "IGNORECASE=TRUE",
                "DATABASE_TO_UPPER=FALSE",
                "CASE_INSENSITIVE_IDENTIFIERS=TRUE",
                "AUTOCOMMIT=OFF",
                "LAZY_QUERY_EXECUTION=TRUE",
                "TIME ZONE=Pacific/Apia",
                "MAX_MEMORY_ROWS=1",
                "LOCK_MODE=0"
            })
    void h2_settings(String setting) {
        works(TestDatabase.H2, ";" + setting);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "query_only = 1",
                "full_column_names = 1",
                "short_column_names = 0",
                "count_changes = 1",
                "reverse_unordered_selects = 1",
                "recursive_triggers = 1",
                "read_uncommitted = 1",
                "case_sensitive_like = 1",
                "locking_mode = EXCLUSIVE",
                "encoding = 'UTF-16'",
                "encoding = 'UTF-16be'",
                "trusted_schema = 0",
                "cell_size_check = 1"
            })
    void sqlite_pragmas(String pragma) {
        works(TestDatabase.SQLITE, "", "PRAGMA " + pragma);
    }

    private void works(TestDatabase database, String options, String... statements) {
        String url = database.newUrl(directory) + options;
        try (Strange clients = new Strange(() -> JdbcStore.over(Strange.source(url, statements)))) {
            Throwable refusal = clients.refusal();
            if (refusal != null) {
                throw new AssertionError("refused: " + Stream.of(statements).toList() + options, refusal);
            }
        }
    }

    static Stream<TestDatabase> databases() {
        return Stream.of(TestDatabase.values());
    }

    /** Somebody who wraps the statements of all connections lets them return a few rows only. */
    @ParameterizedTest
    @MethodSource("databases")
    void answerThatWasCutShort_isRefused(TestDatabase database) {
        for (int most : new int[] {0, 1, 2, 5}) {
            String url = database.newUrl(directory);
            try (Strange clients = new Strange(() -> JdbcStore.over(CutAnswers.source(url, most)))) {
                assertThat(clients.refusal()).as("with %d rows", most).isNotNull();
            }
        }
    }
}
