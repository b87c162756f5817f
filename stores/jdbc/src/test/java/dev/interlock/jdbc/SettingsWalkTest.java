package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.jdbc.fixture.FileTest;
import dev.interlock.jdbc.fixture.Strange;
import dev.interlock.jdbc.fixture.TestDatabase;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.MariaDbServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every variable of a session that the server lists, and every option that the driver lists, with each value that looks
 * as if it could matter. The store works or refuses; no answer may be wrong. {@link SessionSettingsTest} has those that
 * are known to matter, with which it must work. The short form takes some of the values.
 */
@Tag("wide")
class SettingsWalkTest extends FileTest {

    private static final List<String> SAMPLES = List.of("0", "1", "2", "10", "'ON'", "'OFF'", "''", "-1", "4294967295");

    /** They concern the whole process, end the session, or make the test itself wait. */
    private static final Set<String> LEFT_OUT = Set.of(
            "hard_heap_limit",
            "soft_heap_limit",
            "temp_store_directory",
            "data_store_directory",
            "debug_sync",
            "post_auth_delay",
            "pre_auth_delay");

    private static final int SHORT_STEP = 17;

    private final List<String> wrong = new ArrayList<>();
    private int tried;
    private int worked;
    private int refused;

    @Test
    void postgres_settings() throws SQLException {
        String url = TestDatabase.POSTGRESQL.newUrl(directory);
        List<List<String>> settings = rows(
                url,
                "SELECT name, vartype, coalesce(array_to_string(enumvals, ','), ''), min_val, max_val, setting"
                        + " FROM pg_settings WHERE context IN ('user', 'superuser') ORDER BY name");
        for (List<String> setting : settings) {
            List<String> values =
                    switch (setting.get(1)) {
                        case "bool" -> List.of("on", "off");
                        case "enum" -> List.of(setting.get(2).split(","));
                        case "integer", "real" -> List.of(setting.get(3), "1", setting.get(4));
                        default -> List.of("''", "'x'");
                    };
            for (String value : values) {
                walk(
                        url,
                        setting.get(0),
                        "SET " + setting.get(0) + " = " + (setting.get(1).equals("enum") ? "'" + value + "'" : value));
            }
        }
        assertWalked();
    }

    @Test
    void mariaDb_variables() throws SQLException {
        String url = TestDatabase.MARIADB.newUrl(directory);
        for (List<String> variable : rows(url, "SHOW SESSION VARIABLES")) {
            Set<String> values = new LinkedHashSet<>(SAMPLES);
            if (!MariaDbServer.isMySql()) {
                rows(
                                url,
                                "SELECT coalesce(enum_value_list, ''), numeric_min_value, numeric_max_value"
                                        + " FROM information_schema.system_variables WHERE variable_name = '"
                                        + variable.get(0) + "'")
                        .forEach(known -> {
                            for (String name : known.get(0).split(",", -1)) {
                                values.add("'" + name + "'");
                            }
                            values.add(known.get(1));
                            values.add(known.get(2));
                        });
            }
            for (String value : values) {
                walk(url, variable.get(0), "SET SESSION " + variable.get(0) + " = " + value);
            }
        }
        assertWalked();
    }

    @Test
    void sqlite_pragmas() throws SQLException {
        for (List<String> pragma : rows(TestDatabase.SQLITE.newUrl(directory), "PRAGMA pragma_list")) {
            for (String value : List.of("0", "1", "2", "3", "'UTF-16'", "'EXCLUSIVE'", "-1", "100000")) {
                walk(TestDatabase.SQLITE.newUrl(directory), pragma.get(0), "PRAGMA " + pragma.get(0) + " = " + value);
            }
        }
        assertWalked();
    }

    @Test
    void h2_settings() throws SQLException {
        for (List<String> setting : rows(
                TestDatabase.H2.newUrl(directory),
                "SELECT setting_name, setting_value FROM information_schema.settings")) {
            for (String value : List.of("TRUE", "FALSE", "0", "1", "2", "1000000")) {
                walkOption(TestDatabase.H2, ";" + setting.get(0) + "=" + value);
            }
        }
        assertWalked();
    }

    @ParameterizedTest
    @EnumSource(
            value = TestDatabase.class,
            names = {"POSTGRESQL", "MARIADB", "SQLITE"})
    void driver_options(TestDatabase database) throws SQLException {
        String url = database.newUrl(directory);
        String separator = url.contains("?") ? "&" : "?";
        for (DriverPropertyInfo option : DriverManager.getDriver(url).getPropertyInfo(url, new Properties())) {
            Set<String> values = new LinkedHashSet<>(List.of("true", "false", "-1", "0", "1"));
            if (option.choices != null) {
                values.addAll(List.of(option.choices));
            }
            for (String value : values) {
                if (value.matches("[\\w-]+") && isWalked(option.name)) {
                    walkOption(database, separator + option.name + "=" + value);
                }
            }
        }
        assertWalked();
    }

    /** Not what says where and who. */
    private static boolean isWalked(String option) {
        return !option.matches("(?i).*(host|port|user|password|dbname|socket|timeout|replication|service|ssl|gss|log"
                + "|file|path|plugin|factory|kerberos|jaas|sspi|retryCount|loginT).*");
    }

    private void walkOption(TestDatabase database, String option) {
        walk(database.newUrl(directory) + option, option);
    }

    private void walk(String url, String name, String... statements) {
        // A number that has no factor in common with how many values there are of each.
        if (LEFT_OUT.contains(name) || tried++ % Effort.pick(SHORT_STEP, 1) != 0 || !isPossible(url, statements)) {
            return;
        }
        try (Strange clients = new Strange(() -> JdbcStore.over(Strange.source(url, statements)))) {
            if (clients.firstRefusal() == null) {
                worked++;
            } else {
                refused++;
            }
        } catch (AssertionError e) {
            wrong.add(name + " " + List.of(statements) + ": " + e.getMessage());
        }
        release(url);
    }

    /** What a refused client has left behind must not be in the way of the next setting. */
    private static void release(String url) {
        try (Connection connection = DriverManager.getConnection(url.replaceFirst("[;&]\\w+=[\\w-]+$", ""));
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM interlock_claim");
            statement.execute("DELETE FROM interlock_lock");
        } catch (SQLException e) {
            // There are no tables: it was refused before.
        }
    }

    private static boolean isPossible(String url, String... statements) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
            return true;
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    private static List<List<String>> rows(String url, String query) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                List<String> columns = new ArrayList<>();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    columns.add(String.valueOf(row.getString(i)));
                }
                rows.add(columns);
            }
        }
        return rows;
    }

    private void assertWalked() {
        assertThat(wrong).isEmpty();
        assertThat(worked)
                .as("settings with which the store works; refused: %d", refused)
                .isGreaterThan(refused);
    }
}
