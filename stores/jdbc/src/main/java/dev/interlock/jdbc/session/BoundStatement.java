package dev.interlock.jdbc.session;

import dev.interlock.jdbc.dialect.SqlStatement;

/**
 * A statement with its parameters, to be run together with others.
 *
 * @param reader reads each row of the result, if there is one
 */
public record BoundStatement(SqlStatement statement, Parameters parameters, RowReader<?> reader) {

    public BoundStatement(SqlStatement statement, Parameters parameters) {
        this(statement, parameters, found -> true);
    }
}
