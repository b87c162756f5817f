package dev.interlock.jdbc;

import dev.interlock.jdbc.connection.Resources;
import dev.interlock.jdbc.dialect.Dialect;
import dev.interlock.jdbc.dialect.NamedSql;
import dev.interlock.jdbc.dialect.SqlStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The prepared statements of a connection. For the thread that has the session lock of the {@link Worker}. */
final class StatementCache {

    private final Connection connection;
    private final Dialect dialect;
    private final String prefix;
    private final Map<List<SqlStatement>, Prepared> bySql = new HashMap<>();
    private final Map<String, PreparedStatement> byText = new HashMap<>();

    StatementCache(Connection connection, Dialect dialect, String prefix) {
        this.connection = connection;
        this.dialect = dialect;
        this.prefix = prefix;
    }

    /** The prepared statement, bound to these parameters. */
    PreparedStatement bound(SqlStatement sql, Parameters values) throws SQLException {
        Prepared prepared = prepared(List.of(sql));
        bind(prepared, values, 0, prepared.parameters.get(0));
        return prepared.statement;
    }

    /**
     * Several statements as one request, each bound to its parameters. Only where
     * {@link Dialect#acceptsMultipleStatements()}, if they are more than one.
     */
    PreparedStatement bound(List<BoundStatement> commands) throws SQLException {
        Prepared prepared =
                prepared(commands.stream().map(BoundStatement::statement).toList());
        int at = 0;
        for (int i = 0; i < commands.size(); i++) {
            List<String> names = prepared.parameters.get(i);
            bind(prepared, commands.get(i).parameters(), at, names);
            at += names.size();
        }
        return prepared.statement;
    }

    private void bind(Prepared prepared, Parameters values, int after, List<String> names) throws SQLException {
        for (int i = 0; i < names.size(); i++) {
            prepared.statement.setObject(after + i + 1, encoded(values.get(names.get(i))));
        }
    }

    private Object encoded(Object value) {
        if (value instanceof Parameters.Name name) {
            return dialect.encodedName(name.text());
        }
        return value instanceof Parameters.Word word ? dialect.storable(word.text()) : value;
    }

    private Prepared prepared(List<SqlStatement> statements) throws SQLException {
        Prepared prepared = bySql.get(statements);
        if (prepared == null) {
            List<NamedSql> parts = new ArrayList<>();
            for (SqlStatement sql : statements) {
                parts.add(NamedSql.parse(dialect.sql(sql), prefix));
            }
            String text = String.join(";\n", parts.stream().map(NamedSql::text).toList());
            prepared = new Prepared(
                    whole(connection.prepareStatement(text)),
                    parts.stream().map(NamedSql::parameters).toList());
            bySql.put(statements, prepared);
        }
        return prepared;
    }

    /**
     * Takes back what a driver or a pool may have set for all statements. Rows come at once: those that a driver
     * fetches later are gone after a commit in the same request.
     */
    private static PreparedStatement whole(PreparedStatement statement) throws SQLException {
        statement.setMaxRows(0);
        statement.setMaxFieldSize(0);
        statement.setFetchSize(0);
        return statement;
    }

    /** A statement without parameters. */
    PreparedStatement of(String sql) throws SQLException {
        PreparedStatement statement = byText.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            byText.put(sql, statement);
        }
        return statement;
    }

    void close() {
        bySql.values().forEach(prepared -> Resources.closeQuietly(prepared.statement));
        byText.values().forEach(Resources::closeQuietly);
    }

    /** @param parameters the names of the parameters of each statement */
    private record Prepared(PreparedStatement statement, List<List<String>> parameters) {}
}
