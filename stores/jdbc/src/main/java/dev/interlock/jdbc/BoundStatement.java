package dev.interlock.jdbc;

import dev.interlock.jdbc.dialect.SqlStatement;

/**
 * A statement with its parameters, to be run together with others.
 *
 * @param reader reads each row of the result, if there is one
 */
record BoundStatement(SqlStatement statement, Parameters parameters, RowReader<?> reader) {

    BoundStatement(SqlStatement statement, Parameters parameters) {
        this(statement, parameters, found -> true);
    }
}
