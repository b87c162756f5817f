package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.JsonReader;
import dev.interlock.testkit.server.RedisServer;
import java.nio.file.Path;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The further kinds of lock, which are on Redis. */
@Tag("long")
final class KindsTest {

    private static RedisServer server;

    @TempDir
    private Path directory = Path.of(".");

    private Cli cli = new Cli(directory);

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void newCli() {
        cli = new Cli(directory).with(DefaultStore.VARIABLE, server.uri());
    }

    private Cli.Running holding(String... options) {
        String[] command = new String[options.length + 5];
        command[0] = "run";
        System.arraycopy(options, 0, command, 1, options.length);
        System.arraycopy(new String[] {"--", "sh", "-c", "echo up; exec sleep 600"}, 0, command, options.length + 1, 4);
        Cli.Running running = cli.start(command);
        running.awaitOutput("up");
        return running;
    }

    private static Cli.Result look(String... arguments) {
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--store";
        all[arguments.length + 1] = server.uri();
        return InProcess.run(all);
    }

    @Test
    void shares_runBesideEachOther_andNotBesideTheWhole() {
        Cli.Running one = holding("--shared", "rw");

        cli.run("run", "-n", "--shared", "rw", "true").exited(0);
        cli.run("run", "-n", "--exclusive", "rw", "true").exited(75);
        assertThat(look("show", "rw").exited(0).out()).contains("rw is held, as a read/write", "shared");
        assertThat(JsonReader.read(look("show", "rw", "--json").exited(0).out()))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("kind", "read-write");

        one.process().destroy();
        one.result();
        cli.run("run", "-w", "10m", "--exclusive", "rw", "true").exited(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--shared", "--exclusive", "--fair", "--permits=2/3"})
    void unlock_endsEveryKind_andTheHolderIsTold(String kind) {
        // It is told at the next renewal, of which there are three in a lease.
        Cli.Running running = holding(kind, "--lease", "6s", "any");

        assertThat(look("unlock", "--force", "--yes", "any").exited(0).out()).isEqualTo("any is unlocked\n");

        running.result().exited(74);
        assertThat(look("unlock", "--force", "--yes", "any").exited(0).out()).isEqualTo("any was not held\n");
    }

    @Test
    void aNameOfAnotherKind_isRefusedInOneLine() {
        Cli.Running running = holding("whole");

        assertThat(cli.run("run", "-n", "--shared", "whole", "true").exited(69).errorLines())
                .singleElement()
                .asString()
                .startsWith("interlock: ")
                .contains("whole")
                .doesNotContain("Exception");
        running.process().destroy();
        running.result();
    }

    @Test
    void permits_areLimited() {
        Cli.Running one = holding("--permits", "2/3", "pool");

        cli.run("run", "-n", "--permits", "1/3", "pool", "true").exited(0);
        cli.run("run", "-n", "--permits", "2/3", "pool", "true").exited(75);
        assertThat(look("ls", "po").exited(0).out()).contains("semaphore of 3, 2 permits");

        one.process().destroy();
        one.result();
    }

    @Test
    void fair_excludesThePlain() {
        Cli.Running one = holding("--fair", "queue");

        cli.run("run", "-n", "queue", "true").exited(75);
        assertThat(look("show", "queue").exited(0).out()).contains("queue is held", "in order");

        one.process().destroy();
        one.result();
    }

    @Test
    void latch_isSet_countedDown_andWaitedFor() {
        look("latch", "wait", "go").exited(0);
        look("latch", "set", "go", "2").exited(0);
        look("latch", "set", "go", "5").exited(75);
        look("latch", "wait", "-w", "500ms", "go").exited(75);
        assertThat(look("show", "go").exited(0).out()).contains("go is a latch at 2");
        assertThat(look("ls").exited(0).out()).contains("latch at 2");
        look("latch", "down", "go").exited(0);
        look("latch", "down", "go").exited(0);

        look("latch", "wait", "go").exited(0);
        assertThat(look("show", "go").exited(0).out()).isEqualTo("go is free\n");
    }

    @Test
    void permits_onTheDefaultStore_areLimitedToo() {
        Cli local = new Cli(directory);

        local.run("run", "--permits", "1/2", "pool", "true").exited(0);
        local.run("run", "-n", "--permits", "3/2", "pool", "true").exited(64);
    }
}
