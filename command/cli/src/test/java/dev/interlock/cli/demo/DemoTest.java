package dev.interlock.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.cli.Cli;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.PostgresServer;
import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The demonstration in full, as users start it. I1, I2, I3 and I5 between processes of which one is killed and one is
 * stopped.
 */
@Tag("some")
@Tag("wide")
final class DemoTest {

    private static final List<String> ROWS = List.of(
            "increments",
            "processes that took part",
            "hand-overs between processes",
            "late writes refused",
            "the stopped holder was told");

    /** Bounded by a time, which a slow machine may exceed. */
    private static final String TAKE_OVER = "take-over after kill -9";

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void onAFileOfItsOwn() throws IOException {
        showsThatAllIsRight(new Cli(directory).start("demo"));
    }

    @Tag(Effort.TIMING)
    @Test
    void onAFileOfItsOwn_inTime() throws IOException {
        Cli.Running demo = new Cli(directory).start("demo");
        showsThatAllIsRight(demo);

        List<String> lines = demo.result().exited(0).out().lines().toList();
        assertThat(lines).anyMatch(line -> line.startsWith(TAKE_OVER) && line.endsWith(" ok"));
        // Without the start of five JVMs, which takes 1 s, but on a busy machine whatever it takes.
        assertThat(clock(lines.get(lines.size() - ROWS.size() - 6)) - clock(line(lines, "are ready")))
                .isBetween(5.0, 18.0);
    }

    @Tag("long")
    @Test
    void onRedis() throws IOException {
        try (RedisServer server = RedisServer.builder().password("secret").start()) {
            Cli.Running demo = new Cli(directory).start("demo", "--store", server.uri());
            showsThatAllIsRight(demo);
            assertThat(Files.readString(demo.out())).doesNotContain("secret");
            assertThat(server.list("KEYS", "*"))
                    .noneMatch(key -> server.command("PTTL", key).equals("-1"));
        }
    }

    @Tag("long")
    @Test
    void onPostgres() throws IOException {
        String url = PostgresServer.shared()
                .newDatabase()
                .replace("//", "//postgres:secret@")
                .replace("user=postgres&", "");
        Cli.Running demo = new Cli(directory).start("demo", "--store", url);
        showsThatAllIsRight(demo);
        assertThat(Files.readString(demo.out())).doesNotContain("secret");
    }

    /** Somebody writes the number without the lock. */
    @Tag("long")
    @Tag(Effort.SCALED)
    @Test
    void aWrongNumber_isShown_andFails() throws IOException {
        Cli.Running demo = new Cli(directory).start("demo");
        demo.awaitOutput("is killed with -9");
        Path counter = leftovers().get(0).resolve("counter");
        // Again and again: a worker that has read it before puts its own number in its place.
        for (int i = 0; i < 200; i++) {
            Path wrong = Files.writeString(directory.resolve("wrong"), "0\n");
            Files.move(wrong, counter, StandardCopyOption.ATOMIC_MOVE);
        }

        List<String> lines = demo.result().exited(1).out().lines().toList();

        assertThat(lines).endsWith("A number is wrong.");
        assertThat(lines.stream().filter(line -> line.endsWith(" WRONG")))
                .singleElement()
                .asString()
                .startsWith("increments");
    }

    /** However it is ended, no process and no file stays. */
    @ParameterizedTest
    @ValueSource(strings = {"TERM", "KILL"})
    void ended_leavesNoProcess(String signal) {
        Cli.Running demo = new Cli(directory).start("demo");
        demo.awaitOutput("increments: ");
        List<ProcessHandle> workers = demo.process().children().toList();
        assertThat(workers).hasSize(4);

        if (signal.equals("TERM")) {
            demo.process().destroy();
            demo.result().exited(143);
            assertThat(leftovers()).isEmpty();
        } else {
            // Nothing can be removed now, but the workers find out that they are alone.
            demo.process().destroyForcibly();
        }

        Awaitility.await().until(() -> workers.stream().noneMatch(ProcessHandle::isAlive));
    }

    private void showsThatAllIsRight(Cli.Running demo) throws IOException {
        Cli.Result result = demo.result();

        assertThat(result.err()).isEmpty();
        List<String> lines = result.out().lines().toList();
        for (String row : ROWS) {
            assertThat(lines).anyMatch(line -> line.startsWith(row) && line.endsWith(" ok"));
        }
        boolean late = lines.stream().anyMatch(line -> line.startsWith(TAKE_OVER) && line.endsWith(" WRONG"));
        result.exited(late ? 1 : 0);
        assertThat(lines.stream().filter(line -> line.contains("WRONG"))).hasSize(late ? 1 : 0);
        assertThat(lines).anyMatch(line -> line.matches(".*holds: [1-4] .*waits: [1-4].*"));
        assertThat(leftovers()).isEmpty();
    }

    private static String line(List<String> lines, String content) {
        return lines.stream().filter(line -> line.contains(content)).findFirst().orElseThrow();
    }

    private static double clock(String line) {
        return Double.parseDouble(line.substring(0, line.indexOf(" s ")).strip());
    }

    private List<Path> leftovers() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("interlock-demo"))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
