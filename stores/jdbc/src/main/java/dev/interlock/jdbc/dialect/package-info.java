/**
 * The differences between databases. {@link dev.interlock.jdbc.dialect.SqlStatement} names every statement that the
 * store runs; {@link dev.interlock.jdbc.dialect.Dialect} gives its text, and answers what the database can do. Begin
 * with {@code CommonSql}, which has the statements that all databases share; {@code PostgresSql}, {@code SqliteSql} and
 * {@code MysqlDialect} replace some of them. {@link dev.interlock.jdbc.dialect.SchemaScript} creates the tables.
 */
@NullMarked
package dev.interlock.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
