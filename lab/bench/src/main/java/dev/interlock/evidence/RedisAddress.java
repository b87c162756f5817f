package dev.interlock.evidence;

import java.util.List;

/**
 * What a URI of Interlock says, for libraries that have to be told what the servers are: one; several of a cluster; or
 * Sentinels.
 *
 * @param hosts each as {@code host:port}
 * @param master the name of the Sentinels' master; empty if the servers are no Sentinels
 */
record RedisAddress(List<String> hosts, String master) {

    static RedisAddress of(String uri) {
        String[] parts = uri.substring(uri.indexOf("//") + 2).split("/", 2);
        return new RedisAddress(List.of(parts[0].split(",", -1)), parts.length > 1 ? parts[1] : "");
    }

    boolean isSentinel() {
        return !master.isEmpty();
    }

    boolean isCluster() {
        return hosts.size() > 1 && !isSentinel();
    }

    /** Each host as {@code redis://host:port}. */
    String[] uris() {
        return hosts.stream().map(host -> "redis://" + host).toArray(String[]::new);
    }
}
