package dev.interlock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What no formatter sees of Java and Markdown: lines of 120 columns, names of tests that a report has room for, and
 * what the stores hide.
 */
@Tag("pages")
class SourceStyleTest {

    private static final int LONGEST_LINE = 120;

    private static final int LONGEST_NAME = 60;

    /** Of the types of a store, in percent. */
    private static final int LEAST_HIDDEN = 60;

    private static final Pattern STORE = Pattern.compile("stores/(?!support/|memory/)(\\w+)/src/main/.*");

    private static final Pattern TYPE = Pattern.compile(
            "(public )?(?:(?:abstract|final|sealed|non-sealed) )*(?:class|interface|@interface|enum|record) \\w.*");

    /**
     * What cannot be broken: a row of a table, one word with what introduces it, a command that is sent as one line.
     */
    private static final Pattern UNBREAKABLE =
            Pattern.compile("\\|.*|ACL SETUSER .*|\\s*(//|\\*|[-*>]|\\[[^]]*]:)?\\s*\\S+");

    /** A method of a test class or of a contract; others have no such names. */
    private static final Pattern TEST =
            Pattern.compile("\\s+(?:default )?(?:void|Stream<Dynamic\\w+>|List<Dynamic\\w+>) (\\w+)\\(.*");

    @Test
    void lines_haveAtMost120Columns() throws IOException {
        List<String> found = new ArrayList<>();
        eachLine((place, line) -> {
            if (line.codePointCount(0, line.length()) > LONGEST_LINE
                    && !UNBREAKABLE.matcher(line).matches()) {
                found.add(place);
            }
        });
        assertThat(found).isEmpty();
    }

    @Test
    void namesOfTests_haveAtMost60Characters() throws IOException {
        List<String> found = new ArrayList<>();
        List<String> names = new ArrayList<>();
        eachLine((place, line) -> {
            Matcher test = TEST.matcher(line);
            if (test.matches()) {
                names.add(test.group(1));
                if (test.group(1).length() > LONGEST_NAME) {
                    found.add(place + ": " + test.group(1));
                }
            }
        });
        assertThat(found).isEmpty();
        assertThat(names).contains("namesOfTests_haveAtMost60Characters");
    }

    @Test
    void typesOfStores_areMostlyPackagePrivate() throws IOException {
        Map<String, List<Boolean>> hidden = new TreeMap<>();
        eachLine((place, line) -> {
            Matcher store = STORE.matcher(place);
            Matcher type = TYPE.matcher(line);
            if (store.matches() && type.matches()) {
                hidden.computeIfAbsent(store.group(1), name -> new ArrayList<>())
                        .add(type.group(1) == null);
            }
        });
        assertThat(hidden).containsOnlyKeys("etcd", "jdbc", "mongodb", "redis", "zookeeper");
        assertThat(hidden).allSatisfy((store, types) -> assertThat(
                        100 * types.stream().filter(each -> each).count() / types.size())
                .isGreaterThanOrEqualTo(LEAST_HIDDEN));
    }

    private interface Look {
        void at(String place, String line);
    }

    private static void eachLine(Look look) throws IOException {
        Path root = Path.of(System.getProperty("interlock.target"))
                .toAbsolutePath()
                .resolve("../../..")
                .normalize();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean skipped = name.equals("target") || (name.startsWith(".") && !name.equals(".ci"));
                return skipped && !folder.equals(root) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (file.toString().endsWith(".java") || file.toString().endsWith(".md")) {
                    List<String> lines = Files.readAllLines(file);
                    for (int i = 0; i < lines.size(); i++) {
                        look.at(root.relativize(file) + ":" + (i + 1), lines.get(i));
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
