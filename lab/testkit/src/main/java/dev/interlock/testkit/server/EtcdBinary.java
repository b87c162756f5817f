package dev.interlock.testkit.server;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds etcd and its command: by the system property {@code etcd.bin}, which names the folder that both are in, or on
 * the PATH. There is none to bundle.
 */
final class EtcdBinary {

    private EtcdBinary() {}

    /** The program of this name, {@code etcd} or {@code etcdctl}; empty if it is not installed. */
    static Optional<Path> find(String program) {
        String wanted = System.getProperty("etcd.bin", "");
        if (!wanted.isEmpty() && !Files.isExecutable(Path.of(wanted, "etcd"))) {
            throw new IllegalStateException(
                    "The system property etcd.bin must name a folder with an executable etcd: etcd.bin=" + wanted);
        }
        String folders = wanted.isEmpty() ? String.valueOf(System.getenv("PATH")) : wanted;
        return Stream.of(folders.split(File.pathSeparator))
                .map(folder -> Path.of(folder, program).toAbsolutePath())
                .filter(Files::isExecutable)
                .findFirst();
    }

    static Path locate() {
        return find("etcd").orElseThrow(() -> new IllegalStateException("etcd is not installed"));
    }
}
