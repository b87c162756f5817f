package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.cli.common.StoreUri;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command in a real terminal, with keys that are pressed: in tmux, without which these tests are skipped. */
@Tag("long")
final class TerminalTest {

    private static final String ESCAPE = "\u001b";

    @TempDir
    private Path directory = Path.of(".");

    private String store = "";

    @BeforeEach
    void startTmux() throws IOException {
        assumeThat(isInstalled()).as("tmux is installed").isTrue();
        store = StoreUri.sqlite(directory.resolve("locks.db")).value();
        tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "24", "sh");
        tmux("set-option", "-g", "status", "off");
        tmux("set-option", "-g", "window-size", "manual");
        type("PS1='done:$? '; clear", "Enter");
        awaitPrompt(0);
    }

    @AfterEach
    void endTmux() throws IOException {
        if (isInstalled()) {
            run(List.of("tmux", "-S", socket(), "kill-server"));
        }
    }

    private static boolean isInstalled() {
        try {
            return run(List.of("tmux", "-V")).startsWith("tmux ");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void top_showsTheLocks_followsKeys_andLeavesTheTerminalAsItWas() throws Exception {
        type("stty -g >" + directory.resolve("before"), "Enter");
        try (Interlock interlock = Interlock.connect(store);
                Lease first = interlock.lock("nightly").acquire();
                Lease hostile = interlock.lock("evil\u001b[2J\u202e").acquire()) {
            type(command("top"), "Enter");
            awaitScreen("2 in use, 0 waiting", "nightly", "evil\\u{1B}[2J\\u{202E}", "sorted by time held", "q quit");
            assertThat(screen()).doesNotContain("stty");

            type("s");
            awaitScreen("sorted by waiters");
            type("sss", "r");
            awaitScreen("sorted by time held, reversed");
            type("/night");
            awaitScreen("filter: night_", "1 to 1 of 1");
            assertThat(screen()).doesNotContain("evil");
            type("Escape");
            awaitScreen("1 to 2 of 2", "evil");

            // It goes on by itself.
            try (Lease third = interlock.lock("third").acquire()) {
                awaitScreen("3 in use", "third");
                assertThat(third.isValid()).isTrue();
            }
            awaitScreen("2 in use");

            tmux("resize-window", "-x", "60", "-y", "8");
            awaitLastLine(8, "q quit");
            tmux("resize-window", "-x", "120", "-y", "30");
            awaitLastLine(30, "1 to 2 of 2");

            type("Down", "Up", "NPage", "PPage", "Home", "End", "q");
            awaitPrompt(0);
            assertThat(screen()).contains("stty").doesNotContain("q quit");
            assertThat(List.of(first.isValid(), hostile.isValid())).containsOnly(true);
        }
        assertSettingsAsBefore();
    }

    /** However it ends, the shell gets its terminal back: with the echo of keys, lines, and the cursor. */
    @Test
    void ctrlC_endsIt_andLeavesTheTerminalAsItWas() throws Exception {
        type("stty -g >" + directory.resolve("before"), "Enter");
        type(command("ls", "--watch"), "Enter");
        awaitScreen("0 in use", "sorted by name", "nothing to show");

        type("C-c");

        awaitPrompt(130);
        assertSettingsAsBefore();
        assertThat(tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{wrap_flag}"))
                .isEqualTo("0 1 1\n");
    }

    @Test
    void ctrlZ_stopsIt_andItGoesOnInTheForeground() throws Exception {
        type("set -m", "Enter", command("top"), "Enter");
        awaitScreen("0 in use");
        type("C-z");
        Awaitility.await().until(() -> !screen().contains("q quit") || screen().contains("topped"));

        type("fg", "Enter");
        awaitScreen("0 in use", "q quit");
        type("s");
        awaitScreen("sorted by waiters");
        type("q");
        awaitPrompt(0);
    }

    @Test
    void noCommand_showsHowToBegin_andColoursFollowNoColor() throws Exception {
        type("clear; " + command(), "Enter");
        awaitPrompt(64);
        assertThat(screen()).contains("interlock run my-lock -- make backup");

        type("clear; " + command("unlok"), "Enter");
        awaitPrompt(64);
        assertThat(tmux("capture-pane", "-p", "-e")).contains(ESCAPE + "[1m" + ESCAPE + "[31minterlock:");

        type("clear; NO_COLOR=1 " + command("unlok"), "Enter");
        awaitPrompt(64);
        assertThat(tmux("capture-pane", "-p", "-e"))
                .contains("interlock: there is no command 'unlok' (did you mean 'unlock'?)")
                .doesNotContain(ESCAPE);
    }

    /** What the launcher runs: it tells the JVM which streams are terminals. */
    private String command(String... arguments) throws IOException {
        List<String> words = new ArrayList<>(new Cli(directory).command(arguments));
        words.add(1, "-Dinterlock.terminals=012");
        Path script = directory.resolve("interlock");
        if (!Files.exists(script)) {
            String jvm = words.subList(0, words.size() - arguments.length).stream()
                    .map(word -> "'" + word + "'")
                    .collect(Collectors.joining(" "));
            Files.writeString(script, "INTERLOCK_STORE='" + store + "' exec " + jvm + " \"$@\"\n");
        }
        return "sh " + script + " " + String.join(" ", arguments);
    }

    private void assertSettingsAsBefore() throws IOException {
        Path after = directory.resolve("after");
        type("stty -g >" + after, "Enter");
        Awaitility.await().untilAsserted(() -> assertThat(after).isNotEmptyFile());
        assertThat(after).hasSameTextualContentAs(directory.resolve("before"));
    }

    private void type(String... keys) throws IOException {
        for (String key : keys) {
            tmux("send-keys", key);
        }
    }

    private String screen() throws IOException {
        return tmux("capture-pane", "-p");
    }

    /**
     * The shell has come back, and waits for the next line. Before, what is typed may still be the command's. A command
     * that was typed before its prompt was there leaves that prompt on the same line.
     */
    private void awaitPrompt(int exitCode) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(screen().stripTrailing().lines().reduce("", (before, line) -> line))
                        .endsWith("done:" + exitCode));
    }

    private void awaitScreen(String... texts) {
        Awaitility.await().untilAsserted(() -> assertThat(screen()).contains(texts));
    }

    /** The pane has this many lines, and this text in the last one. */
    private void awaitLastLine(int lines, String text) {
        Awaitility.await().untilAsserted(() -> {
            List<String> shown = screen().lines().toList();
            assertThat(shown).hasSize(lines);
            assertThat(shown.get(lines - 1)).contains(text);
        });
    }

    private String socket() {
        return directory.resolve("tmux").toString();
    }

    private String tmux(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("tmux", "-S", socket(), "-u"));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
