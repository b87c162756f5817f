package dev.interlock.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A source tree with the launcher and little else, and a PATH with a stand-in for Maven. */
final class LauncherTree {

    /** What the launcher uses besides Maven and Java. */
    private static final List<String> TOOLS = List.of(
            "sh",
            "readlink",
            "find",
            "head",
            "mkdir",
            "flock",
            "date",
            "cp",
            "touch",
            "mv",
            "rm",
            "cat",
            "env",
            "ln",
            "mktemp",
            "grep",
            "sed",
            "sleep",
            "tr",
            "true");

    /** Enough of the class path for the command on its default store. */
    private static final Set<String> LIBRARIES = Set.of("interlock-", "picocli", "sqlite-jdbc");

    private final Path root;
    private final Path tools;
    private final Path products;
    private @Nullable String java = System.getProperty("java.home");
    private final Map<String, String> environment = new HashMap<>();
    private int started;

    private LauncherTree(Path root) {
        this.root = root;
        this.tools = root.resolveSibling("tools");
        this.products = root.resolveSibling("products");
    }

    static LauncherTree in(Path root) throws IOException {
        LauncherTree tree = new LauncherTree(root);
        Files.createDirectories(root.resolve("command/cli/src/main/java"));
        Files.createDirectories(tree.tools);
        Files.copy(Path.of("../../interlock"), root.resolve("interlock"));
        Path shared = root.resolve("command/cli/src/dist/lib/launcher.sh");
        Files.createDirectories(shared.getParent());
        Files.copy(Path.of("src/dist/lib/launcher.sh"), shared);
        for (String tool : TOOLS) {
            provide(tool, tree.tools);
        }
        tree.produce();
        return tree.withMaven();
    }

    /** What Maven would make. */
    private void produce() throws IOException {
        Path lib = Files.createDirectories(products.resolve("lib"));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            String name = path.getFileName().toString();
            if (Files.isDirectory(path) && name.equals("classes")) {
                // The launcher takes them in the order of their names, which decides which provider is asked first:
                // that of Redis needs what is not here.
                Path module = path.resolve("../..").normalize().getFileName();
                jar(path, lib.resolve("interlock-" + module + ".jar"));
            } else if (LIBRARIES.stream().anyMatch(name::startsWith)) {
                Files.copy(path, lib.resolve(name));
            }
        }
    }

    private static void jar(Path classes, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                out.write(Files.readAllBytes(file));
            }
        }
    }

    private static void provide(String tool, Path directory) throws IOException {
        for (String place : System.getenv("PATH").split(File.pathSeparator, -1)) {
            Path program = Path.of(place, tool);
            if (Files.isExecutable(program)) {
                executable(directory.resolve(tool), "#!/bin/sh\nexec " + program + " \"$@\"\n");
                return;
            }
        }
    }

    LauncherTree withMaven() throws IOException {
        return maven("mkdir -p command/cli/target; cp -R -L '" + products + "/lib' command/cli/target/");
    }

    LauncherTree withFailingMaven() throws IOException {
        return maven("echo '[ERROR] it rains'; exit 1");
    }

    LauncherTree withoutMaven() throws IOException {
        Files.delete(tools.resolve("mvn"));
        return this;
    }

    private LauncherTree maven(String action) throws IOException {
        executable(tools.resolve("mvn"), "#!/bin/sh\necho build >>'" + log() + "'\nsleep 0.2\n" + action + "\n");
        return this;
    }

    LauncherTree withoutFlock() throws IOException {
        Files.delete(tools.resolve("flock"));
        return this;
    }

    /** Without env the JVM starts the programs. */
    LauncherTree withoutEnv() throws IOException {
        Files.delete(tools.resolve("env"));
        return this;
    }

    /** Without flock a link is the lock: whoever makes one is killed. */
    LauncherTree withDeadlyLinks() throws IOException {
        Path link = Files.move(tools.resolve("ln"), tools.resolve("real-ln"));
        executable(tools.resolve("ln"), "#!/bin/sh\n'" + link + "' \"$@\"\nkill -9 $PPID\n");
        return this;
    }

    LauncherTree withHarmlessLinks() throws IOException {
        provide("ln", tools);
        return this;
    }

    /** Where the launcher keeps what it makes. */
    Path work() {
        return root.resolve("command/cli/target/launcher");
    }

    LauncherTree withJava(@Nullable Path home) {
        java = home == null ? null : home.toString();
        return this;
    }

    /** This Java, behind a script that adds these options: the launcher keeps those of its environment from it. */
    LauncherTree withJavaOptions(String options) throws IOException {
        Path real = Path.of(System.getProperty("java.home"));
        Path home = root.resolveSibling("java with options");
        Files.createDirectories(home.resolve("bin"));
        Files.copy(real.resolve("release"), home.resolve("release"), StandardCopyOption.REPLACE_EXISTING);
        executable(
                home.resolve("bin/java"),
                "#!/bin/sh\n_JAVA_OPTIONS='" + options + "' exec '" + real.resolve("bin/java") + "' \"$@\"\n");
        return withJava(home);
    }

    LauncherTree with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Behind the few that the launcher uses. */
    LauncherTree withProgramsOfTheSystem() {
        return with("PATH", tools + File.pathSeparator + System.getenv("PATH"));
    }

    /** The script. */
    String launcher() {
        return root.resolve("interlock").toString();
    }

    LauncherTree withThisJava() {
        java = System.getProperty("java.home");
        return this;
    }

    /** A JDK that is too old, as far as the launcher looks. */
    Path oldJdk() throws IOException {
        Path home = root.resolveSibling("jdk-11");
        Files.createDirectories(home.resolve("bin"));
        executable(home.resolve("bin/java"), "#!/bin/sh\nexit 9\n");
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"11.0.2\"\n");
        return home;
    }

    Cli.Running start(String... arguments) {
        return startAs(root.resolve("interlock"), arguments);
    }

    /** Starts the launcher by this path, from another directory. */
    Cli.Running startAs(Path launcher, String... arguments) {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        return startIn(tools, command);
    }

    /** Starts this command in this directory. */
    synchronized Cli.Running startIn(Path directory, List<String> command) {
        started++;
        Path out = root.resolveSibling("out-" + started);
        Path err = root.resolveSibling("err-" + started);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .directory(directory.toFile());
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("LC_")
                        || name.equals("LANG")
                        || name.startsWith("JAVA")
                        || name.startsWith("INTERLOCK"));
        builder.environment().put("PATH", tools.toString());
        builder.environment().put("XDG_STATE_HOME", root.resolveSibling("state").toString());
        builder.environment().putAll(environment);
        if (java != null) {
            builder.environment().put("JAVA_HOME", java);
        }
        try {
            return new Cli.Running(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often Maven was called. */
    int builds() throws IOException {
        return Files.exists(log()) ? Files.readAllLines(log()).size() : 0;
    }

    void changeSource() throws IOException {
        Files.writeString(root.resolve("command/cli/src/main/java/New.java"), "class New {}");
    }

    /** What the launcher has made for the current build, by the pattern of its name. */
    List<Path> generated(String glob) throws IOException {
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        try (Stream<Path> files = Files.walk(work())) {
            return files.filter(file -> matcher.matches(file.getFileName())).toList();
        }
    }

    /** Files in the tree that are neither its sources nor below target. */
    List<Path> outsideTarget() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(root.resolve("command/cli/target")))
                    .filter(file -> !file.startsWith(root.resolve("command/cli/src")))
                    .filter(file -> !file.equals(root.resolve("interlock")))
                    .toList();
        }
    }

    private Path log() {
        return root.resolveSibling("maven.log");
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
