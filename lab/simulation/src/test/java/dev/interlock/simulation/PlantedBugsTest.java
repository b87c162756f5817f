package dev.interlock.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulation finds bugs: three of the list, and all of them by {@code lab/simulation/plant}. */
class PlantedBugsTest {

    private static final Path ROOT = Path.of(System.getProperty("interlock.target"))
            .toAbsolutePath()
            .resolve("../../..")
            .normalize();

    private static final List<PlantedBug> BUGS = PlantedBug.read(ROOT.resolve("lab/simulation/planted.txt"));

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"valid-after-its-deadline", "release-keeps-the-waiter", "answer-of-an-undone-write"})
    void aPlantedBug_isFound(String name) {
        assertThat(bug(name).find(ROOT, 20_000)).isNotNull();
    }

    @Test
    void aBugWithoutAPlace_isRefused() {
        PlantedBug bug = bug("valid-after-its-deadline");
        PlantedBug nowhere = new PlantedBug("nowhere", bug.kind(), bug.rule(), bug.file(), "no such line", bug.after());

        assertThatThrownBy(() -> nowhere.find(ROOT, 1)).hasMessageContaining("bring lab/simulation/planted.txt up");
    }

    @Test
    void theList_hasARuleForEachBug() {
        assertThat(BUGS).hasSizeGreaterThanOrEqualTo(40).allSatisfy(bug -> {
            assertThat(bug.rule()).endsWith(".");
            assertThat(ROOT.resolve(bug.file())).content().containsOnlyOnce(bug.before());
        });
        assertThat(BUGS).extracting(PlantedBug::name).doesNotHaveDuplicates();
    }

    @Test
    void thePage_hasARowForEachBug() {
        assertThat(ROOT.resolve("lab/simulation/README.md"))
                .content()
                .contains(BUGS.stream()
                        .map(bug -> "| `" + bug.name() + "` | `" + bug.kind() + "` | ")
                        .toList());
    }

    private static PlantedBug bug(String name) {
        return BUGS.stream().filter(bug -> bug.name().equals(name)).findFirst().orElseThrow();
    }
}
