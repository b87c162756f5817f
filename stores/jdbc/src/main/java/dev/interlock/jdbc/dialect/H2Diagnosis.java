package dev.interlock.jdbc.dialect;

import dev.interlock.support.Examination;
import java.sql.SQLException;

/** Looks at an H2 database. */
record H2Diagnosis(Values database, Examination found) {

    void run() {
        found.attempt("server", "", () -> found.good("server", "H2 " + database.text("SELECT H2VERSION()")));
        found.attempt("topology", "", this::topology);
    }

    private void topology() throws SQLException {
        String url = database.connection().getMetaData().getURL();
        if (url.startsWith("jdbc:h2:tcp:") || url.startsWith("jdbc:h2:ssl:")) {
            found.note(
                    "topology",
                    "a server without replicas: while it is down, nobody acquires a lock",
                    "use PostgreSQL or MariaDB if that may not be");
        } else if (database.text("SELECT DATABASE_PATH()").isEmpty()) {
            found.warn(
                    "topology",
                    "the database is in the memory of this process: no other one sees its locks",
                    "use it for tests only");
        } else {
            found.warn(
                    "topology",
                    "the database is a file that this process has opened: sharing it between processes has lost "
                            + "commits",
                    "use SQLite, or a server of H2 by jdbc:h2:tcp://");
        }
    }
}
