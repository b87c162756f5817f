package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.Processes;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.process.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code run} when it receives a signal, and when the lock is lost (I4). */
@Tag("wide")
final class RunDisturbedTest {

    /** Says when it is ready, and which signal it got. */
    private static final String TRAPS =
            "for s in HUP INT TERM USR1 USR2; do trap \"echo got $s; exit 3\" $s; done; echo up; while :; do sleep "
                    + "0.05; done";

    /** Between TERM and KILL. */
    private static final Duration TO_DIE = Duration.ofSeconds(5);

    @TempDir
    private Path directory = Path.of(".");

    private Cli cli = new Cli(directory);

    @BeforeEach
    void newCli() {
        cli = new Cli(directory);
    }

    /**
     * Those that this process does not ignore: a test run in the background may, and what it starts does then as well.
     */
    static Stream<String> signals() throws IOException {
        List<OsSignal> all = List.of(OsSignal.values());
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return all.stream().map(OsSignal::name);
        }
        long ignored = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                .findFirst()
                .orElse(0);
        return all.stream()
                .filter(s -> (ignored >> (s.exitCode() - ExitCode.SIGNALLED - 1) & 1) == 0)
                .map(OsSignal::name);
    }

    @ParameterizedTest
    @MethodSource("signals")
    void aSignalIsPassedOn_andTheProgramDecides(String signal) {
        Cli.Running running = cli.start("run", "job", "--", "sh", "-c", TRAPS);
        running.awaitOutput("up");

        Processes.send(signal, running.process().pid());

        assertThat(running.result()).isEqualTo(new Cli.Result(3, "up\ngot " + signal + "\n", ""));
        cli.run("run", "-n", "job", "true").exited(0);
    }

    /** As {@code nohup} does it with HUP: the program finds what it would find without us. */
    @Test
    void anIgnoredSignal_staysIgnored() {
        List<String> ignoring = new ArrayList<>(List.of("sh", "-c", "trap '' HUP USR1; exec \"$@\"", "sh"));
        ignoring.addAll(cli.command("run", "job", "--", "sh", "-c", "kill -HUP $$; kill -USR1 $$; echo alive"));

        assertThat(cli.start(ignoring).result()).isEqualTo(new Cli.Result(0, "alive\n", ""));
    }

    @Test
    void aProgramThatTheSignalEnds_givesItsNumber() {
        Cli.Running running = cli.start("run", "job", "--", "sh", "-c", "echo up; exec sleep 600");
        running.awaitOutput("up");

        running.process().destroy();

        running.result().exited(143);
    }

    /** The lock is held until the program has really ended, not until it was told to. */
    @Test
    void theLockIsHeld_untilTheProgramHasEnded() {
        Path go = directory.resolve("go");
        Cli.Running running = cli.start(
                "run",
                "job",
                "--",
                "sh",
                "-c",
                "trap 'echo got; until [ -e \"$0\" ]; do sleep 0.05; done; exit 4' TERM; echo up; while :; do sleep "
                        + "0.05; done",
                go.toString());
        running.awaitOutput("up");
        running.process().destroy();
        running.awaitOutput("got");

        cli.run("run", "-n", "job", "true").exited(75);
        touch(go);

        running.result().exited(4);
        cli.run("run", "-n", "job", "true").exited(0);
    }

    @Test
    void aSignalWhileWaiting_endsTheWait_andLeavesNothingBehind() throws InterruptedException {
        cli.run("run", "other", "true").exited(0);
        try (Interlock interlock = cli.client();
                Lease lease = interlock.lock("job").acquire()) {
            Cli.Running waiting = cli.start("run", "job", "echo", "inside");
            Awaitility.await()
                    .until(() -> !interlock.lock("job").inspect().waiters().isEmpty());

            waiting.process().destroy();

            assertThat(waiting.result().exited(143).out()).isEmpty();
            assertThat(interlock.lock("job").inspect().waiters()).isEmpty();
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void aLostLock_endsTheProgram() {
        // A machine that stands still for two thirds of the lease makes it a pause, whatever the store says.
        Cli.Running running = cli.start("run", "--lease", "9s", "job", "--", "sh", "-c", TRAPS);
        running.awaitOutput("up");

        unlockByForce();

        Cli.Result result = running.result().exited(74);
        assertThat(result.out()).isEqualTo("up\ngot TERM\n");
        assertThat(result.errorLines()).singleElement().asString().contains("'job' was lost (FORCED)");
    }

    @Test
    void aLostLock_killsTheProgramThatDoesNotEnd() throws IOException {
        killed(Patience.limit());
    }

    @Tag(Effort.TIMING)
    @Test
    void aLostLock_killsTheProgramThatDoesNotEnd_inTime() throws IOException {
        killed(TO_DIE.plusMillis(2_500));
    }

    private void killed(Duration limit) throws IOException {
        Cli.Running running = cli.start(
                "run",
                "--lease",
                "9s",
                "job",
                "--",
                "sh",
                "-c",
                "read now rest </proc/uptime; trap 'echo told after $now' TERM; echo up; "
                        + "while :; do read now rest </proc/uptime; sleep 0.05; done");
        running.awaitOutput("up");
        ProcessHandle program = running.process().children().findFirst().orElseThrow();
        unlockByForce();
        running.awaitOutput("told after");
        assertThat(program.isAlive()).isTrue();

        try (Stopwatch told = new Stopwatch()) {
            Cli.Result result = running.result().exited(74);

            double endSeconds = uptimeSeconds(Files.readString(Path.of("/proc/uptime")));
            assertThat(Signals.state(program.pid())).isEqualTo(Signals.GONE);
            told.assertAtMost(limit, "the end of a program that was told to end and did not");
            assertThat(result.out()).startsWith("up\ntold after ");
            double toldSeconds = uptimeSeconds(result.out().substring("up\ntold after ".length()));
            // A busy shell looks at its signals late, so it tells when it had none yet.
            assertThat(endSeconds - toldSeconds).isGreaterThan(TO_DIE.toSeconds() - 0.5);
            assertThat(result.errorLines()).singleElement().asString().contains("'job' was lost (FORCED)");
        }
    }

    /** The first of its numbers. */
    private static double uptimeSeconds(String uptime) {
        return Double.parseDouble(uptime.strip().split("\\s", 2)[0]);
    }

    /** P01: a stop of the holder past its lease is a loss; the program, which ran on, is ended. */
    @Test
    void P01_aStoppedHolder_findsItsLockLost() throws InterruptedException {
        Cli.Running running = cli.start("run", "--lease", "6s", "job", "--", "sh", "-c", TRAPS);
        running.awaitOutput("up");

        try (Interlock interlock = cli.client()) {
            stopOutsideTransaction(running.process(), interlock);
            Lease other = interlock.lock("job").acquire();
            assertThat(other.isValid()).isTrue();
            Processes.resume(running.process());
            running.result().exited(74);
        }
    }

    /** A process that is stopped within a transaction of SQLite keeps the file locked. */
    private static void stopOutsideTransaction(Process process, Interlock interlock) throws InterruptedException {
        while (true) {
            Processes.stop(process);
            // Empty if the machine was too busy to answer in time.
            try {
                Optional<Lease> probe = interlock.lock("probe").tryAcquire(Duration.ofSeconds(1));
                if (probe.isPresent()) {
                    probe.get().release();
                    return;
                }
            } catch (StoreUnavailableException e) {
                // The file is locked.
            }
            Processes.resume(process);
        }
    }

    private void unlockByForce() {
        try (Interlock interlock = cli.client()) {
            assertThat(interlock.administration().forceUnlock("job")).isTrue();
        }
    }

    private static void touch(Path file) {
        try {
            Files.createFile(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
