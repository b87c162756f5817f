package dev.interlock.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.Processes;
import dev.interlock.testkit.process.Signals;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The shell that the launcher leaves behind: it starts programs, tells how they end, and is gone with the JVM. */
@Tag("wide")
final class StarterTest {

    /** Says which process the starter is, and which signal it got. */
    private static final String TRAPS =
            "for s in HUP INT QUIT TERM USR1 USR2; do trap \"echo got $s; exit 3\" $s; done; "
                    + "echo up $PPID; while :; do sleep 0.05; done";

    @TempDir
    private static Path directory = Path.of(".");

    private static @Nullable LauncherTree built;

    @BeforeAll
    static void build() throws IOException {
        built = LauncherTree.in(directory.resolve("tree"));
        built.start("--version").result().exited(0);
        built.start("run", "first", "true").result().exited(0);
    }

    private static LauncherTree tree() {
        return requireNonNull(built);
    }

    private static Interlock client() {
        return Interlock.connect("sqlite:" + directory.resolve("state/interlock/locks.db"));
    }

    @Test
    void theStarter_isGoneWithTheCommand() {
        Cli.Result result = tree().start("run", "theStarter", "sh", "-c", "echo $PPID; exit 7")
                .result()
                .exited(7);

        long starter = Long.parseLong(result.out().strip());
        assertThat(Signals.state(starter)).isEqualTo(Signals.GONE);
        assertThat(result.err()).isEmpty();
    }

    static List<String> signals() throws IOException {
        return RunDisturbedTest.signals().toList();
    }

    @ParameterizedTest
    @MethodSource("signals")
    void aSignalForTheCommand_isPassedOn(String signal) {
        Cli.Running running = tree().start("run", "aSignalForTheCommand " + signal, "--", "sh", "-c", TRAPS);
        long starter = awaitStarter(running);

        Processes.send(signal, running.process().pid());

        Cli.Result result = running.result();
        assertThat(result).isEqualTo(new Cli.Result(3, "up " + starter + "\ngot " + signal + "\n", ""));
    }

    /** As those that a terminal sends: they are the program's affair, and the starter lives on to tell its end. */
    @ParameterizedTest
    @MethodSource("signals")
    void aSignalForTheStarter_isNone(String signal) throws IOException {
        Cli.Running running = tree().start(
                        "run",
                        "aSignalForTheStarter " + signal,
                        "--",
                        "sh",
                        "-c",
                        "echo up $PPID; read line; echo $line; exit 5");
        long starter = awaitStarter(running);

        Processes.send(signal, starter);
        try (Writer input = running.process().outputWriter()) {
            input.write("typed\n");
        }

        assertThat(running.result().exited(5).out()).endsWith("\ntyped\n");
    }

    @Test
    void aProgramThatASignalEnds_givesItsNumber_andNothingIsPrinted() {
        assertThat(tree().start("run", "aProgramThatASignalEnds", "sh", "-c", "kill -QUIT $$")
                        .result())
                .isEqualTo(new Cli.Result(131, "", ""));
        assertThat(tree().start("run", "aProgramThatASignalEnds", "sh", "-c", "kill -KILL $$")
                        .result())
                .isEqualTo(new Cli.Result(137, "", ""));
    }

    @Test
    void aLostLock_endsTheProgram() {
        Cli.Running running = tree().start("run", "aLostLock", "--", "sh", "-c", TRAPS);
        long starter = awaitStarter(running);

        try (Interlock client = client()) {
            await().ignoreException(StoreUnavailableException.class)
                    .until(() -> client.administration().forceUnlock("aLostLock")
                            || !client.lock("aLostLock").isLocked());
        }

        Cli.Result result = running.result().exited(ExitCode.LOST);
        assertThat(result.out()).isEqualTo("up " + starter + "\ngot TERM\n");
        assertThat(result.errorLines()).singleElement().asString().contains("'aLostLock' was lost (FORCED)");
    }

    @Test
    void aWaitThatEnds_leavesNoStarter() throws InterruptedException {
        try (Interlock client = client();
                Lease held = client.lock("held").acquire()) {
            Cli.Running waiting = tree().start("run", "held", "echo", "inside");
            await().until(() -> !client.lock("held").inspect().waiters().isEmpty());
            List<ProcessHandle> starters = waiting.process().children().toList();
            assertThat(starters).hasSize(1);
            assertThat(held.isValid()).isTrue();

            waiting.process().destroy();

            assertThat(waiting.result().exited(143).out()).isEmpty();
            assertThat(Signals.state(starters.get(0).pid())).isEqualTo(Signals.GONE);
        }
    }

    /** The first process of the system takes both over; when it removes what is dead is its affair. */
    @Test
    void whenTheJvmIsKilled_theProgramRunsOn_andTheStarterEndsWithIt() throws IOException {
        Path go = directory.resolve("go");
        Cli.Running running = tree().start(
                        "run",
                        "--lease",
                        "10m",
                        "killed",
                        "sh",
                        "-c",
                        "echo up $PPID; until [ -e " + go + " ]; do sleep 0.05; done; echo done");
        long starter = awaitStarter(running);

        running.process().destroyForcibly();
        running.result().exited(137);
        assertThat(isDead(starter)).isFalse();
        Files.createFile(go);

        await().until(() -> isDead(starter));
        assertThat(Cli.read(running.out())).endsWith("done\n");
    }

    @Test
    void killedStarter_holdsUntilTheProgramEnds_andSaysSo() throws IOException {
        Path go = directory.resolve("go too");
        Cli.Running running = tree().start(
                        "run",
                        "orphaned",
                        "sh",
                        "-c",
                        "echo up $PPID; until [ -e '" + go + "' ]; do sleep 0.05; done; echo done");
        long starter = awaitStarter(running);

        Processes.send("KILL", starter);
        tree().start("run", "-n", "orphaned", "true").result().exited(ExitCode.BUSY);
        Files.createFile(go);

        Cli.Result result = running.result().exited(ExitCode.DEFECT);
        assertThat(result.out()).endsWith("done\n");
        assertThat(result.errorLines()).singleElement().asString().contains("was killed");
        tree().start("run", "-n", "orphaned", "true").result().exited(0);
    }

    private static boolean isDead(long pid) {
        return List.of(Signals.GONE, Signals.ZOMBIE).contains(Signals.state(pid));
    }

    /** The same starter starts it again. */
    @Test
    void lead_startsItsPrograms() {
        Cli.Running running = tree().start("lead", "leader", "--", "sh", "-c", TRAPS);
        long starter = awaitStarter(running);
        try (Interlock client = client()) {
            await().ignoreException(StoreUnavailableException.class)
                    .until(() -> client.administration().forceUnlock("leader"));
        }
        String begun = "up " + starter + "\ngot TERM\nup " + starter + "\n";
        running.awaitOutput(begun);

        // A test run in the background may ignore INT, and what it starts does then as well.
        Processes.send("TERM", running.process().pid());

        assertThat(running.result().exited(3).out()).isEqualTo(begun + "got TERM\n");
        assertThat(Signals.state(starter)).isEqualTo(Signals.GONE);
    }

    @Test
    void aProgramThatIsNotThere_orCannotRun_isNamed() throws IOException {
        Path data = Files.writeString(directory.resolve("data"), "no program");

        oneLine(127, "'no-such-program-anywhere' is not found", "no-such-program-anywhere");
        oneLine(127, "is not found", directory.resolve("absent").toString());
        oneLine(126, "cannot be executed", data.toString());
        oneLine(126, "cannot be executed", directory.toString());
    }

    private static void oneLine(int exitCode, String content, String program) {
        assertThat(tree().start("run", "aProgramThatIsNotThere", program)
                        .result()
                        .exited(exitCode)
                        .errorLines())
                .singleElement()
                .asString()
                .startsWith("interlock: ")
                .contains(content);
    }

    /** As separators, options of env, variables and lines. */
    @Test
    void namesAndArguments_areNobodysSyntax() throws IOException {
        Path program = Files.createSymbolicLink(directory.resolve("a=b"), Path.of("/bin/echo"));

        assertThat(tree().start("run", "namesAndArguments", program.toString(), "-n", "x=y")
                        .result())
                .isEqualTo(new Cli.Result(0, "x=y", ""));
        assertThat(tree().start("run", "--", "--", "--", "sh", "-c", "echo \"$INTERLOCK_NAME\"")
                        .result())
                .isEqualTo(new Cli.Result(0, "--\n", ""));
        assertThat(tree().start("run", "$(a)\n'b' \\", "sh", "-c", "echo \"$INTERLOCK_NAME|$1\"", "--", "--")
                        .result())
                .isEqualTo(new Cli.Result(0, "$(a)\n'b' \\|--\n", ""));
    }

    /** And nothing else: it is not told that env is missing. */
    @Test
    void withoutEnv_theJvmStartsTheProgram() throws IOException {
        LauncherTree tree = LauncherTree.in(directory.resolve("without/tree")).withoutEnv();
        tree.start("--version").result().exited(0);
        Cli.Running running = tree.start("run", "withoutEnv", "sh", "-c", "echo up $PPID; read line; exit 5");
        long parent = awaitStarter(running);
        close(running);

        assertThat(running.result()).isEqualTo(new Cli.Result(5, "up " + parent + "\n", ""));
        assertThat(parent).isEqualTo(running.process().pid());
    }

    private static long awaitStarter(Cli.Running running) {
        running.awaitOutput("\n");
        return Long.parseLong(Cli.read(running.out()).split("\\s+", 3)[1]);
    }

    private static void close(Cli.Running running) {
        try {
            running.process().outputWriter().close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
