package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command explains itself. */
final class HelpTest {

    @Test
    void help_namesTheCommandsAndTheStore() {
        assertThat(InProcess.run("--help").exited(0).out())
                .contains(
                        "run ",
                        "ls ",
                        "show ",
                        "unlock ",
                        "demo ",
                        "schema ",
                        "INTERLOCK_STORE",
                        "${XDG_STATE_HOME:-~/.local/state}/interlock/locks.db");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "lead", "ls", "show", "waits", "unlock", "demo"})
    void help_ofACommand_isTheSameBothWays(String command) {
        String help = InProcess.run("help", command).exited(0).out();

        assertThat(help).contains("Usage: interlock " + command, "--store=URI", "$INTERLOCK_STORE");
        assertThat(InProcess.run(command, "--help").exited(0).out()).isEqualTo(help);
    }

    @Test
    void help_ofRun_explainsDurationsAndExitCodes() {
        assertThat(InProcess.run("run", "--help").exited(0).out())
                .contains("500ms, 5s, 2m, 1h", "ISO-8601", "INTERLOCK_TOKEN", "128 + signal number")
                .contains(" 64 ", " 69 ", " 74 ", " 75 ", " 126 ", " 127 ");
    }

    @Test
    void version() {
        assertThat(InProcess.run("--version").exited(0).out())
                .matches("interlock \\d+\\.\\d+\\.\\d+\\S* \\(Java \\S+\\)\n");
    }
}
