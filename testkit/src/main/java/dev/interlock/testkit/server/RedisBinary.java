package dev.interlock.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/** Finds the redis-server to run: the installed one that the system property {@code redis.bin} names, else the bundled static one. */
final class RedisBinary {

    private static final String VERSION = "7.0.9";
    private static final Map<String, String> SHA256 =
            Map.of("linux-amd64", "de2b4cbcd7e52bacb778c157266f003c5e4c797104cdeeeb52214addff8bf1bb");

    private RedisBinary() {}

    static Path locate() {
        String installed = System.getProperty("redis.bin", "");
        if (installed.isEmpty()) {
            return Bundled.PATH;
        }
        Path path = Path.of(installed);
        if (!Files.isExecutable(path)) {
            throw new IllegalStateException(
                    "The system property redis.bin must name an executable redis-server: redis.bin=" + installed);
        }
        return path;
    }

    /** The folder under which servers keep their files. */
    static Path target() {
        return Path.of(System.getProperty("interlock.target", "target")).toAbsolutePath();
    }

    /** Extracted once for each JVM; the move is atomic, so that JVMs that run side by side never execute half a file. */
    private static final class Bundled {
        static final Path PATH = extract();

        private static Path extract() {
            String platform = platform();
            String name = "redis-server-" + VERSION + "-" + platform;
            Path folder = target().resolve("redis");
            Path file = folder.resolve(name);
            try {
                byte[] content = resource("/" + name);
                verify(platform, content);
                Files.createDirectories(folder);
                if (!Files.isExecutable(file) || Files.size(file) != content.length) {
                    Path fresh = Files.createTempFile(folder, name, ".new");
                    Files.write(fresh, content);
                    if (!fresh.toFile().setExecutable(true)) {
                        throw new IOException("cannot make executable: " + fresh);
                    }
                    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                }
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException("The bundled redis-server cannot be extracted to " + folder, e);
            }
        }

        private static byte[] resource(String name) throws IOException {
            try (InputStream in = RedisBinary.class.getResourceAsStream(name)) {
                if (in == null) {
                    throw new IllegalStateException("No redis-server is bundled for this platform: resource=" + name
                            + "; name an installed one with -Dredis.bin=/path/to/redis-server");
                }
                return in.readAllBytes();
            }
        }

        private static void verify(String platform, byte[] content) {
            String expected = SHA256.get(platform);
            if (expected == null) {
                return;
            }
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
                String found = HexFormat.of().formatHex(digest);
                if (!found.equals(expected)) {
                    throw new IllegalStateException("The bundled redis-server is not the one that was checked: sha256="
                            + found + ", expected=" + expected);
                }
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Every JVM has SHA-256", e);
            }
        }

        private static String platform() {
            String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
            String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
            String cpu = arch.equals("aarch64") || arch.equals("arm64") ? "arm64" : "amd64";
            return (os.contains("mac") ? "darwin" : "linux") + "-" + cpu;
        }
    }
}
