package dev.interlock.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With a stand-in for the launcher, which would build: what is started, how often, and that a start that failed is no
 * figure.
 */
class CommandStartTest {

    private static final String FIGURES_OF_THREE = " \\| [0-9.,]+ \\| [0-9.,]+ \\| [0-9.,]+ \\| 3 \\|";

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void itIsStartedAsUsersDo_andOnceMoreThanItIsMeasured() throws IOException {
        Section section = new CommandStart(launcher("echo \"$*|${XDG_STATE_HOME##*/}\" >>\"$0.log\""), 3).run();

        assertThat(Files.readAllLines(directory.resolve("interlock.log")))
                .hasSize(4)
                .allMatch(line -> line.startsWith("run x -- true|state-"));
        assertThat(section.lines().get(2)).matches("\\| `\\./interlock run x -- true`" + FIGURES_OF_THREE);
        assertThat(section.lines().get(3)).matches("\\| `java -version`" + FIGURES_OF_THREE);
        assertThat(section.verdicts()).hasSize(2);
    }

    @Test
    void aSlowStart_isATargetMissed() throws IOException {
        Section section = new CommandStart(launcher("sleep 0.5"), 1).run();

        assertThat(section.verdicts()).first().matches(verdict -> !verdict.reached());
    }

    @Test
    void aStartThatFails_isNoFigure() throws IOException {
        CommandStart failing = new CommandStart(launcher("exit 70"), 1);

        assertThatThrownBy(failing::run).hasMessageContaining("exited with 70");
    }

    private Path launcher(String action) throws IOException {
        Path launcher = Files.writeString(directory.resolve("interlock"), "#!/bin/sh\n" + action + "\n");
        return Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    }
}
