package dev.interlock.testkit.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The list of mistakes fits the sources; that each is seen is shown by {@code lab/selftest/plant}. */
class PlantedMistakesTest {

    private static final Path ROOT = Path.of(System.getProperty("interlock.target"))
            .toAbsolutePath()
            .resolve("../../..")
            .normalize();

    private static List<Mistake> mistakes() throws IOException {
        return Mistake.read(ROOT.resolve("lab/selftest/planted.txt"));
    }

    @Test
    void eachMistake_changesAPartThatOccursOnce() throws IOException {
        assertThat(mistakes()).hasSizeGreaterThanOrEqualTo(20).allSatisfy(mistake -> {
            assertThat(mistake.rule()).endsWith(".");
            assertThat(ROOT.resolve(mistake.file())).content().containsOnlyOnce(mistake.before());
            assertThat(mistake.after()).isNotEqualTo(mistake.before());
        });
        assertThat(mistakes()).extracting(Mistake::name).doesNotHaveDuplicates();
    }

    @Test
    void eachMistake_namesTestsThatExist() throws IOException {
        assertThat(mistakes()).allSatisfy(mistake -> assertThat(mistake.tests())
                .isNotEmpty()
                .allSatisfy(place -> assertThat(ROOT.resolve(place.source())).exists()));
    }

    @Test
    void aPartThatIsGone_isRefused() throws IOException {
        Mistake known = mistakes().get(0);
        Mistake gone = new Mistake("gone", known.rule(), known.file(), "no such line", "", known.tests());

        assertThatThrownBy(() -> gone.planted(ROOT)).hasMessageContaining("bring lab/selftest/planted.txt up to date");
    }
}
