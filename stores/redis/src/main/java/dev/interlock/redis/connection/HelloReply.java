package dev.interlock.redis.connection;

import dev.interlock.redis.command.Reply;
import java.util.List;

/**
 * A server's reply to {@code HELLO}.
 *
 * @param version such as {@code 7.0.9}; empty if missing
 * @param mode {@code standalone}, {@code cluster} or {@code sentinel}; empty if missing
 * @param role {@code master} or {@code replica}; empty if missing
 */
public record HelloReply(String version, String mode, String role) {

    private static final int OLDEST_MAJOR = 6;

    /** Reads the reply. */
    public static HelloReply of(Reply reply) {
        List<String> elements = reply.elements();
        return new HelloReply(value(elements, "version"), value(elements, "mode"), value(elements, "role"));
    }

    boolean isTooOld() {
        int dot = version.indexOf('.');
        try {
            return dot > 0 && Integer.parseInt(version.substring(0, dot)) < OLDEST_MAJOR;
        } catch (NumberFormatException e) {
            // A server with another form of version is not Redis itself, and knows HELLO.
            return false;
        }
    }

    public boolean isCluster() {
        return mode.equals("cluster");
    }

    public boolean isSentinel() {
        return mode.equals("sentinel");
    }

    public boolean isReplica() {
        return role.equals("replica") || role.equals("slave");
    }

    private static String value(List<String> elements, String key) {
        int at = elements.indexOf(key);
        return at < 0 || at + 1 == elements.size() ? "" : elements.get(at + 1);
    }
}
