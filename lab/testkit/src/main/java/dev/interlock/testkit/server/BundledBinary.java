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

/** A server that comes as a resource on the class path, made a file that can be executed. */
final class BundledBinary {

    private BundledBinary() {}

    /**
     * The file, extracted if it is not there. The move is atomic, so that JVMs that run side by side never execute half
     * a file.
     *
     * @param name the resource's name without the platform, by which it ends
     * @param checksums SHA-256 for each platform that was looked at
     */
    static Path extracted(String name, Map<String, String> checksums) {
        String platform = platform();
        String resource = name + platform;
        Path folder = RedisBinary.target().resolve("redis");
        Path file = folder.resolve(resource);
        try {
            byte[] content = content("/" + resource);
            verify(content, checksums.getOrDefault(platform, ""));
            Files.createDirectories(folder);
            if (!Files.isExecutable(file) || Files.size(file) != content.length) {
                Path fresh = Files.createTempFile(folder, resource, ".new");
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

    private static byte[] content(String name) throws IOException {
        try (InputStream in = BundledBinary.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("No redis-server is bundled for this platform: resource=" + name
                        + "; name an installed one with -Dredis.bin=/path/to/redis-server");
            }
            return in.readAllBytes();
        }
    }

    private static void verify(byte[] content, String expected) {
        if (expected.isEmpty()) {
            return;
        }
        try {
            String found = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(content));
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
