package dev.interlock.jdbc;

import dev.interlock.jdbc.connection.TablePrefix;
import dev.interlock.jdbc.dialect.SchemaScript;
import java.util.List;

/**
 * The tables, as a script for each database: the same script that {@link JdbcStore} runs when it finds no tables, and
 * that {@code interlock schema} prints for Flyway, Liquibase or a person.
 */
public final class Schema {

    private Schema() {}

    /** The databases that have a script, by the names that {@link #script} accepts. */
    public static List<String> dialects() {
        return List.of("postgresql", "mariadb", "mysql", "h2", "sqlite");
    }

    /**
     * The script that creates the tables. It changes nothing where they exist.
     *
     * @param dialect one of {@link #dialects()}
     * @param tablePrefix how the names of the tables begin, as in {@link JdbcStore#over(javax.sql.DataSource, String)}
     * @throws IllegalArgumentException if the dialect is unknown or the prefix is not allowed; the message says which
     *     are allowed
     */
    public static String script(String dialect, String tablePrefix) {
        if (!dialects().contains(dialect)) {
            throw new IllegalArgumentException(
                    "A dialect must be one of " + String.join(", ", dialects()) + ": '" + dialect + "'");
        }
        return new SchemaScript(dialect).text(TablePrefix.checked(tablePrefix));
    }
}
