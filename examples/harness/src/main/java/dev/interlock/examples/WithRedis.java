package dev.interlock.examples;

import dev.interlock.testkit.server.RedisServer;

/** Runs a command while a Redis is there for it, whose URI it finds in REDIS_URI, and ends with its exit code. */
public final class WithRedis {

    private WithRedis() {}

    /** The command. */
    public static void main(String[] command) throws Exception {
        int status;
        try (RedisServer redis = RedisServer.start()) {
            ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
            builder.environment().put("REDIS_URI", redis.uri());
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end-command"));
            status = process.waitFor();
        }
        System.exit(status);
    }
}
