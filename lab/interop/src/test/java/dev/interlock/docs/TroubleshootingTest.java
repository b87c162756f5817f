package dev.interlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of messages has what the code says: each line of a log from INFO on, and no message that is not there. */
class TroubleshootingTest {

    private static final Path ROOT = Path.of(System.getProperty("interlock.target", "target"))
            .toAbsolutePath()
            .resolve("../../..")
            .normalize();

    /** So many characters are no chance. */
    private static final int SURE = 9;

    private static final List<String> SHIPPED = List.of("core", "stores", "recipes", "adapters", "command");

    /** A literal, and the others that are added to it. */
    private static final String LITERAL = "\"(?:[^\"\\\\]|\\\\.)*\"";

    private static final Pattern LOGGED = Pattern.compile("(?:\\.log\\(\\s*(?:System\\.Logger\\.)?Level\\."
            + "(?:INFO|WARNING|ERROR),|\\b(?:LOG|LOGGER|log)\\.(?:info|warn|error)\\()[^;]*?(" + LITERAL + ")");

    /** A message of the page: the first cell of a row, in backticks. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

    /** The sources, in which texts that are put together stand as one. */
    private static final List<String> SOURCES = new ArrayList<>();

    private static String page = "";

    @BeforeAll
    static void read() throws IOException {
        page = Files.readString(ROOT.resolve("docs/troubleshooting.md"));
        for (String folder : SHIPPED) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                for (Path file : files.filter(TroubleshootingTest::isShipped).toList()) {
                    SOURCES.add(Files.readString(file)
                            .replaceAll("\"\\s*\\+\\s*\"", "")
                            .replace("''", "'"));
                }
            }
        }
    }

    private static boolean isShipped(Path file) {
        String path = file.toString();
        return path.contains("/src/main/") && (path.endsWith(".java") || path.endsWith(".kt"));
    }

    @Test
    void everyLogLine_isExplained() {
        List<String> messages =
                ROW.matcher(page).results().flatMap(row -> parts(row.group(1))).toList();
        List<String> logged = new ArrayList<>();
        for (String source : SOURCES) {
            LOGGED.matcher(source).results().map(log -> unquoted(log.group(1))).forEach(logged::add);
        }
        assertThat(logged).as("log lines that were found").hasSizeGreaterThan(25);
        assertThat(logged).allSatisfy(text -> assertThat(messages).anyMatch(text::contains));
    }

    @Test
    void everyMessage_isOneOfTheCode() {
        List<String> messages =
                ROW.matcher(page).results().map(row -> row.group(1)).toList();
        assertThat(messages).hasSizeGreaterThan(40).doesNotHaveDuplicates();
        assertThat(messages).allSatisfy(message -> assertThat(SOURCES)
                .anyMatch(source -> parts(message).allMatch(part -> source.contains(part))));
    }

    /** What stands between names and numbers. */
    private static Stream<String> parts(String message) {
        return Stream.of(message.split("…")).map(String::strip).filter(part -> part.length() >= SURE);
    }

    private static String unquoted(String literal) {
        Matcher inner = Pattern.compile("\"(.*)\"", Pattern.DOTALL).matcher(literal);
        return inner.matches() ? inner.group(1) : literal;
    }
}
