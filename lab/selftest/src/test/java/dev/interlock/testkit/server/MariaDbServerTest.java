package dev.interlock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@Tag("wide")
class MariaDbServerTest {

    /** Where MySQL puts its socket if nobody says otherwise, as one of the machine's own may have done. */
    private static final Path DEFAULT_SOCKET = Path.of("/tmp/mysql.sock");

    @Test
    void killedServer_keepsWhatWasCommitted_andLeavesNothing() throws SQLException {
        boolean before = Files.exists(DEFAULT_SOCKET);
        long pid;
        int port;
        try (MariaDbServer server = MariaDbServer.start()) {
            port = server.port();
            String database = server.createDatabase();
            server.execute("CREATE TABLE " + database + ".t (n INT) ENGINE=InnoDB");
            server.execute("INSERT INTO " + database + ".t VALUES (42)");
            long first = server.pid();

            server.kill();
            assertThatThrownBy(() -> server.execute("SELECT 1")).isInstanceOf(IllegalStateException.class);
            server.restart();

            pid = server.pid();
            assertThat(pid).isNotEqualTo(first);
            assertThat(number(server.url(database), "SELECT n FROM t")).isEqualTo(42);
            String version = MySqlBinary.isWanted() ? "8." : MariaDbBinary.VERSION;
            assertThat(number(server.url(database), "SELECT @@version LIKE '" + version + "%'"))
                    .isEqualTo(1);
            server.stop();
            assertThat(server.state()).isEqualTo('T');
            server.cont();
            assertThat(number(server.url(database), "SELECT n FROM t")).isEqualTo(42);
        }
        assertThat(ProcessHandle.of(pid)).isEmpty();
        assertThat(RedisBinary.target()
                        .resolve("servers")
                        .toFile()
                        .list((dir, name) -> name.startsWith("mariadb-" + port + "-")))
                .isEmpty();
        assertThat(Files.exists(DEFAULT_SOCKET)).isEqualTo(before);
    }

    private static long number(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
