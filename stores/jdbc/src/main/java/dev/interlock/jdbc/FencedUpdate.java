package dev.interlock.jdbc;

import dev.interlock.fence.FenceVerdict;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An update of one row that becomes impossible once a later holder has updated the row: {@code update orders set status
 * = ?, fence = ? where id = ? and fence between 0 and ?}.
 *
 * <pre>{@code
 * FencedUpdate pay = FencedUpdate.of("orders", "id", "fence", "status");
 * try (Lease lease = lock.acquire()) {
 *   FenceVerdict verdict = pay.execute(connection, orderId, lease.token(), "paid");
 * }
 * }</pre>
 *
 * <p>The row keeps the largest token beside its data, in a column {@code bigint not null default 0}. A column of
 * another type than an exact number refuses everybody: a text of 9 is more than one of 10, MySQL takes 'abc' for 0, and
 * a double does not tell neighbouring tokens apart. So does a value that is no token. A lease may update the row as
 * often as it likes. No two leases of a name have the same token, so a token needs no owner. The update runs on the
 * application's connection and in its transaction, and works in every SQL database. Everybody who updates the row under
 * the lock must do so by such an update. Immutable, thread-safe.
 */
// The annotations of null are optional for callers.
@SuppressWarnings("exports")
public final class FencedUpdate {

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*");

    /** The types of columns in which every token has its place. */
    private static final Set<Integer> EXACT =
            Set.of(Types.BIGINT, Types.INTEGER, Types.SMALLINT, Types.TINYINT, Types.NUMERIC, Types.DECIMAL);

    private final List<String> columns;
    private final String update;
    private final String select;
    private final String describe;
    private final String guard;

    private FencedUpdate(String table, String key, String fence, List<String> columns) {
        this.columns = columns;
        this.update = "update " + table + " set " + String.join(" = ?, ", columns) + " = ?, " + fence + " = ? where "
                + key + " = ? and " + fence + " between 0 and ?";
        this.select = "select " + fence + " from " + table + " where " + key + " = ?";
        this.describe = "select " + fence + " from " + table + " where 1 = 0";
        this.guard = "column " + fence + " of table " + table;
    }

    /**
     * An update of these columns.
     *
     * @param table the table. All names consist of letters, digits, underscores and dots
     * @param key the column that identifies a row
     * @param fence the column of the largest token
     * @param columns the columns to update, at least one
     * @throws IllegalArgumentException if a name has other characters, or there is no column
     */
    public static FencedUpdate of(String table, String key, String fence, String... columns) {
        List<String> names = new ArrayList<>(List.of(table, key, fence));
        names.addAll(List.of(columns));
        for (String name : names) {
            if (!IDENTIFIER.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "A name of a table or column is of letters, digits, underscores and dots: '" + name + "'");
            }
        }
        if (columns.length == 0) {
            throw new IllegalArgumentException("A fenced update of table '" + table + "' must change a column");
        }
        return new FencedUpdate(table, key, fence, List.of(columns));
    }

    /** The statement. Its parameters are the values of the columns, the token, the key, and the token again. */
    public String sql() {
        return update;
    }

    /**
     * Updates the row, unless it has a larger token.
     *
     * @param key the row to update
     * @param token the fencing token of the writer's lease, positive
     * @param values one for each column
     * @return whether the row was updated, and its largest token. With a driver that counts changed rows only, as
     *     MySQL's does with {@code useAffectedRows=true}, an update that changes nothing counts as refused
     * @throws NoSuchElementException if there is no such row
     * @throws IllegalStateException if the fence column is of a type that does not compare tokens exactly, or holds
     *     what is no token, so that nothing was updated; or if several rows have the key: they have been updated, so
     *     roll back
     * @throws IllegalArgumentException if the token is not positive, or the number of values is wrong
     */
    public FenceVerdict execute(Connection connection, Object key, long token, @Nullable Object... values)
            throws SQLException {
        if (token <= 0) {
            throw new IllegalArgumentException("A fencing token must be positive: " + token);
        }
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(
                    "The columns are " + columns + ", but the number of values is " + values.length);
        }
        ensureExact(connection);
        int rows = update(connection, key, token, values);
        if (rows > 1) {
            throw new IllegalStateException("A fenced update must change one row, not " + rows + ": " + update);
        }
        return rows == 1 ? FenceVerdict.accept(token) : FenceVerdict.refuse(maximum(connection, key));
    }

    private void ensureExact(Connection connection) throws SQLException {
        // Described and not executed where the driver can: a read would begin the snapshot of the transaction.
        try (PreparedStatement statement = connection.prepareStatement(describe)) {
            ResultSetMetaData described = statement.getMetaData();
            if (described == null) {
                try (ResultSet nothing = statement.executeQuery()) {
                    ensureExact(nothing.getMetaData());
                }
            } else {
                ensureExact(described);
            }
        }
    }

    private void ensureExact(ResultSetMetaData described) throws SQLException {
        if (!EXACT.contains(described.getColumnType(1))) {
            throw new IllegalStateException("Tokens cannot be compared in " + guard + ", which is of type "
                    + described.getColumnTypeName(1) + ": nothing was updated; make it bigint not null default 0");
        }
    }

    private int update(Connection connection, Object key, long token, @Nullable Object[] values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            int parameter = 0;
            for (Object value : values) {
                statement.setObject(++parameter, value);
            }
            statement.setLong(++parameter, token);
            statement.setObject(++parameter, key);
            statement.setLong(++parameter, token);
            return statement.executeUpdate();
        }
    }

    private long maximum(Connection connection, Object key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(select)) {
            statement.setObject(1, key);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new NoSuchElementException("No row to update: key=" + key + ", " + update);
                }
                Object stored = row.getObject(1);
                BigDecimal maximum = stored instanceof Number number ? exact(number) : null;
                if (maximum == null) {
                    throw new IllegalStateException("The largest token cannot be read, since " + guard + " holds "
                            + kind(stored) + ": key=" + key + "; nothing was updated");
                }
                return maximum.longValueExact();
            }
        }
    }

    /** The number if it is a token, or the zero before the first; null otherwise. */
    private static @Nullable BigDecimal exact(Number number) {
        if (number instanceof Double || number instanceof Float) {
            return null;
        }
        BigDecimal exact = new BigDecimal(number.toString());
        boolean whole = exact.stripTrailingZeros().scale() <= 0;
        return whole && exact.signum() >= 0 && exact.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0 ? exact : null;
    }

    private static String kind(@Nullable Object stored) {
        if (stored == null) {
            return "NULL";
        } else if (stored instanceof Number number) {
            return number.doubleValue() < 0 ? "a negative number" : "a number that is no token";
        }
        return stored instanceof byte[] ? "binary data" : "a text";
    }
}
