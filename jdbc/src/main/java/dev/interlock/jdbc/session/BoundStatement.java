package dev.interlock.jdbc.session;

import dev.interlock.jdbc.dialect.SqlStatement;

/**
 * A step to be run beside others.
 *
 * @param row what to do with each row that it finds, if it finds any
 */
public record BoundStatement(SqlStatement step, Parameters values, RowReader<?> row) {

    public BoundStatement(SqlStatement step, Parameters values) {
        this(step, values, found -> true);
    }
}
