package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Colours: on a terminal that has them, for people who want them. */
@Tag("wide")
final class ColoursTest {

    private static final String ESCAPE = "\u001b";

    @TempDir
    private Path directory = Path.of(".");

    private Cli cli = new Cli(directory);

    @BeforeEach
    void newCli() {
        cli = new Cli(directory).with("TERM", "xterm").with("NO_COLOR", "");
    }

    @Test
    void onATerminal_helpAndErrorsHaveColours() {
        cli.withJvmArgument("-Dinterlock.terminals=12");

        assertThat(cli.run("ls", "--help").exited(0).out()).contains(ESCAPE + "[");
        // What the message repeats is plain: its own colours would be control characters of unknown origin.
        assertThat(cli.run("ls", "a", "b").exited(64).err())
                .startsWith(ESCAPE + "[1;31minterlock:" + ESCAPE + "[0m ls: 'b' is")
                .doesNotContain("u{1B}");
    }

    @ParameterizedTest
    @CsvSource({"NO_COLOR,1,12", "TERM,dumb,12", "TERM,'',12", "TERM,xterm,''"})
    void elsewhere_thereAreNone(String variable, String value, String terminals) {
        cli.with(variable, value).withJvmArgument("-Dinterlock.terminals=" + terminals);

        assertThat(cli.run("ls", "--help").exited(0).out()).doesNotContain(ESCAPE);
        assertThat(cli.run("ls", "a", "b").exited(64).err()).startsWith("interlock: ls: 'b'");
    }
}
