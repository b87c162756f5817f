package dev.interlock.jdbc.dialect;

import dev.interlock.support.Examination;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks at a PostgreSQL server. Every user may read these settings. */
record PostgresDiagnosis(Values server, String prefix, Examination found) {

    void run() {
        found.attempt("server", "", () -> found.good("server", "PostgreSQL " + setting("server_version")));
        found.attempt("rights", "", this::rights);
        found.attempt("persistence", "", this::persistence);
        found.attempt("failover", "", this::failover);
        found.attempt("encryption", "", this::encryption);
    }

    private void rights() throws SQLException {
        List<String> missing = new ArrayList<>();
        lacking("_lock", List.of("SELECT", "INSERT", "UPDATE", "DELETE"), missing);
        lacking("_claim", List.of("SELECT", "INSERT", "UPDATE", "DELETE"), missing);
        lacking("_fence", List.of("SELECT", "UPDATE"), missing);
        if (missing.isEmpty()) {
            found.good("rights", "the user has those that the three tables need");
        } else {
            found.bad("rights", "the user lacks " + String.join(", ", missing), "give them by GRANT");
        }
    }

    private void lacking(String table, List<String> rights, List<String> missing) throws SQLException {
        for (String right : rights) {
            if (!server.text("SELECT has_table_privilege(?, ?)", prefix + table, right)
                    .equals("t")) {
                missing.add(right + " on " + prefix + table);
            }
        }
    }

    private void persistence() throws SQLException {
        if (setting("fsync").equals("off")) {
            found.warn("persistence", "a crash of the machine may damage the database (fsync=off)", "set fsync = on");
        } else if (setting("synchronous_commit").equals("off")) {
            found.warn(
                    "persistence",
                    "a crash of the server forgets the locks of the last moment (synchronous_commit=off)",
                    "set synchronous_commit = on for this user or database");
        } else if (server.number(
                        "SELECT count(*) FROM pg_class WHERE relpersistence = 'u'"
                                + " AND oid IN (?::regclass, ?::regclass)",
                        prefix + "_lock",
                        prefix + "_claim")
                > 0) {
            found.warn(
                    "persistence",
                    "a crash of the server empties the tables, which are unlogged",
                    "ALTER TABLE ... SET LOGGED");
        } else {
            found.good("persistence", "a crash of the server forgets no lock");
        }
    }

    private void failover() throws SQLException {
        String names = setting("synchronous_standby_names");
        long replicas = server.number("SELECT count(*) FROM pg_stat_replication");
        if (!names.isEmpty() && !setting("synchronous_commit").equals("local")) {
            found.good("failover", "a synchronous replica has every lock (synchronous_standby_names=" + names + ")");
        } else if (replicas > 0) {
            found.note(
                    "failover",
                    "a failover forgets the locks that no replica has received yet; connected replicas: " + replicas,
                    "set synchronous_standby_names, or let resources refuse old tokens");
        } else {
            found.note(
                    "failover",
                    "no replica is connected: while the server is down, nobody acquires a lock",
                    "add a synchronous replica if that may not be");
        }
    }

    private void encryption() throws SQLException {
        String encrypted = server.text("SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
        if (encrypted.equals("true")) {
            found.good("encryption", "the connection uses TLS");
        } else {
            found.note(
                    "encryption",
                    "the connection does not use TLS",
                    "beyond this machine, add sslmode=verify-full to the URI");
        }
    }

    private String setting(String name) throws SQLException {
        return server.text("SELECT current_setting(?)", name);
    }
}
