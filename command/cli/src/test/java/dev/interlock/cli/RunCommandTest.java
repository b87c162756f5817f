package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.cli.common.StoreUri;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code run} does while nothing disturbs it, and its exit codes. */
final class RunCommandTest {

    @TempDir
    private Path directory = Path.of(".");

    private Cli cli = new Cli(directory);

    @BeforeEach
    void newCli() {
        cli = new Cli(directory);
    }

    @Test
    void theProgramIsHandedOnAsItIs() throws IOException {
        Path script =
                executable("#!/bin/sh\nfor a in \"$@\"; do printf '<%s>' \"$a\"; done\ncat\necho oops >&2\nexit 7\n");
        Path input = Files.writeString(directory.resolve("input"), "from stdin");

        ProcessBuilder builder = new ProcessBuilder(
                cli.command("run", "job", "--", script.toString(), "a b", "$HOME;`id`", "-n", "--", "@x", "", "*"));
        builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        builder.redirectInput(input.toFile());
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();

        assertThat(new Cli.Running(process, out, err).result())
                .isEqualTo(new Cli.Result(7, "<a b><$HOME;`id`><-n><--><@x><><*>from stdin", "oops\n"));
    }

    @Tag("wide")
    @Test
    void theSeparatorIsOptional_andTheOptionsEndAtTheName() {
        assertThat(cli.run("run", "job", "echo", "-n", "--help", "-w", "x")
                        .exited(0)
                        .out())
                .isEqualTo("--help -w x");
    }

    @Tag("wide")
    @Test
    void theEnvironmentNamesTheLock() {
        Cli.Result result = cli.run(
                        "run", "job 1", "--", "sh", "-c", "echo \"$INTERLOCK_NAME|$INTERLOCK_TOKEN|$INTERLOCK_STORE\"")
                .exited(0);

        assertThat(result.out()).matches("job 1\\|[1-9][0-9]+\\|sqlite:" + cli.storeFile() + "\n");
        assertThat(result.err()).isEmpty();
    }

    @Tag("wide")
    @Test
    void theLauncherGivesTheProgramTheLocaleThatTheUserHad() {
        cli.with("LC_ALL", "C.UTF-8");
        String[] command = {"run", "job", "--", "sh", "-c", "echo \"${LC_ALL-unset}\""};

        assertThat(cli.run(command).exited(0).out()).isEqualTo("C.UTF-8\n");
        assertThat(cli.withJvmArgument("-Dinterlock.lc_all=")
                        .run(command)
                        .exited(0)
                        .out())
                .isEqualTo("unset\n");
        assertThat(cli.withJvmArgument("-Dinterlock.lc_all==POSIX")
                        .run(command)
                        .exited(0)
                        .out())
                .isEqualTo("POSIX\n");
    }

    @Test
    void busy_givesUpAtOnceOrInTime_andLeavesNothingBehind() throws InterruptedException {
        cli.run("run", "other", "true").exited(0);
        try (Interlock interlock = cli.client();
                Lease lease = interlock.lock("job").acquire()) {
            assertThat(cli.run("run", "-n", "job", "echo", "inside").exited(75)).isEqualTo(new Cli.Result(75, "", ""));
            cli.run("run", "-n", "-E", "3", "job", "echo", "inside").exited(3);
            cli.run("run", "-w", "300ms", "job", "echo", "inside").exited(75);
            // The first answer of a new process takes longer than that.
            cli.run("run", "-w", "1ms", "job", "echo", "inside").exited(75);
            cli.run("run", "-w", "PT0.1S", "-E", "0", "job", "echo", "inside").exited(0);

            assertThat(interlock.lock("job").inspect().waiters()).isEmpty();
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void aWait_endsWithTheLock() throws InterruptedException {
        cli.run("run", "other", "true").exited(0);
        try (Interlock interlock = cli.client();
                Lease lease = interlock.lock("job").acquire()) {
            Cli.Running waiting = cli.start("run", "-w", "10m", "job", "echo", "inside");
            Awaitility.await()
                    .until(() -> !interlock.lock("job").inspect().waiters().isEmpty());
            lease.release();

            assertThat(waiting.result().exited(0).out()).isEqualTo("inside\n");
        }
    }

    @Test
    void theLockIsFreeAfterwards_howeverTheProgramEnds() {
        cli.run("run", "job", "false").exited(1);
        cli.run("run", "-n", "job", "sh", "-c", "kill -9 $$").exited(137);
        cli.run("run", "-n", "job", "no-such-program-anywhere").exited(127);
        cli.run("run", "-n", "job", "true").exited(0);
    }

    @Test
    void aProgramThatIsNotThere_orCannotRun() throws IOException {
        Path data = Files.writeString(directory.resolve("data"), "no program");

        oneLine(
                cli.run("run", "job", "no-such-program-anywhere").exited(127),
                "'no-such-program-anywhere' is not found");
        oneLine(cli.run("run", "job", directory.resolve("absent").toString()).exited(127), "is not found");
        oneLine(cli.run("run", "job", data.toString()).exited(126), "cannot be executed");
        oneLine(cli.run("run", "job", directory.toString()).exited(126), "cannot be executed");
        cli.with("PATH", directory.toString());
        oneLine(cli.run("run", "job", "data").exited(126), "cannot be executed");
    }

    @Tag("wide")
    @Test
    void theDefaultStoreIsPrivate() throws IOException {
        cli.run("run", "job", "true").exited(0);

        assertThat(mode(cli.storeFile())).isEqualTo("rw-------");
        assertThat(mode(directory.resolve("state/interlock"))).isEqualTo("rwx------");
        assertThat(mode(directory.resolve("state"))).isEqualTo("rwx------");
    }

    @Tag("wide")
    @Test
    void theStoreIsFound_byOption_byVariable_byHome() {
        Path home = directory.resolve("home");
        Path named = directory.resolve("named.db");
        Path given = directory.resolve("given %?.db");
        String[] print = {"job", "sh", "-c", "echo $INTERLOCK_STORE"};

        cli.with("HOME", home.toString()).with("XDG_STATE_HOME", "relative/ignored");
        assertThat(cli.run(concat("run", print)).exited(0).out())
                .isEqualTo("sqlite:" + home + "/.local/state/interlock/locks.db\n");
        cli.with(DefaultStore.VARIABLE, StoreUri.sqlite(named).value());
        assertThat(cli.run(concat("run", print)).exited(0).out()).isEqualTo("sqlite:" + named + "\n");
        cli.run("run", "--store", StoreUri.sqlite(given).value(), "job", "true").exited(0);
        assertThat(named).exists();
        assertThat(given).exists();
    }

    @Test
    void verbose_saysWhatHappens() {
        assertThat(cli.run("run", "-v", "job", "true").exited(0).errorLines())
                .singleElement()
                .asString()
                .startsWith("interlock: holding 'job' with token ");
    }

    private static void oneLine(Cli.Result result, String content) {
        assertThat(result.errorLines())
                .singleElement()
                .asString()
                .startsWith("interlock: ")
                .contains(content);
    }

    private static String[] concat(String first, String... rest) {
        String[] all = new String[rest.length + 1];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }

    private Path executable(String text) throws IOException {
        Path file = Files.write(directory.resolve("script"), text.getBytes(StandardCharsets.UTF_8));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file;
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
