package dev.interlock.jdbc;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.process.ChildMain;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;

/**
 * A process that holds a lock (file of locks, name) and updates order 1 (file of data, fenced or plain) when it
 * receives a line, without checking its lease again.
 */
final class LateWriter {

    static final FencedUpdate UPDATE = FencedUpdate.of("orders", "id", "fence", "status");

    private LateWriter() {}

    public static void main(String[] arguments) throws Exception {
        ChildMain parent = new ChildMain();
        try (Interlock client = Interlock.connect("sqlite:" + arguments[0]);
                Connection connection = DriverManager.getConnection("jdbc:sqlite:" + arguments[2])) {
            // Not renewed: a process that is stopped while it writes to the file keeps all others from writing.
            Lease lease = client.lock(arguments[1]).acquire(LeaseTerm.fixed(Duration.ofSeconds(1)));
            parent.say("held " + lease.token());
            parent.hearOrDie();
            if (arguments[3].equals("fenced")) {
                parent.say("wrote " + UPDATE.execute(connection, 1, lease.token(), "late"));
            } else {
                try (Statement statement = connection.createStatement()) {
                    parent.say("wrote " + statement.executeUpdate("update orders set status = 'late' where id = 1"));
                }
            }
            parent.hearOrDie();
        }
    }
}
