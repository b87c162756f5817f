package dev.interlock.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.cli.common.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the command is started in surroundings that suit the program, and not a JVM. */
@Tag("wide")
final class SurroundingsTest {

    /** No JVM starts with it: the launcher sets a smaller limit of the heap. */
    private static final String UNUSABLE = "-Xms512m -Dx='a  b'";

    @TempDir
    private static Path directory = Path.of(".");

    private static @Nullable LauncherTree starting;
    private static @Nullable LauncherTree withoutStarter;

    /** Who starts the program. */
    enum By {
        THE_SHELL,
        JAVA;

        LauncherTree tree() {
            return requireNonNull(this == THE_SHELL ? starting : withoutStarter);
        }
    }

    @BeforeAll
    static void build() throws IOException {
        starting = LauncherTree.in(directory.resolve("shell/tree")).withProgramsOfTheSystem();
        starting.start("--version").result().exited(0);
        withoutStarter = LauncherTree.in(directory.resolve("java/tree"));
        withoutStarter.start("--version").result().exited(0);
        withoutStarter.withoutEnv();
    }

    /** Also the variables that are set and empty, and no others besides. */
    @ParameterizedTest
    @EnumSource
    void optionsForJava_areTheProgramsAlone(By starter) throws IOException {
        LauncherTree tree = starter.tree();
        Path env = Path.of("/usr/bin/env");
        List<String> set = List.of(
                env.toString(),
                "JAVA_TOOL_OPTIONS=" + UNUSABLE,
                "_JAVA_OPTIONS=" + UNUSABLE,
                "JDK_JAVA_OPTIONS=",
                "JDK_AOT_VM_OPTIONS=-XX:Nothing",
                "OPENJ9_JAVA_OPTIONS=" + UNUSABLE,
                "IBM_JAVA_OPTIONS=" + UNUSABLE,
                "il_mine=1");
        List<String> without = variables(tree.startIn(directory, join(set, env.toString())));

        List<String> within =
                variables(tree.startIn(directory, join(set, tree.launcher(), "run", "job", "--", env.toString())));

        assertThat(within).isEqualTo(without).contains("JAVA_TOOL_OPTIONS=" + UNUSABLE, "il_mine=1");
        for (String command : List.of("ls", "--version")) {
            Cli.Result result = tree.startIn(directory, join(set, tree.launcher(), command))
                    .result()
                    .exited(0);
            assertThat(result.err()).isEmpty();
        }
    }

    private static List<String> join(List<String> before, String... words) {
        List<String> all = new ArrayList<>(before);
        all.addAll(List.of(words));
        return all;
    }

    /** Without what the command adds, and what a shell notes for itself. */
    private static List<String> variables(Cli.Running running) {
        Cli.Result result = running.result().exited(0);
        assertThat(result.err()).isEmpty();
        return result.out()
                .lines()
                .filter(line -> !line.startsWith("INTERLOCK_") && !line.startsWith("_=") && !line.startsWith("PWD="))
                .sorted()
                .toList();
    }

    /** The shell itself may say that the directory is gone, as it does without us. */
    @ParameterizedTest
    @ValueSource(strings = {"sh", "bash"})
    void aDirectoryThatIsGone_isTheProgramsAffair(String shell) throws IOException {
        LauncherTree tree = By.THE_SHELL.tree();
        Cli.Result result = inRemoved(tree, shell, tree.launcher(), "run", "gone", "readlink", "/proc/self/cwd");

        assertThat(result.exited(0).out()).endsWith(" (deleted)\n");
        assertThat(result.err()).doesNotContain("Error", "Exception", "\tat ");
        // What is there again under its name is another directory.
        Cli.Result again = inRemoved(
                tree,
                shell + " -c 'mkdir \"$0\"; exec \"$@\"' \"$PWD\"",
                tree.launcher(),
                "run",
                "gone",
                "readlink",
                "/proc/self/cwd");
        assertThat(again.exited(0).out()).endsWith(" (deleted)\n");
        assertThat(inRemoved(tree, shell, tree.launcher(), "ls").exited(0).out())
                .startsWith("NAME");
        assertThat(inRemoved(tree, shell, tree.launcher(), "run", "gone", "./tool")
                        .exited(127)
                        .err())
                .contains("'./tool'");
    }

    /** Java starts it where itself is, and that is another directory. */
    @Test
    void aDirectoryThatIsGone_isSaid_ifJavaStartsTheProgram() throws IOException {
        LauncherTree tree = By.JAVA.tree();

        Cli.Result result = inRemoved(tree, "sh", tree.launcher(), "run", "gone", "/bin/pwd");

        assertThat(result.exited(ExitCode.NOT_EXECUTABLE).out()).isEmpty();
        assertThat(result.errorLines()).anySatisfy(line -> assertThat(line)
                .startsWith(
                        "interlock: '/bin/pwd' cannot be started here, for the current directory has been removed"));
    }

    private static Cli.Result inRemoved(LauncherTree tree, String shell, String... command) throws IOException {
        String gone = Files.createTempDirectory(directory, "gone").toString();
        List<String> words = new ArrayList<>(
                List.of("/bin/sh", "-c", "cd \"$0\" && /bin/rmdir \"$0\" && exec " + shell + " \"$@\"", gone));
        words.addAll(List.of(command));
        return tree.startIn(directory, words).result();
    }

    @Test
    void programsThatAreMissing_areNamed() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin").toString();

        Cli.Result result = By.THE_SHELL
                .tree()
                .startIn(
                        directory,
                        List.of(
                                "/usr/bin/env",
                                "PATH=" + java,
                                By.THE_SHELL.tree().launcher(),
                                "--version"))
                .result()
                .exited(70);

        assertThat(result.errorLines())
                .singleElement()
                .asString()
                .isEqualTo("interlock: there is no readlink on the PATH, which is " + java
                        + "; add the folder of the system's programs, as /usr/bin, to it");
    }

    /** Before anything is begun: with some more, Java takes the lock and cannot start the program. */
    @Test
    void tooFewDescriptors_areSaid() throws IOException {
        Cli.Result result = By.THE_SHELL
                .tree()
                .startIn(
                        directory,
                        List.of(
                                "/bin/sh",
                                "-c",
                                "ulimit -n 64; exec \"$@\"",
                                "sh",
                                By.THE_SHELL.tree().launcher(),
                                "--version"))
                .result()
                .exited(70);

        assertThat(result.errorLines())
                .singleElement()
                .asString()
                .isEqualTo("interlock: only 64 files may be open at a time here, and interlock needs 128; raise the"
                        + " limit, as by ulimit -n 1024");
    }

    /** As in a container: to its first process all are left whose parents have ended. */
    @ParameterizedTest
    @EnumSource
    void theFirstProcess_removesWhatIsLeftToIt_orSaysThatItDoesNot(By starter) throws Exception {
        Path script = directory.resolve("orphans");
        Files.writeString(
                script,
                """
                i=0
                while [ $i -lt 5 ]; do (/bin/sleep 0.05 & :); i=$((i + 1)); done
                /bin/sleep 1
                for each in /proc/[0-9]*; do
                  read -r line <$each/stat && case ${line##*) } in "Z 1 "*) echo zombie ;; esac
                done
                exit 7
                """);
        List<String> inside = List.of("/usr/bin/unshare", "--pid", "--fork", "--mount-proc");
        Assumptions.assumeTrue(isAllowed(join(inside, "/bin/true")), "needs the right to make a namespace");

        Cli.Result result = starter.tree()
                .startIn(
                        directory,
                        join(inside, starter.tree().launcher(), "run", "first", "/bin/sh", script.toString()))
                .result()
                .exited(7);

        if (starter == By.THE_SHELL) {
            assertThat(result.out()).isEmpty();
            assertThat(result.err()).isEmpty();
        } else {
            assertThat(result.out()).contains("zombie");
            assertThat(result.errorLines()).singleElement().asString().contains("docker run --init");
        }
    }

    private static boolean isAllowed(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
    }
}
