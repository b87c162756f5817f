package dev.interlock.spi;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The stores that there are, and how to get and to address each: the one list behind all messages and pages. */
public enum KnownStore {
    /** Redis, and servers like it. */
    REDIS(
            "redis://host:6379",
            "redis",
            "rediss",
            "redis-cluster",
            "rediss-cluster",
            "redis-sentinel",
            "rediss-sentinel"),
    /** Databases with SQL. */
    JDBC("jdbc:postgresql://host/database", "jdbc", "sqlite"),
    /** ZooKeeper. */
    ZOOKEEPER("zk://host:2181/path", "zk"),
    /** etcd. */
    ETCD("etcd://host:2379/path", "etcd", "etcds"),
    /** MongoDB. */
    MONGODB("mongodb://host/database", "mongodb", "mongodb+srv"),
    /** Without a server. */
    MEMORY("memory:", "memory");

    /** What the URI of a store begins with, by the scheme or the port of an address that people have. */
    private static final Map<String, String> MEANT = Map.ofEntries(
            Map.entry("postgres", "jdbc:postgresql"),
            Map.entry("postgresql", "jdbc:postgresql"),
            Map.entry("5432", "jdbc:postgresql"),
            Map.entry("mysql", "jdbc:mysql"),
            Map.entry("3306", "jdbc:mysql"),
            Map.entry("mariadb", "jdbc:mariadb"),
            Map.entry("h2", "jdbc:h2"),
            Map.entry("valkey", "redis"),
            Map.entry("6379", "redis"),
            Map.entry("zookeeper", "zk"),
            Map.entry("2181", "zk"),
            Map.entry("2379", "etcd"),
            Map.entry("mongo", "mongodb"),
            Map.entry("27017", "mongodb"));

    private final String example;

    // Made by List.of, which nobody can change.
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> schemes;

    KnownStore(String example, String... schemes) {
        this.example = example;
        this.schemes = List.of(schemes);
    }

    /** The artefact that has the store. */
    public String artifact() {
        return "interlock-" + name().toLowerCase(Locale.ROOT);
    }

    /** A URI of the store. */
    public String example() {
        return example;
    }

    /** The schemes of its URIs, as {@link LockStoreProvider#schemes} has them. */
    public List<String> schemes() {
        return schemes;
    }

    /** The artefacts of all stores, as a sentence has them: with commas, and the conjunction before the last. */
    public static String artifacts(String conjunction) {
        String all = Arrays.stream(values()).map(KnownStore::artifact).collect(Collectors.joining(", "));
        int last = all.lastIndexOf(',');
        return all.substring(0, last) + " " + conjunction + all.substring(last + 1);
    }

    /**
     * What to do about an address that no store on the class path knows, as the end of a sentence; empty if that is not
     * known. It repeats nothing that could be a password.
     */
    public static String advice(String address) {
        int colon = address.indexOf(':');
        if (colon < 0) {
            return "";
        }
        String scheme = address.substring(0, colon).toLowerCase(Locale.ROOT);
        for (KnownStore store : values()) {
            if (store.schemes.contains(scheme)) {
                return ": add " + store.artifact();
            }
        }
        String meant = MEANT.get(scheme);
        if (meant != null) {
            return "; did you mean " + meant + "://?";
        }
        // A port tells which server it is. Any other number may be a password, and so may what stands before an @.
        String host = address.startsWith("//", colon + 1) ? address.substring(colon + 3) : address;
        colon = host.indexOf(':');
        meant = MEANT.get(host.substring(colon + 1).split("[/?,]", 2)[0]);
        return colon < 0 || meant == null || host.contains("@")
                ? ""
                : "; did you mean " + meant + "://" + host.split("[/?,]", 2)[0] + "?";
    }
}
