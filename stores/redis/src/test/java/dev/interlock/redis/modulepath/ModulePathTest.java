package dev.interlock.redis.modulepath;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.testkit.server.RedisServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The store in a JVM that has it, and what it depends on, on the module path alone. Nothing on the class path helps out
 * there: a package that is not exported, a script or provider that is not found, or a module that Lettuce needs and
 * nobody requires, ends the run.
 */
@Tag("drivers")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ModulePathTest {

    @Test
    void storeOnTheModulePath_isFoundByItsUriAndLocks() throws IOException, InterruptedException {
        try (RedisServer server = RedisServer.start()) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "--module-path",
                            modulePath(),
                            "--add-modules",
                            "dev.interlock.redis",
                            "-cp",
                            entry("test-classes"),
                            ModulePathMain.class.getName(),
                            server.uri())
                    .redirectErrorStream(true)
                    .start();
            try {
                String output = new String(process.getInputStream().readAllBytes(), UTF_8);
                assertThat(output).contains("locked by module dev.interlock.redis");
                assertThat(process.waitFor()).as(output).isZero();
            } finally {
                process.destroyForcibly();
            }
        }
    }

    /** The module itself and all that Maven would put beside it, but nothing that only tests need. */
    private static String modulePath() {
        return classPath()
                .filter(entry -> entry.matches(".*(/(core|fence|redis|support)/target/classes"
                        + "|/interlock-(core|fence|redis|store-support)-[^/]*"
                        + "|/(lettuce|netty|reactor|reactive-streams|redis-authx|slf4j-api)[^/]*)"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String entry(String end) {
        return classPath().filter(entry -> entry.endsWith(end)).findFirst().orElseThrow();
    }

    private static Stream<String> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator));
    }
}
