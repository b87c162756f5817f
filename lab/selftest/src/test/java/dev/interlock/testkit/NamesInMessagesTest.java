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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Main code puts no name into a text as it is: a name may have line breaks, which would forge lines of a log. It takes
 * {@code LockId.printable()} or {@code Printable.of(...)}. The command and the console escape whole texts.
 */
class NamesInMessagesTest {

    private static final Pattern RAW = Pattern.compile("(?:'|name=)\"\\s*\\+\\s*(?!Printable)[\\w.()]*\\bname\\(\\)");

    /** The command and the console escape whole texts. */
    private static final List<String> ROOMS = List.of("core", "stores", "recipes", "adapters");

    @Test
    void messagesHaveNoNameAsItIs() throws IOException {
        Path root = Path.of(System.getProperty("interlock.target"))
                .toAbsolutePath()
                .resolve("../../..")
                .normalize();
        List<String> found = new ArrayList<>();
        for (String room : ROOMS) {
            collect(root.resolve(room), found);
        }
        assertThat(found).isEmpty();
        assertThat(RAW.matcher("\"lock '\" + id.name()").find()).isTrue();
    }

    private static void collect(Path folder, List<String> found) throws IOException {
        assertThat(folder).isDirectory();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
                // Other tests make and remove files there at the same time.
                return inner.endsWith("target") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (isMainCode(file)) {
                    Matcher raw = RAW.matcher(Files.readString(file));
                    while (raw.find()) {
                        found.add(file + ": " + raw.group());
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static boolean isMainCode(Path path) {
        return path.toString().endsWith(".java") && path.toString().contains("/src/main/");
    }
}
