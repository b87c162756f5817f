package dev.interlock.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a program finds under {@code interlock run} is what it finds without: it looks, started by the same shell in
 * both ways. The table in {@code docs/command.md} lists the same.
 */
@Tag("wide")
final class InheritanceTest {

    @TempDir
    private static Path directory = Path.of(".");

    private static @Nullable LauncherTree tree;

    @BeforeAll
    static void build() throws IOException {
        tree = LauncherTree.in(directory.resolve("tree")).withProgramsOfTheSystem();
        tree.start("--version").result().exited(0);
        Files.writeString(directory.resolve("lines"), "first\nsecond\nthird\n");
    }

    static Stream<Arguments> cases() {
        return Stream.of(
                // A program that ran before leaves a shell without blocked signals; this JVM may have some.
                looksAt("blocked signals", "env true;", "grep", "SigBlk", "/proc/self/status"),
                looksAt("default signals", "", "grep", "SigIgn", "/proc/self/status"),
                looksAt(
                        "ignored signals",
                        "trap '' HUP INT QUIT PIPE USR1 USR2 TERM ALRM TSTP;",
                        "grep",
                        "SigIgn",
                        "/proc/self/status"),
                looksAt("one ignored signal", "trap '' INT;", "grep", "SigIgn", "/proc/self/status"),
                looksAt("open descriptors", "exec 3</dev/null 4>&1 7<&0 9<>/dev/null;", "ls", "/proc/self/fd"),
                looksAt("a descriptor and where it is read", "exec 3<lines; read first <&3;", "sh", "-c", "cat <&3"),
                looksAt("no standard input", "exec <&-;", "ls", "/proc/self/fd"),
                looksAt("no standard error", "exec 2>&-;", "ls", "/proc/self/fd"),
                looksAt("limits", "ulimit -Sn 512; ulimit -Hn 1024; ulimit -Sc 0;", "cat", "/proc/self/limits"),
                looksAt("mask of new files", "umask 027;", "sh", "-c", "umask"),
                looksAt("directory", "mkdir -p sub; cd sub;", "readlink", "/proc/self/cwd"),
                looksAt(
                        "group, session, terminal, its group, priority, niceness",
                        "set -- nice -n 3 \"$@\";",
                        "cut",
                        "-d ",
                        "-f5-8,18-19",
                        "/proc/self/stat"),
                looksAt(
                        "rights and processors",
                        "",
                        "grep",
                        "-E",
                        "^(Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp:|Cpus_allowed|Mems_allowed)",
                        "/proc/self/status"),
                looksAt(
                        "what the system does with it",
                        "",
                        "cat",
                        "/proc/self/oom_score_adj",
                        "/proc/self/coredump_filter",
                        "/proc/self/cgroup",
                        "/proc/self/personality"),
                looksAt("environment", "export LC_ALL=POSIX A='x  y' CDPATH=. stat=mine java=mine;", "env"),
                looksAt("arguments", "", "sh", "-c", "cat /proc/$$/cmdline", "a  b", "", "--", "$HOME", "*", "\u00e9"));
    }

    private static Arguments looksAt(String what, String before, String... probe) {
        return Arguments.of(what, before, List.of(probe));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void theProgram_findsWhatItFindsWithoutUs(String what, String before, List<String> probe) {
        Cli.Result without = started(before, probe);
        List<String> within = new ArrayList<>(List.of(requireNonNull(tree).launcher(), "run", "job", "--"));
        within.addAll(probe);

        Cli.Result result = started(before, within);

        assertThat(result.exited(0).err()).isEqualTo(without.err());
        assertThat(lines(result)).isNotEmpty().isEqualTo(lines(without));
    }

    private static Cli.Result started(String before, List<String> command) {
        List<String> shell = new ArrayList<>(List.of("sh", "-c", before + " exec \"$@\"", "sh"));
        shell.addAll(command);
        return requireNonNull(tree).startIn(directory, shell).result();
    }

    /** Without what the command adds, and what a shell notes for itself. */
    private static List<String> lines(Cli.Result result) {
        return result.out()
                .lines()
                .filter(line -> !line.startsWith("INTERLOCK_") && !line.startsWith("_="))
                .sorted()
                .toList();
    }
}
