package dev.interlock.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Checks the Markdown pages of the repository: every relative link leads to a file and a heading that exist, and the
 * Java examples of the pages of WITH_EXAMPLES compile. The test is in this module because its tests see every module
 * that the examples use.
 */
class DocumentationTest {

    private static final Path ROOT = root();

    private static final List<String> WITH_EXAMPLES = List.of(
            "README.md",
            "docs/guide.md",
            "docs/barriers.md",
            "docs/choose-a-lease.md",
            "docs/deadlocks.md",
            "docs/from-curator.md",
            "docs/from-spring-integration.md",
            "docs/from-shedlock.md");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+)\\)");
    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\">");

    private static final String IMPORTS = "import dev.interlock.*; import dev.interlock.annotation.*;"
            + " import dev.interlock.fence.*; import dev.interlock.spi.*;"
            + " import dev.interlock.group.*; import dev.interlock.quorum.*; import dev.interlock.jdbc.*;"
            + " import dev.interlock.redis.*; import dev.interlock.zookeeper.*; import dev.interlock.barrier.*;"
            + " import dev.interlock.deadlock.*; import org.apache.curator.framework.CuratorFramework;"
            + " import org.apache.curator.framework.recipes.locks.InterProcessMutex;"
            + " import org.springframework.scheduling.annotation.Scheduled;"
            + " import java.time.Duration; import java.util.*; import java.util.concurrent.*; ";

    /** What the examples mention without declaring it. */
    private static final String SCAFFOLD = IMPORTS
            + """
            abstract class Scaffold {
                Interlock interlock;
                DistributedLock lock;
                Lease lease;
                java.sql.Connection connection;
                io.lettuce.core.api.StatefulRedisConnection<String, String> redisConnection;
                java.net.http.HttpRequest.Builder request;
                CuratorFramework client;

                interface Orders { void save(Object order, long token); }
                Orders orders;
                Object order;
                long orderId;

                interface Accounts { void debit(int account, long amount, long token);
                                     void credit(int account, long amount, long token); }
                Accounts accounts;
                long amount;

                interface Index { void write(Object page, long token); void publish(long token); }
                Index index;
                Object page;

                interface Task { void run(); void cancel(boolean interrupt); void stopSoon(); }
                Task task;

                interface ServletRequest { String getHeader(String name); }
                ServletRequest servletRequest;
                interface ServletResponse { void setHeader(String name, String value);
                                            void sendError(int status, String message); }
                ServletResponse response;

                interface Log { void info(String line); void warning(String line);
                                void warn(String line, Throwable cause); }
                Log log;
                Executor executor;
                static class LockLog implements LockObserver {
                    public Acquisition acquiring(String name, LockKind kind, Mode mode) { return null; }
                }

                void settle(int order) {}
                void rebuildIndex() {}
                void rebuild() {}
                void rebuild(long token) {}
                boolean isStale() { return true; }
                void show() {}
                void publish() {}
                void call() {}
                Object part;
                List<Object> parts;
                void load(Object part) {}
                void publish(Object part) {}
                void measure() {}
                void transfer() {}
                void process() {}
                void check(FenceVerdict verdict) {}
            }
            """;

    @Test
    void links_leadToAFileAndAHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        Map<Path, Set<String>> anchors = new HashMap<>();
        for (Path page : pages()) {
            for (String line : prose(page)) {
                Matcher link = LINK.matcher(line.replaceAll("`[^`]*`", ""));
                while (link.find()) {
                    if (!leadsSomewhere(page, link.group(1), anchors)) {
                        broken.add(ROOT.relativize(page) + ": " + link.group(1));
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void examples_compile() throws IOException {
        List<JavaFileObject> sources = new ArrayList<>();
        sources.add(source("Scaffold", SCAFFOLD));
        for (String page : WITH_EXAMPLES) {
            sources.addAll(examples(page));
        }
        assertThat(sources).hasSizeGreaterThan(WITH_EXAMPLES.size());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        Path classes = Files.createDirectories(Path.of(System.getProperty("interlock.target", "target"), "examples"));
        List<String> options =
                List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        boolean compiled = compiler.getTask(null, null, diagnostics, options, null, sources)
                .call();
        assertThat(compiled).as("%s", diagnostics.getDiagnostics()).isTrue();
    }

    private static boolean leadsSomewhere(Path page, String target, Map<Path, Set<String>> anchors) throws IOException {
        if (target.contains(":")) {
            return true;
        }
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path leadsTo = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!Files.exists(leadsTo)) {
            return false;
        }
        if (hash < 0) {
            return true;
        }
        if (!anchors.containsKey(leadsTo)) {
            anchors.put(leadsTo, anchors(leadsTo));
        }
        return anchors.get(leadsTo).contains(target.substring(hash + 1));
    }

    /** The anchors of a page as GitHub makes them of headings, and those that the page declares itself. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        for (String line : prose(page)) {
            if (line.startsWith("#")) {
                anchors.add(line.replaceFirst("^#+ ", "")
                        .replaceAll("\\]\\([^)]*\\)", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'));
            }
            Matcher declared = ANCHOR.matcher(line);
            while (declared.find()) {
                anchors.add(declared.group(1));
            }
        }
        return anchors;
    }

    /** The lines of a page outside of its blocks of code. */
    private static List<String> prose(Path page) throws IOException {
        List<String> prose = new ArrayList<>();
        boolean inCode = false;
        for (String line : Files.readAllLines(page, UTF_8)) {
            if (line.startsWith("```")) {
                inCode = !inCode;
            } else if (!inCode) {
                prose.add(line);
            }
        }
        return prose;
    }

    /** Each block of Java: a program as it is, statements as the body of a method, under the number of their line. */
    private static List<JavaFileObject> examples(String page) throws IOException {
        List<JavaFileObject> examples = new ArrayList<>();
        List<String> lines = Files.readAllLines(ROOT.resolve(page), UTF_8);
        for (int begin = 0; begin < lines.size(); begin++) {
            if (!lines.get(begin).equals("```java")) {
                continue;
            }
            int end = begin + 1 + lines.subList(begin + 1, lines.size()).indexOf("```");
            String code = String.join("\n", lines.subList(begin + 1, end));
            Matcher program = Pattern.compile("public class (\\w+)").matcher(code);
            if (program.find()) {
                examples.add(source(program.group(1), code));
            } else {
                String name = page.replaceAll("\\W", "_") + "_line_" + (begin + 1);
                examples.add(source(
                        name,
                        IMPORTS + " class " + name + " extends Scaffold { void example() throws Exception {\n" + code
                                + "\n}}"));
            }
        }
        return examples;
    }

    private static JavaFileObject source(String name, String code) {
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return code;
            }
        };
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean skipped = name.equals("target") || name.equals("src") || name.startsWith(".");
                return skipped && !folder.equals(ROOT) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    pages.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return pages.stream().sorted().toList();
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/guide.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
