package dev.interlock.jdbc.claims;

import dev.interlock.LockStatus;
import dev.interlock.jdbc.dialect.SqlStatement;
import dev.interlock.jdbc.session.Parameters;
import dev.interlock.jdbc.session.Session;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Inspects one name, or lists those in use. Reads only, without any lock in the database. */
public final class InspectOperation {

    private final Session session;
    private final NameTables tables;

    public InspectOperation(Session session) {
        this.session = session;
        this.tables = new NameTables(session);
    }

    public LockStatus one(LockId id) throws SQLException {
        return found(id).orElseGet(() -> LoadedName.unused(id));
    }

    /** Lists the names first, and then inspects each by itself: a name that is released in between is left out. */
    public List<LockStatus> list(String prefix, int limit) throws SQLException {
        Parameters values = new Parameters().withName("prefix", prefix).with("limit", limit);
        List<Optional<LockId>> ids = session.query(
                SqlStatement.CATALOG, values, row -> id(session.dialect().decodedName(row, 1), row.getString(2)));
        List<LockStatus> listed = new ArrayList<>();
        for (LockId id : ids.stream().flatMap(Optional::stream).toList()) {
            found(id).filter(status -> status.isLocked() || counts(status)).ifPresent(listed::add);
        }
        listed.sort(Comparator.comparing(LockStatus::name).thenComparing(LockStatus::kind));
        return listed;
    }

    /** Empty if it is not a valid name or kind: anybody may have written such a row. */
    private static Optional<LockId> id(String name, String kind) {
        try {
            return Optional.of(new LockId(name, LockKind.valueOf(kind)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private Optional<LockStatus> found(LockId id) throws SQLException {
        return tables.inspect(id).map(LoadedName::status);
    }

    private static boolean counts(LockStatus status) {
        return status.kind() == LockKind.LATCH && status.count() > 0;
    }
}
