package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What bash offers after the script of {@code interlock completion}. */
final class CompletionTest {

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void commandsAndOptions_areCompleted() throws IOException {
        Path script = directory.resolve("interlock");
        Files.writeString(script, InProcess.run("completion").exited(0).out(), StandardCharsets.UTF_8);

        assertThat(complete(script, "interlock", ""))
                .contains("run", "lead", "ls", "show", "waits", "unlock", "latch", "completion");
        assertThat(complete(script, "interlock", "latch", "")).contains("set", "down", "wait");
        assertThat(complete(script, "interlock", "run", "--l")).containsExactly("--lease");
    }

    private static List<String> complete(Path script, String... words) throws IOException {
        String bash = ". '" + script + "'; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _complete_interlock; "
                + "printf '%s\\n' \"${COMPREPLY[@]}\"";
        List<String> command = new ArrayList<>(List.of("bash", "--norc", "-c", bash, "bash"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .toList();
    }
}
