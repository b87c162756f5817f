package dev.interlock.jdbc.dialect;

import dev.interlock.support.Examination;
import java.sql.SQLException;

/** Looks at a MariaDB or MySQL server. Every user may read these variables. */
record MysqlDiagnosis(Values server, String prefix, Examination found) {

    void run() {
        found.attempt(
                "server",
                "",
                () -> found.good(
                        "server", server.text("SELECT @@version_comment") + ", " + server.text("SELECT VERSION()")));
        found.attempt("tables", "", this::tables);
        found.attempt("persistence", "", this::persistence);
        found.attempt("failover", "", this::failover);
        found.attempt("encryption", "", this::encryption);
    }

    private void tables() throws SQLException {
        String other = server.text(
                "SELECT engine FROM information_schema.tables WHERE table_schema = DATABASE() "
                        + "AND table_name IN (?, ?, ?) AND engine <> 'InnoDB'",
                prefix + "_lock",
                prefix + "_claim",
                prefix + "_fence");
        if (!other.isEmpty()) {
            found.bad(
                    "tables",
                    "two clients can hold one lock: the tables have no transactions (ENGINE=" + other + ")",
                    "ALTER TABLE ... ENGINE=InnoDB");
        } else if (server.number("SELECT @@global.read_only") != 0) {
            found.bad("tables", "the server is read-only, as a replica is", "name the server that may be written to");
        } else {
            found.good("tables", "they are InnoDB's, and may be written to");
        }
    }

    private void persistence() throws SQLException {
        long flush = server.number("SELECT @@global.innodb_flush_log_at_trx_commit");
        if (flush == 1) {
            found.good("persistence", "a crash of the server forgets no lock (innodb_flush_log_at_trx_commit=1)");
        } else {
            found.warn(
                    "persistence",
                    "a crash forgets the locks of the last second (innodb_flush_log_at_trx_commit=" + flush + ")",
                    "set innodb_flush_log_at_trx_commit=1");
        }
    }

    private void failover() throws SQLException {
        if (status("wsrep_ready").equals("ON")) {
            found.good("failover", "the servers of a Galera cluster have every lock");
        } else if (status("rpl_semi_sync_master_status").equals("ON")
                || status("rpl_semi_sync_source_status").equals("ON")) {
            found.note(
                    "failover",
                    "replication is semi-synchronous: a failover forgets locks only after a replica was late",
                    "Galera and group replication close that gap");
        } else if (server.number("SELECT @@global.log_bin") == 0) {
            found.note(
                    "failover",
                    "there is no replica (log_bin=OFF): while the server is down, nobody acquires a lock",
                    "use Galera or group replication if that may not be");
        } else {
            found.note(
                    "failover",
                    "replication is asynchronous: a failover forgets the locks that the replica has not received yet",
                    "use Galera or group replication, or let resources refuse old tokens");
        }
    }

    private void encryption() throws SQLException {
        if (status("ssl_cipher").isEmpty()) {
            found.note(
                    "encryption",
                    "the connection does not use TLS",
                    "beyond this machine, add sslMode=verify-full to the URI (MySQL's driver: VERIFY_IDENTITY)");
        } else {
            found.good("encryption", "the connection uses TLS");
        }
    }

    private String status(String name) throws SQLException {
        return server.text("SHOW STATUS LIKE '" + name + "'");
    }
}
