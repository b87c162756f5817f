package dev.interlock.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The examples of the page are parts of tests that run: each block of code stands in one of them. */
@Tag("pages")
class TestingPageTest {

    private static final Path ROOT = Path.of(System.getProperty("interlock.target"))
            .toAbsolutePath()
            .resolve("../../..")
            .normalize();

    private static final List<String> TESTS = List.of(
            "adapters/test/src/test/java/dev/interlock/test/SettlementTest.java",
            "adapters/spring-boot-tests/src/test/java/dev/interlock/spring/tests/ReportJobTest.java",
            "adapters/reactor/src/test/java/dev/interlock/reactor/TestedPublisherTest.java",
            "adapters/kotlin/src/test/kotlin/dev/interlock/kotlin/TestedCoroutineTest.kt");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(?:java|kotlin)\n(.*?)^```$");

    @Test
    void examples_areParts_ofTestsThatRun() throws IOException {
        List<String> tests = TESTS.stream().map(TestingPageTest::text).toList();
        List<String> blocks = BLOCK.matcher(Files.readString(ROOT.resolve("docs/testing.md")))
                .results()
                .map((MatchResult block) -> bare(block.group(1)))
                .toList();

        assertThat(blocks).hasSizeGreaterThan(5).allSatisfy(block -> assertThat(tests)
                .anySatisfy(test -> assertThat(test).contains(block)));
    }

    private static String text(String file) {
        try {
            return bare(Files.readString(ROOT.resolve(file)));
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + file, e);
        }
    }

    /** Without what a formatter changes. */
    private static String bare(String code) {
        return code.replaceAll("\\s", "");
    }
}
