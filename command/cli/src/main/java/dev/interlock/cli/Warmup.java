package dev.interlock.cli;

import dev.interlock.cli.common.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * The launcher runs this once after a build. It uses the command as users do, so that the JVM can archive the classes
 * that it loads, and unpacks the native library of SQLite, which the driver would otherwise unpack at each start.
 */
public final class Warmup {

    private Warmup() {}

    /** The arguments: the directory for the native library, and one for temporary files. */
    public static void main(String[] args) throws IOException {
        unpack(Path.of(args[0]));
        String state = Path.of(args[1]).toAbsolutePath().toString();
        String sqlite = DefaultStore.locate(Map.of("XDG_STATE_HOME", state)).value();
        Main.execute("run", "--store", sqlite, "--wait", "5s", "warmup", "--", "true");
        Main.execute("ls", "--store", sqlite);
        Main.execute("show", "--store", sqlite, "warmup");
        // No server is there: this is enough to load most classes for Redis and ZooKeeper.
        Main.execute("show", "--store", "redis://127.0.0.1:1", "warmup");
        Main.execute("show", "--store", "zk://127.0.0.1:1", "warmup");
        System.exit(ExitCode.OK);
    }

    private static void unpack(Path directory) throws IOException {
        String library = LibraryLoaderUtil.getNativeLibName();
        try (InputStream in =
                Warmup.class.getResourceAsStream(LibraryLoaderUtil.getNativeLibResourcePath() + "/" + library)) {
            if (in == null) {
                // The driver has no library for this platform, and says so when it is used.
                return;
            }
            Path unfinished = Files.createTempFile(directory, library, ".new");
            Files.copy(in, unfinished, StandardCopyOption.REPLACE_EXISTING);
            Files.move(unfinished, directory.resolve(library), StandardCopyOption.ATOMIC_MOVE);
        }
        System.setProperty("org.sqlite.lib.path", directory.toString());
    }
}
