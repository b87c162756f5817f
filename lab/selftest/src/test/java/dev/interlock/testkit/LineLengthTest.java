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
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Java and Markdown are wrapped at 120 columns, except rows of tables, lines that are one address, and one command. */
@Tag("pages")
class LineLengthTest {

    private static final int LIMIT = 120;

    /**
     * What cannot be broken: a row of a table, one word with what introduces it, a command that is sent as one line.
     */
    private static final Pattern UNBREAKABLE =
            Pattern.compile("\\|.*|ACL SETUSER .*|\\s*(//|\\*|[-*>]|\\[[^]]*]:)?\\s*\\S+");

    @Test
    void lines_haveAtMost120Columns() throws IOException {
        assertThat(longLines(Path.of(System.getProperty("interlock.target"))
                        .toAbsolutePath()
                        .resolve("../../..")
                        .normalize()))
                .isEmpty();
    }

    private static List<String> longLines(Path root) throws IOException {
        List<String> found = new ArrayList<>();
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
                    collect(root, file, found);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private static void collect(Path root, Path file, List<String> found) throws IOException {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.codePointCount(0, line.length()) > LIMIT
                    && !UNBREAKABLE.matcher(line).matches()) {
                found.add(root.relativize(file) + ":" + (i + 1));
            }
        }
    }
}
