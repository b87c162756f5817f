package dev.interlock.bench;

import dev.interlock.testkit.server.RedisServer;
import java.util.HashMap;
import java.util.Map;

/**
 * The number of calls of each command, by the server's own count ({@code INFO commandstats}): by clients and inside of
 * scripts together.
 *
 * @param calls number of calls by name
 * @param cpuSeconds processor time of the server
 */
record Commands(Map<String, Long> calls, double cpuSeconds) {

    private static final String LINE = "cmdstat_";

    /** What the server has counted up to now, without the INFO that asks. */
    static Commands read(RedisServer server) {
        Map<String, Long> calls = new HashMap<>();
        for (String line : server.command("INFO", "commandstats").lines().toList()) {
            if (line.startsWith(LINE)) {
                int colon = line.indexOf(':');
                int from = line.indexOf('=', colon) + 1;
                String name = line.substring(LINE.length(), colon);
                calls.merge(base(name), Long.valueOf(line.substring(from, line.indexOf(',', from))), Long::sum);
            }
        }
        calls.remove("info");
        return new Commands(calls, cpu(server));
    }

    /** The calls since then. */
    Commands since(Commands earlier) {
        Map<String, Long> delta = new HashMap<>();
        calls.forEach((name, count) -> {
            long more = count - earlier.calls.getOrDefault(name, 0L);
            if (more > 0) {
                delta.put(name, more);
            }
        });
        return new Commands(delta, cpuSeconds - earlier.cpuSeconds);
    }

    /** How many of these calls came from clients, by this mix. */
    double fromClients(Mix mix) {
        return calls.entrySet().stream()
                .mapToDouble(call -> call.getValue() * mix.clientShare(call.getKey()))
                .sum();
    }

    private static double cpu(RedisServer server) {
        return server.command("INFO", "cpu")
                .lines()
                .filter(line -> line.startsWith("used_cpu_user:") || line.startsWith("used_cpu_sys:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    /** A command's name without its subcommand. */
    static String base(String name) {
        int bar = name.indexOf('|');
        return bar < 0 ? name : name.substring(0, bar);
    }
}
