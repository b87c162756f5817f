package dev.interlock.bench;

import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** The machine and the time of a run. */
final class Machine {

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    private Machine() {}

    /** One line: date, processor, operating system, JVM, server, and how busy the machine is. */
    static String describe(RedisServer server) {
        return LocalDate.now(ZoneOffset.UTC) + ", " + Runtime.getRuntime().availableProcessors() + " cores ("
                + processor() + "), " + System.getProperty("os.name") + ' ' + System.getProperty("os.arch") + ", "
                + System.getProperty("java.vm.name") + ' ' + System.getProperty("java.runtime.version")
                + ", Redis " + info(server, "redis_version") + ", load average at the start "
                + load();
    }

    /** How many want to run, in the mean of the last minute. */
    static String load() {
        return Verdict.number(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String processor() {
        try {
            return Files.readAllLines(PROCESSORS).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static String info(RedisServer server, String field) {
        return server.command("INFO", "server")
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1))
                .findFirst()
                .orElse("unknown");
    }
}
