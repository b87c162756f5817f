package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LossCause;
import dev.interlock.cli.common.StoreUri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/production.md work as they are written there. */
final class ProductionPageTest {

    @TempDir
    private Path directory = Path.of(".");

    private String page = "";
    private String store = "";

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(Path.of("../../docs/production.md"));
        store = StoreUri.sqlite(directory.resolve("locks.db")).value();
    }

    /** In the order of the page, against a holder that lives. */
    @Test
    void atNight_theHolderIsFound_andEnded() throws InterruptedException {
        List<List<String>> commands = commands();
        try (Interlock interlock = Interlock.builder(store).application("shop").build()) {
            Lease held = interlock.lock("orders:42").acquire();

            assertThat(commands)
                    .extracting(words -> words.get(0))
                    .containsExactly("doctor", "waits", "show", "ls", "unlock");
            run(commands.get(0));
            assertThat(run(commands.get(1)).out()).isEqualTo("nobody waits\n");
            assertThat(run(commands.get(2)).out())
                    .startsWith("orders:42 is held\n")
                    .contains("shop", String.valueOf(ProcessHandle.current().pid()), String.valueOf(held.token()));
            assertThat(run(shorter(commands.get(3))).out()).contains("orders:42", "shop");
            assertThat(run(commands.get(4)).out()).isEqualTo("orders:42 is unlocked\n");
            assertThat(held.release().lossCause()).isEqualTo(LossCause.FORCED);
        }
    }

    /** The tables of the command have the headings by which the page names them. */
    @Test
    void theHeadings_areThoseOfShow() throws InterruptedException {
        try (Interlock interlock = Interlock.connect(store);
                Lease held = interlock.lock("orders:42").acquire()) {
            assertThat(held.isValid()).isTrue();
            String shown = run(commands().get(2)).out();
            assertThat(List.of("HOLDER", "PROCESS", "THREAD", "LEASE LEFT"))
                    .allMatch(shown::contains)
                    .allMatch(page::contains);
        }
    }

    /** The program of the page is not there, which only who holds the lock finds out. */
    @Test
    void theUnit_andTheImage_runTheirProgram_orSayThatItIsBusy() throws InterruptedException {
        List<String> unit = words(only("(?m)^ExecStart=/usr/bin/interlock (.*)$"));
        List<String> image =
                words(only("(?m)^ENTRYPOINT \\[\"interlock\", (.*)]$").replaceAll("[\",]", ""));
        Cli cli = new Cli(directory).with(DefaultStore.VARIABLE, store);

        cli.run(unit.toArray(String[]::new)).exited(127);
        cli.run(image.toArray(String[]::new)).exited(127);
        try (Interlock interlock = Interlock.connect(store);
                Lease held = interlock.lock("nightly-report").acquire()) {
            cli.run(unit.toArray(String[]::new)).exited(Integer.parseInt(only("(?m)^SuccessExitStatus=(\\d+)$")));
            assertThat(held.isValid()).isTrue();
        }
    }

    /** Those of the block for a shell, without their comments. */
    private List<List<String>> commands() {
        return only("(?s)```sh\\n(.*?)```")
                .lines()
                .map(line -> words(line.replaceFirst("^interlock ", "").replaceFirst(" +#.*", "")))
                .toList();
    }

    /** The lock of the test is not held for minutes. */
    private static List<String> shorter(List<String> words) {
        assertThat(words).containsSequence("--older-than", "10m");
        return words.stream().map(word -> word.equals("10m") ? "0s" : word).toList();
    }

    private String only(String pattern) {
        List<String> found = Pattern.compile(pattern)
                .matcher(page)
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
        assertThat(found).as(pattern).hasSize(1);
        return found.get(0);
    }

    private static List<String> words(String line) {
        return List.of(line.split(" +"));
    }

    /** As somebody on a terminal, who says yes when asked. */
    private Cli.Result run(List<String> words) {
        String[] arguments = Arrays.copyOf(words.toArray(String[]::new), words.size() + 2);
        arguments[words.size()] = "--store";
        arguments[words.size() + 1] = store;
        return InProcess.onTerminal("y\n", arguments).exited(0);
    }
}
