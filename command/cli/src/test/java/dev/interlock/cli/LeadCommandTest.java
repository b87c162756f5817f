package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Candidacy;
import dev.interlock.Interlock;
import dev.interlock.LeaderTask;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.Processes;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code lead} does with its program when the leadership comes and goes. */
final class LeadCommandTest {

    private static final String SERVES =
            "trap 'echo term; exit 3' TERM; echo up $INTERLOCK_NAME; while :; do sleep " + "0.05; done";

    @TempDir
    private Path directory = Path.of(".");

    private Cli cli = new Cli(directory);

    @BeforeEach
    void newCli() {
        cli = new Cli(directory);
    }

    @Test
    void program_stopsWhenTheLeadershipIsLost_andStartsAgain() {
        Cli.Running running = cli.start("lead", "--lease", "9s", "job", "--", "sh", "-c", SERVES);
        running.awaitOutput("up job");
        long first = token();

        try (Interlock client = cli.client()) {
            assertThat(client.administration()
                            .forceUnlock(client.election("job").inspect()))
                    .isTrue();
        }
        running.awaitOutput("up job\nterm\nup job");
        assertThat(token()).isGreaterThan(first);
        Processes.send("TERM", running.process().pid());

        Cli.Result result = running.result().exited(3);
        assertThat(result.out()).isEqualTo("up job\nterm\nup job\nterm\n");
        assertThat(result.errorLines()).hasSize(4);
        assertThat(result.errorLines().get(0)).isEqualTo("interlock: leading 'job' with token " + first);
        assertThat(result.errorLines().get(1)).isEqualTo("interlock: leading 'job' no longer: LOST(FORCED)");
        assertThat(result.errorLines().get(3))
                .isEqualTo("interlock: leading 'job' no longer: 'sh' ended with exit code 3");
    }

    private long token() {
        try (Interlock client = cli.client()) {
            return client.election("job").inspect().holders().get(0).token();
        }
    }

    /** And is told of it: somebody else leads meanwhile. */
    @Test
    void aProgramThatEnds_letsTheNextLead_andIsStartedAgain() {
        try (Interlock client = cli.client()) {
            Cli.Running running = cli.start("lead", "job", "sh", "-c", "echo up; read x; exit 7");
            running.awaitError("ended with exit code 7");
            Candidacy other = client.election("job").join((LeaderTask) lease -> Thread.sleep(Long.MAX_VALUE));
            await().until(other::isLeader);
            await().until(() -> client.election("job").inspect().waiters().size() == 1);
            Processes.send("USR1", running.process().pid());
            assertThat(running.process().isAlive()).isTrue();

            Processes.send("TERM", running.process().pid());
            running.result().exited(OsSignal.TERM.exitCode());
            assertThat(client.election("job").inspect().waiters()).isEmpty();
        }
    }

    @Test
    void once_endsWithTheProgram() {
        Cli.Result result =
                cli.run("lead", "--once", "job", "--", "sh", "-c", "exit 7").exited(7);
        assertThat(result.errorLines()).hasSize(2);
        try (Interlock client = cli.client()) {
            assertThat(client.lock("job").isLocked()).isFalse();
        }
    }

    @Test
    void once_endsWithTheLeadership() {
        Cli.Running running = cli.start("lead", "--once", "--lease", "9s", "job", "--", "sh", "-c", SERVES);
        running.awaitOutput("up job");
        try (Interlock client = cli.client()) {
            assertThat(client.administration()
                            .forceUnlock(client.election("job").inspect()))
                    .isTrue();
        }
        Cli.Result result = running.result().exited(ExitCode.LOST);
        assertThat(result.out()).isEqualTo("up job\nterm\n");
        assertThat(result.errorLines().get(2)).contains("was lost (FORCED)");
    }

    @Test
    void wrongInput_isNamed() {
        assertThat(cli.run("lead", "job", "no-such-program-anywhere")
                        .exited(ExitCode.NOT_FOUND)
                        .err())
                .contains("no-such-program-anywhere");
        assertThat(InProcess.run("lead", "job", "--").exited(ExitCode.USAGE).err())
                .contains("interlock lead [OPTION...] NAME");
        assertThat(InProcess.run("lead", "--lease", "1ms", "job", "true")
                        .exited(ExitCode.USAGE)
                        .err())
                .contains("50ms to 365d");
        cli.run("lead", "--store", "redis://127.0.0.1:1", "job", "true").exited(ExitCode.UNAVAILABLE);
    }
}
