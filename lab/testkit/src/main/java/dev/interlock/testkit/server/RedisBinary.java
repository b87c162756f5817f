package dev.interlock.testkit.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Finds the redis-server to run: by the system property {@code redis.bin} an installed one, or the bundled one of an
 * old version ({@value #OLD}); by default the bundled one of the usual version.
 */
final class RedisBinary {

    /** Says by {@code redis.bin} that the bundled server of this version is to run. */
    static final String OLD = "6.2";

    private RedisBinary() {}

    static Path locate() {
        String wanted = System.getProperty("redis.bin", "");
        if (wanted.isEmpty()) {
            return Usual.PATH;
        }
        if (wanted.equals(OLD)) {
            return Old.PATH;
        }
        Path path = Path.of(wanted);
        if (!Files.isExecutable(path)) {
            throw new IllegalStateException("The system property redis.bin must name an executable redis-server, or '"
                    + OLD + "' for a bundled one: redis.bin=" + wanted);
        }
        return path;
    }

    /** The same, but by default one that loads its libraries when it starts, and so gets its clock from us. */
    static Path withClock() {
        return System.getProperty("redis.bin", "").isEmpty() ? Old.PATH : locate();
    }

    /** The folder under which servers keep their files. */
    static Path target() {
        return Path.of(System.getProperty("interlock.target", "target")).toAbsolutePath();
    }

    private static final class Usual {
        static final Path PATH = BundledBinary.extracted(
                "redis-server-7.0.9-",
                Map.of("linux-amd64", "de2b4cbcd7e52bacb778c157266f003c5e4c797104cdeeeb52214addff8bf1bb"));
    }

    private static final class Old {
        static final Path PATH = BundledBinary.extracted(
                "redis-server-6.2.6-v5-",
                Map.of("linux-amd64", "1f716094e08a25faee2bc7626feb9e13464ed89018ac5c376c5e9cff06bdcf52"));
    }
}
