package dev.interlock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OptionsTest {

    /** The bench runs in the root of the repository, two folders above this module. */
    @Test
    void withoutOptions_itWritesThePageThatIsThere() {
        Path page = Objects.requireNonNull(Options.parse(List.of()).out());

        assertThat(page).isEqualTo(Path.of("lab/bench/results.md"));
        assertThat(Path.of("../..").resolve(page)).exists();
    }
}
