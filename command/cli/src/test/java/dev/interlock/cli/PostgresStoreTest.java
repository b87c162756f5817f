package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.server.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command on PostgreSQL, and the script of its tables. The password is never shown, nor handed on. */
@Tag("wide")
final class PostgresStoreTest {

    @TempDir
    private Path directory = Path.of(".");

    private Cli cli = new Cli(directory);

    @BeforeEach
    void newCli() {
        cli = new Cli(directory);
    }

    /** Trust is how the server lets everybody in: any password is right. */
    private static String withPassword(String url) {
        return url.replace("//", "//postgres:secret@").replace("user=postgres&", "");
    }

    @Test
    void run_ls_show_unlock() {
        String url = withPassword(PostgresServer.shared().newDatabase());
        cli.with(DefaultStore.VARIABLE, url);
        Cli.Running running =
                cli.start("run", "--lease", "6s", "job", "--", "sh", "-c", "env; echo up; exec sleep 600");
        running.awaitOutput("up");

        assertThat(InProcess.run("ls", "--store", url).exited(0).out())
                .contains(String.valueOf(running.process().pid()));
        cli.run("run", "-n", "job", "true").exited(75);
        InProcess.run("unlock", "--force", "--yes", "job", "--store", url).exited(0);

        Cli.Result result = running.result().exited(74);
        assertThat(result.out()).contains("INTERLOCK_STORE=jdbc:postgresql://").doesNotContain("secret");
        assertThat(result.errorLines()).singleElement().asString().contains("FORCED");
    }

    @Test
    void aServerThatIsNotThere_isOneLine_withoutThePassword() {
        Cli.Result result =
                cli.run("run", "--store", "jdbc:postgresql://u:secret@127.0.0.1:1/d", "-w", "1s", "job", "true");

        assertThat(result.errorLines()).singleElement().asString().contains("unavailable", "127.0.0.1:1");
        assertThat(result.err() + result.out()).doesNotContain("secret");
    }

    @Test
    void aDatabaseWithoutADriver_saysWhatToAdd() {
        Cli.Result result = cli.run("run", "--store", "jdbc:mysql://u:secret@h/d", "job", "true")
                .exited(64);

        assertThat(result.err()).contains("add ", "mysql-connector-j").doesNotContain("secret");
    }

    /** The script makes what the store would make: who may not make tables works with those. */
    @Test
    void schema_isWhatTheStoreNeeds() throws SQLException {
        String url = PostgresServer.shared().newDatabase();
        String script = InProcess.run("schema", "--dialect", "postgresql", "--prefix", "app")
                .exited(0)
                .out();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(script);
            statement.execute("REVOKE CREATE ON SCHEMA public FROM public");
        }

        InProcess.run("run", "--store", url + "&prefix=app", "job", "true").exited(0);
        assertThat(PostgresServer.number(url, "SELECT count(*) FROM app_lock")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb", "mysql", "h2", "sqlite"})
    void schema_ofEachDialect_hasNothingLeftToFillIn(String dialect) {
        assertThat(InProcess.run("schema", "--dialect", dialect).exited(0).out())
                .contains("interlock_lock", "interlock_claim", "interlock_fence")
                .doesNotContain("{", "}");
    }

    @Test
    void schema_wrongInput_isNamed() {
        assertThat(InProcess.run("schema", "--dialect", "oracle").exited(64).err())
                .contains("postgresql, mariadb", "'oracle'");
        assertThat(InProcess.run("schema", "--dialect", "h2", "--prefix", "a-b")
                        .exited(64)
                        .err())
                .contains("table prefix must be", "'a-b'");
    }
}
