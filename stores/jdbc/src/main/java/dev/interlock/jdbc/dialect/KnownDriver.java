package dev.interlock.jdbc.dialect;

import dev.interlock.spi.StoreRefusal;
import dev.interlock.support.OldDriver;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** The drivers that the store knows, and the least version of each that it works with. It does not judge others. */
enum KnownDriver {
    POSTGRESQL("PostgreSQL JDBC Driver", "org.postgresql:postgresql", 42, 2, "postgresql.version"),
    MARIADB("MariaDB Connector/J", "org.mariadb.jdbc:mariadb-java-client", 2, 7, "mariadb.version"),
    H2("H2 JDBC Driver", "com.h2database:h2", 2, 2, "h2.version"),
    SQLITE("SQLite JDBC", "org.xerial:sqlite-jdbc", 3, 42, "sqlite-jdbc.version");

    /** As the driver calls itself. */
    private final String title;

    private final String artifact;
    private final int major;
    private final int minor;
    private final String property;

    KnownDriver(String title, String artifact, int major, int minor, String property) {
        this.title = title;
        this.artifact = artifact;
        this.major = major;
        this.minor = minor;
        this.property = property;
    }

    /**
     * Checks the driver of a connection. No driver asks its server for this.
     *
     * @throws IllegalStateException if it is too old
     */
    static void check(DatabaseMetaData connected) throws SQLException {
        String title = connected.getDriverName();
        for (KnownDriver known : values()) {
            if (known.title.equals(title)) {
                known.checkVersion(connected);
            }
        }
    }

    private void checkVersion(DatabaseMetaData connected) throws SQLException {
        int found = connected.getDriverMajorVersion();
        if (found < major || (found == major && connected.getDriverMinorVersion() < minor)) {
            throw new StoreRefusal(
                    OldDriver.refusal(artifact, major + "." + minor, property, connected.getDriverVersion()));
        }
    }
}
