package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the exit code of a demonstration says. */
final class DemoCommandTest {

    @Test
    void aWrongNumber_fails() {
        assertThat(new CommandLine(new DemoCommand(store -> false)).execute()).isEqualTo(1);
        assertThat(new CommandLine(new DemoCommand(store -> true)).execute()).isZero();
    }
}
