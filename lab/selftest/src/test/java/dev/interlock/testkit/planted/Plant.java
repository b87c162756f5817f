package dev.interlock.testkit.planted;

import dev.interlock.testkit.planted.Mistake.Place;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The command: plants each mistake of the list in a copy of its source, which is compiled and put before the module on
 * the class path, and demands that each test that is named with it fails.
 */
public final class Plant {

    /** A test that hangs fails, as in a build. */
    private static final String TIMEOUT = "10 m";

    private static final long LIMIT_MINUTES = 20;

    private final Path root;

    private Plant(Path root) {
        this.root = root;
    }

    /**
     * The command.
     *
     * @param arguments the root of the sources, and the names of the mistakes to plant, or none for all
     * @throws IOException if a source cannot be read, or a process cannot be started
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path root = Path.of(arguments[0]);
        List<String> names = List.of(arguments).subList(1, arguments.length);
        List<Mistake> all = Mistake.read(root.resolve("lab/selftest/planted.txt"));
        for (String name : names) {
            if (all.stream().noneMatch(mistake -> mistake.name().equals(name))) {
                System.err.println("lab/selftest/planted.txt has no mistake of this name: " + name);
                System.exit(64);
            }
        }
        int planted = 0;
        int unseen = 0;
        for (Mistake mistake : all) {
            if (names.isEmpty() || names.contains(mistake.name())) {
                planted++;
                unseen += new Plant(root).isSeen(mistake) ? 0 : 1;
            }
        }
        System.out.printf(Locale.ROOT, "%d planted, %d not seen%n", planted, unseen);
        System.exit(unseen == 0 ? 0 : 1);
    }

    /** Whether each of the tests sees it; prints how. */
    private boolean isSeen(Mistake mistake) throws IOException, InterruptedException {
        Path folder = root.resolve("lab/selftest/target/planted").resolve(mistake.name());
        Path classes = folder.resolve("classes");
        compile(mistake, folder, classes);
        boolean seen = true;
        for (Place place : mistake.tests()) {
            Path output = folder.resolve(place.type() + ".txt");
            int code = run(classes, place, output);
            String how = Files.readAllLines(output).stream()
                    .filter(line -> line.startsWith("SEEN "))
                    .findFirst()
                    .orElse("NOT SEEN, exit code " + code + ", " + output);
            System.out.printf(Locale.ROOT, "%-34s %s: %s%n", mistake.name(), place.type(), how);
            seen &= code == TestRun.FAILED;
        }
        return seen;
    }

    private void compile(Mistake mistake, Path folder, Path classes) throws IOException {
        Path original = root.resolve(mistake.file());
        String inModule = mistake.file().substring(mistake.module().length() + 1);
        Files.createDirectories(classes);
        if (!inModule.endsWith(".java")) {
            Path resource = classes.resolve(inModule.substring("src/main/resources/".length()));
            Files.createDirectories(Objects.requireNonNull(resource.getParent()));
            Files.writeString(resource, mistake.planted(root));
            return;
        }
        Path source = folder.resolve("source").resolve(Objects.requireNonNull(original.getFileName()));
        Files.createDirectories(Objects.requireNonNull(source.getParent()));
        Files.writeString(source, mistake.planted(root));
        JavaCompiler compiler =
                Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "This Java has no compiler; use a JDK");
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            String path = root.resolve(mistake.module()) + "/target/classes:" + classPath(mistake.module());
            List<String> options = List.of(
                    "-d", classes.toString(), "-cp", path, "-proc:none", "-nowarn", "-parameters", "--release", "17");
            boolean compiled = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            if (!compiled) {
                throw new IllegalStateException("Mistake '" + mistake.name() + "' does not compile:\n" + messages);
            }
        }
    }

    /** Runs the tests in a process as that of Surefire; returns its exit code. */
    private int run(Path classes, Place place, Path output) throws IOException, InterruptedException {
        Path target = root.resolve(place.module()).resolve("target");
        String path = String.join(
                ":",
                classes.toString(),
                testClasses(target, place.type()).toString(),
                target.resolve("classes").toString(),
                classPath(place.module()),
                System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + target,
                "-Dinterlock.effort=short",
                "-Djunit.jupiter.execution.timeout.default=" + TIMEOUT,
                "-Djunit.jupiter.tempdir.factory.default=dev.interlock.testkit.fixture.TestFolder",
                "-Dzookeeper.servers=1",
                "-Dinterlock.target=" + target,
                "-Dinterlock.unpacked=" + root.resolve("target/unpacked")));
        command.addAll(List.of("-cp", path, TestRun.class.getName(), place.type()));
        Process process = new ProcessBuilder(command)
                .directory(root.resolve(place.module()).toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
            process.destroy();
        }
        return process.waitFor();
    }

    /** The folder that has the class: a module that is tested on several lines of a framework has one for each. */
    private static Path testClasses(Path target, String type) throws IOException {
        try (Stream<Path> folders = Files.list(target)) {
            return folders.filter(folder -> String.valueOf(folder.getFileName()).startsWith("test-classes"))
                    .filter(folder -> Files.exists(folder.resolve(type.replace('.', '/') + ".class")))
                    .max(Comparator.comparing(Path::toString))
                    .orElseThrow(() -> new IllegalStateException("No folder of " + target + " has " + type));
        }
    }

    private String classPath(String module) throws IOException {
        return Files.readString(root.resolve(module).resolve("target/test-classpath"));
    }
}
