package dev.interlock.jdbc;

import dev.interlock.LockStatus;
import dev.interlock.spi.LockId;
import java.sql.SQLException;
import java.util.Optional;

/** Inspects one name. Reads only, without any lock in the database. */
final class InspectOperation {

    private final NameTables tables;

    InspectOperation(Session session) {
        this.tables = new NameTables(session);
    }

    LockStatus one(LockId id) throws SQLException {
        return found(id).orElseGet(() -> LoadedName.unused(id));
    }

    /** Empty if the name has no row. */
    Optional<LockStatus> found(LockId id) throws SQLException {
        return tables.inspect(id).map(LoadedName::status);
    }
}
