package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script at the root of the repository, in a tree of its own in which a stand-in for Maven hands out the classes of
 * this test run.
 */
@Tag("wide")
final class LauncherTest {

    private static final String FROM_ARCHIVE = "source: shared objects file (top)";

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void theFirstUse_buildsOnce_evenIfManyAreFirst() throws IOException {
        LauncherTree tree = LauncherTree.in(directory.resolve("a tree"));
        List<Cli.Running> all =
                Stream.of(1, 2, 3).map(i -> tree.start("--version")).toList();

        List<Cli.Result> results = all.stream().map(Cli.Running::result).toList();

        assertThat(results)
                .allSatisfy(result -> assertThat(result.exited(0).out()).startsWith("interlock "));
        assertThat(results.stream().flatMap(result -> result.errorLines().stream()))
                .singleElement()
                .asString()
                .startsWith("interlock: building");
        assertThat(tree.builds()).isEqualTo(1);

        // From anywhere, through links, without another build, with exit codes and arguments as they are.
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("a tree", "interlock"));
        Path second = Files.createSymbolicLink(
                Files.createDirectory(directory.resolve("bin")).resolve("il"), link);
        Cli.Result result = tree.startAs(
                        second,
                        "run",
                        "job \u00e9",
                        "--",
                        "sh",
                        "-c",
                        "echo \"$INTERLOCK_NAME|$1|${LC_ALL-unset}\"; exit 7",
                        "sh",
                        "\u00fc b")
                .result();
        assertThat(result).isEqualTo(new Cli.Result(7, "job \u00e9|\u00fc b|unset\n", ""));
        assertThat(tree.builds()).isEqualTo(1);
        assertThat(tree.generated("classes-*.jsa")).singleElement().satisfies(archive -> assertThat(Files.size(archive))
                .isPositive());
        assertThat(tree.generated("native")).hasSize(1);

        tree.changeSource();
        assertThat(tree.start("--version").result().exited(0).errorLines()).hasSize(1);
        assertThat(tree.builds()).isEqualTo(2);
        assertThat(tree.start("--version").result().exited(0).err()).isEmpty();
        assertThat(tree.outsideTarget()).isEmpty();
    }

    /**
     * Half of the time of a start: an archive that does not fit, as one of another class path, is passed over in
     * silence.
     */
    @Test
    void theArchive_isWhatClassesAreLoadedFrom() throws IOException {
        LauncherTree tree = LauncherTree.in(directory.resolve("tree"));
        tree.start("--version").result().exited(0);
        Path log = directory.resolve("loaded");
        Path driver = directory.resolve("driver.jar");
        new JarOutputStream(Files.newOutputStream(driver), new Manifest()).close();

        // Further jars stand behind our own, and so do not take it away.
        loading(tree, log)
                .with("INTERLOCK_CLASSPATH", driver.toString())
                .start("run", "job", "true")
                .result()
                .exited(0);

        // Neither is what needs no parser kept from starting by one.
        assertThat(Files.readString(log)).contains("java.lang.Object").doesNotContain("picocli.CommandLine");
        List<String> ours = ours(log);
        List<String> archived =
                ours.stream().filter(line -> line.contains(FROM_ARCHIVE)).toList();
        assertThat(archived).anyMatch(line -> line.contains(" dev.interlock.cli.RunCommand "));
        assertThat(archived).anyMatch(line -> line.contains(" dev.interlock.jdbc.JdbcStore "));
        // Not all: the proxies of Java 17 are made anew.
        assertThat(archived).hasSizeGreaterThan(ours.size() * 9 / 10);

        // Without it the log looks otherwise.
        Files.writeString(tree.generated("classes-*.jsa").get(0), "");
        loading(tree, log).start("run", "job", "true").result().exited(0);
        assertThat(ours(log)).isNotEmpty().noneMatch(line -> line.contains(FROM_ARCHIVE));
    }

    /** What the JVM is told last: the launcher has turned its log off. */
    private static LauncherTree loading(LauncherTree tree, Path log) throws IOException {
        return tree.withJavaOptions("-Xlog:class+load:file=" + log);
    }

    private static List<String> ours(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains(" dev.interlock.")).toList();
        }
    }

    /** As drivers of databases that the command does not come with. */
    @Test
    void furtherJars_standBehindItsOwn() throws IOException {
        LauncherTree tree = LauncherTree.in(directory.resolve("tree"));

        Cli.Running running = tree.with("INTERLOCK_CLASSPATH", "/opt/driver.jar")
                .start("run", "job", "--", "sh", "-c", "echo up; read line");
        running.awaitOutput("up");
        String commandLine = Files.readString(
                        Path.of("/proc", Long.toString(running.process().pid()), "cmdline"))
                .replace('\0', ' ');
        running.process().outputWriter().close();
        running.result().exited(1);

        assertThat(commandLine).contains(".jar:/opt/driver.jar dev.interlock.cli.Main run job ");
    }

    @Tag("long")
    @Test
    void itsTree_isFound_fromTheDirectoryItIsIn() throws IOException {
        LauncherTree tree = LauncherTree.in(directory.resolve("tree"));
        Files.createSymbolicLink(directory.resolve("interlock"), Path.of("tree", "interlock"));
        tree.start("--version").result().exited(0);

        Cli.Result byLink = tree.startIn(directory, List.of("sh", "interlock", "--version"))
                .result()
                .exited(0);
        assertThat(byLink.err()).isEmpty();

        Cli.Result byPath = tree.with("CDPATH", ".")
                .startIn(directory, List.of("tree/interlock", "run", "job", "--", "sh", "-c", "echo $CDPATH"))
                .result();
        assertThat(byPath).isEqualTo(new Cli.Result(0, ".\n", ""));
        assertThat(tree.builds()).isEqualTo(1);

        // Read by a shell that was told another name.
        String launcher = directory.resolve("tree/interlock").toString();
        oneLine(
                tree.startIn(directory, List.of("sh", "-c", ". '" + launcher + "'", "nowhere/interlock")),
                "cannot be entered");
    }

    /** A shell hands on what it sets to a variable that it was given. */
    @Tag("long")
    @Test
    void theProgram_findsItsEnvironmentAsItWas() throws IOException {
        LauncherTree tree = LauncherTree.in(directory.resolve("tree"));
        List<String> names = List.of(
                "version",
                "runtime",
                "home",
                "root",
                "work",
                "java",
                "flags",
                "directory",
                "classpath",
                "archive",
                "key",
                "value",
                "name",
                "old",
                "jar",
                "locale",
                "terminals");
        names.forEach(name -> tree.with(name, "mine"));

        String printed = tree.start("run", "job", "--", "sh", "-c", "echo $" + String.join(" $", names))
                .result()
                .exited(0)
                .out();

        assertThat(printed.strip().split(" ", -1)).hasSameSizeAs(names).containsOnly("mine");
    }

    /** It asks the JVM for its threads, which is no part of what the program prints. */
    @Tag("long")
    @Test
    void aQuit_leavesTheOutputAlone() throws IOException {
        LauncherTree tree = LauncherTree.in(directory.resolve("tree"));
        Cli.Running running = tree.start(
                "run", "job", "--", "sh", "-c", "echo up; while ! [ -e " + directory + "/go ]; do sleep 0.05; done");
        running.awaitOutput("up");

        new ProcessBuilder("kill", "-QUIT", Long.toString(running.process().pid()))
                .start()
                .onExit()
                .join();
        running.awaitError("Full thread dump");

        Files.createFile(directory.resolve("go"));
        assertThat(running.result().exited(0).out()).isEqualTo("up\n");
    }

    @Tag("long")
    @Test
    void aSignal_reachesTheProgram() throws IOException {
        LauncherTree tree = LauncherTree.in(directory.resolve("tree"));
        Cli.Running running = tree.start(
                "run", "job", "--", "sh", "-c", "trap 'echo got; exit 5' TERM; echo up; while :; do sleep 0.05; done");
        running.awaitOutput("up");

        running.process().destroy();

        assertThat(running.result().exited(5).out()).isEqualTo("up\ngot\n");
    }

    @Test
    void whatIsMissing_isSaid() throws IOException {
        LauncherTree tree = LauncherTree.in(directory.resolve("tree"));

        oneLine(tree.withJava(null).start("--version"), "no Java found");
        oneLine(tree.withJava(tree.oldJdk()).start("--version"), "Java 11.0.2 at");
        oneLine(
                tree.withThisJava().withoutMaven().start("--version"),
                "no mvn on the PATH; install Maven 3.8 or later");
        assertThat(tree.builds()).isZero();
    }

    @Test
    void aBuildThatFails_isSaid_andTriedAgain() throws IOException {
        LauncherTree tree = LauncherTree.in(directory.resolve("tree"));

        Cli.Result failed = tree.withFailingMaven().start("--version").result().exited(70);
        assertThat(failed.err()).contains("[ERROR] it rains", "the build has failed", "build.log");
        assertThat(failed.out()).isEmpty();

        tree.withMaven().start("--version").result().exited(0);
    }

    /**
     * As in a checkout of somebody else; to root, who may run this, everything is writable, but not a file as a
     * directory.
     */
    @Test
    void whereItMayNotWrite_itSaysSo() throws IOException {
        LauncherTree tree = LauncherTree.in(directory.resolve("tree"));
        Files.createDirectories(tree.work().getParent());
        Files.createFile(tree.work());

        oneLine(tree.start("--version"), "cannot be written");
        oneLine(tree.withoutFlock().start("--version"), "cannot be written");
        assertThat(tree.builds()).isZero();
    }

    @Tag("long")
    @Test
    void whereItMayNotWrite_itStartsWhatIsBuilt_withoutTheArchive() throws IOException {
        LauncherTree tree = LauncherTree.in(directory.resolve("tree"));
        tree.start("--version").result().exited(0);
        Files.delete(tree.generated("classes-*.jsa").get(0));
        Files.delete(tree.work().resolve("lock"));
        Files.createDirectory(tree.work().resolve("lock"));

        Cli.Result result = tree.start("run", "job", "sh", "-c", "echo inside").result();

        assertThat(result).isEqualTo(new Cli.Result(0, "inside\n", ""));
        assertThat(tree.generated("classes-*.jsa")).isEmpty();
        tree.changeSource();
        oneLine(tree.start("--version"), "cannot be written");
        assertThat(tree.builds()).isEqualTo(1);
    }

    @Tag("long")
    @Test
    void withoutFlock_whoIsKilledAsItLocks_keepsNobodyOut() throws IOException {
        LauncherTree tree = LauncherTree.in(directory.resolve("tree")).withoutFlock();
        tree.withDeadlyLinks().start("--version").result().exited(137);
        tree.withHarmlessLinks();
        List<Cli.Running> all =
                Stream.of(1, 2, 3).map(i -> tree.start("--version")).toList();

        assertThat(all.stream().map(Cli.Running::result).toList())
                .allSatisfy(result -> assertThat(result.exited(0).out()).startsWith("interlock "));
        assertThat(tree.builds()).isEqualTo(1);
        assertThat(tree.generated("lock.*")).isEmpty();
    }

    private static void oneLine(Cli.Running running, String expected) {
        assertThat(running.result().exited(70).errorLines())
                .singleElement()
                .asString()
                .startsWith("interlock: ")
                .contains(expected);
    }
}
