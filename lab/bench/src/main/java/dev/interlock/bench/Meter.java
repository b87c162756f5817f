package dev.interlock.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.interlock.testkit.server.RedisServer;
import java.lang.management.ManagementFactory;

/**
 * What has been used up to a moment: by this process, and by the server.
 *
 * @param clientMicros processor time of this process
 * @param serverMicros processor time of the server
 * @param requests the requests of clients about locks: each is a script
 * @param commands the commands within scripts and outside of them
 */
record Meter(double clientMicros, double serverMicros, double requests, double commands) {

    static Meter read(RedisServer server) {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Commands now = Commands.read(server);
        double scripts = now.calls().getOrDefault("evalsha", 0L);
        double all = now.calls().values().stream().mapToLong(Long::longValue).sum();
        return new Meter(system.getProcessCpuTime() / 1e3, now.cpuSeconds() * 1e6, scripts, all - scripts);
    }

    Meter since(Meter earlier) {
        return new Meter(
                clientMicros - earlier.clientMicros,
                serverMicros - earlier.serverMicros,
                requests - earlier.requests,
                commands - earlier.commands);
    }

    /** For each of so many. */
    Meter per(long number) {
        return new Meter(clientMicros / number, serverMicros / number, requests / number, commands / number);
    }

    /** The bytes of the heap that are in use. */
    static double heap() {
        Runtime runtime = Runtime.getRuntime();
        // Once more for what the first has made unreachable.
        System.gc();
        System.gc();
        return (double) (runtime.totalMemory() - runtime.freeMemory());
    }

    /** The bytes that the server uses. */
    static double serverMemory(RedisServer server) {
        return server.command("INFO", "memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }
}
