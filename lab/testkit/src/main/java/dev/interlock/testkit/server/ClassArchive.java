package dev.interlock.testkit.server;

import dev.interlock.testkit.Patience;
import dev.interlock.testkit.process.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * An archive of the classes that a program loads (class data sharing): a JVM that maps it starts in half the time. A
 * training run writes it once for all test JVMs of a build. An archive holds nothing that comes from a folder, so the
 * folders on the class path of this JVM are packed into jars first.
 */
public final class ClassArchive {

    private static final String FILE = "classes.jsa";

    private final String classPath;
    private final Path folder;

    private ClassArchive(String classPath, Path folder) {
        this.classPath = classPath;
        this.folder = folder;
    }

    /**
     * The archive of this name, which is written if it is not there or a class has changed since.
     *
     * @param flags those of the JVMs that use it
     * @param main loads the classes, and ends by itself
     * @param arguments those of {@code main}, which may leave files in the folder that this function is given
     */
    public static ClassArchive trained(
            String name, List<String> flags, Class<?> main, Function<Path, List<String>> arguments) {
        List<Path> entries = Stream.of(ChildJvm.classPath().split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .filter(Files::exists)
                .toList();
        String version = version(entries);
        Path jars = BuildFolder.filled(name + "-jars", version, fresh -> pack(entries, fresh));
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            Path entry = entries.get(i);
            paths.add((Files.isDirectory(entry) ? jars.resolve(jar(i)) : entry).toString());
        }
        String classPath = String.join(File.pathSeparator, paths);
        return new ClassArchive(
                classPath,
                BuildFolder.filled(
                        name + "-archive",
                        version,
                        fresh -> train(fresh, classPath, flags, main, arguments.apply(fresh))));
    }

    /** The class path with which the archive is good for anything. */
    public String classPath() {
        return classPath;
    }

    /** Where the training run has left its files. */
    public Path folder() {
        return folder;
    }

    /** The archive. Where a JVM has written none, a JVM that is told to map it loads all classes from their jars. */
    public Path file() {
        return folder.resolve(FILE);
    }

    private static String jar(int number) {
        return number + ".jar";
    }

    private static String version(List<Path> entries) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(System.getProperty("java.vm.version").getBytes(StandardCharsets.UTF_8));
            for (Path entry : entries) {
                try (Stream<Path> files = Files.walk(entry)) {
                    for (Path file :
                            (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
                        String stamp = file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file) + "\n";
                        digest.update(stamp.getBytes(StandardCharsets.UTF_8));
                    }
                }
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void pack(List<Path> entries, Path fresh) throws IOException {
        for (int i = 0; i < entries.size(); i++) {
            Path entry = entries.get(i);
            if (Files.isDirectory(entry)) {
                pack(entry, fresh.resolve(jar(i)));
            }
        }
    }

    private static void pack(Path directory, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
                out.putNextEntry(
                        new JarEntry(directory.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
    }

    private static void train(Path fresh, String classPath, List<String> flags, Class<?> main, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + fresh.resolve(FILE), "-cp", classPath, main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(fresh.resolve("log").toFile())
                .start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(Patience.seconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(main.getSimpleName() + " does not end: pid=" + process.pid());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while " + main.getSimpleName() + " ran", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
