package dev.interlock.simulation;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the design, and a change of the source that breaks it. The list is {@code lab/simulation/planted.txt}:
 *
 * <pre>
 *   ## name of the bug, and the kind of lock that finds it
 *   The rule.
 *   file: the source, from the root
 *   - a part of it, which occurs once
 *   + what stands there instead
 * </pre>
 *
 * A part of several lines has as many lines with {@code -}, and what stands instead as many with {@code +}.
 *
 * @param name its name
 * @param kind the kind of lock that finds it
 * @param rule the rule that it breaks
 * @param file the source, from the root
 * @param before a part of it
 * @param after what stands there instead
 */
record PlantedBug(String name, Setting.Kind kind, String rule, String file, String before, String after) {

    /** The list of a file. */
    static List<PlantedBug> read(Path list) {
        List<PlantedBug> bugs = new ArrayList<>();
        try {
            for (String section : Files.readString(list).split("(?m)^## ", -1)) {
                if (!bugs.isEmpty() || section.contains("\nfile: ")) {
                    bugs.add(parse(section));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + list, e);
        }
        return bugs;
    }

    private static PlantedBug parse(String section) {
        String[] lines = section.split("\n", -1);
        String[] head = lines[0].strip().split(", ", -1);
        StringBuilder rule = new StringBuilder();
        String file = "";
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        for (String line : List.of(lines).subList(1, lines.length)) {
            if (line.startsWith("file: ")) {
                file = line.substring(6).strip();
            } else if (line.startsWith("- ") || line.equals("-")) {
                before.add(line.length() < 2 ? "" : line.substring(2));
            } else if (line.startsWith("+ ") || line.equals("+")) {
                after.add(line.length() < 2 ? "" : line.substring(2));
            } else if (!line.isBlank()) {
                rule.append(rule.isEmpty() ? "" : " ").append(line.strip());
            }
        }
        return new PlantedBug(
                head[0],
                head.length > 1 ? Setting.Kind.valueOf(head[1]) : Setting.Kind.LOCK,
                rule.toString(),
                file,
                String.join("\n", before),
                String.join("\n", after));
    }

    /**
     * How it was found.
     *
     * @param seed the first seed that fails
     * @param rule the name of the rule that this breaks
     * @param text what was seen
     */
    record Found(long seed, String rule, String text) {}

    /** Searches the engine with this bug for the first seed that fails; null if none of so many does. */
    @Nullable
    Found find(Path root, long seeds) {
        Path classes = plant(root);
        Object found = new EngineLoader(classes)
                .call(Search.class, "firstFailure", new Class<?>[] {String.class, long.class}, kind.name(), seeds);
        return found instanceof String[] parts ? new Found(Long.parseLong(parts[0]), parts[1], parts[2]) : null;
    }

    /** Compiles the source with the bug; returns the folder of its classes. */
    private Path plant(Path root) {
        try {
            Path source = root.resolve(file);
            String text = Files.readString(source);
            int at = text.indexOf(before);
            if (before.isEmpty() || at < 0 || text.indexOf(before, at + 1) >= 0) {
                throw new IllegalStateException("The part that bug '" + name + "' changes does not occur once in "
                        + source + "; bring lab/simulation/planted.txt up to date:\n" + before);
            }
            Path folder = EngineLoader.target("planted/" + name);
            Path planted = folder.resolve("source").resolve(source.getFileName());
            Path classes = folder.resolve("classes");
            Files.createDirectories(classes);
            Files.createDirectories(Objects.requireNonNull(planted.getParent()));
            Files.writeString(planted, text.substring(0, at) + after + text.substring(at + before.length()));
            compile(planted, classes);
            return classes;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not plant bug '" + name + "'", e);
        }
    }

    private void compile(Path source, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("This Java has no compiler; run it on a JDK");
        }
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none", "-nowarn");
            boolean compiled = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            if (!compiled) {
                throw new IllegalStateException("Bug '" + name + "' does not compile:\n" + messages);
            }
        }
    }
}
