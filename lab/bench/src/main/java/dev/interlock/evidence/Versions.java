package dev.interlock.evidence;

import java.net.URL;
import java.security.CodeSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The versions of the libraries, from the names of their jars. */
final class Versions {

    private static final Pattern JAR = Pattern.compile(".*/[a-z0-9-]+?-(\\d[^/]*)\\.jar");

    private Versions() {}

    static String all() {
        Map<String, Class<?>> libraries = new LinkedHashMap<>();
        libraries.put("Redisson", org.redisson.Redisson.class);
        libraries.put("Curator", org.apache.curator.framework.recipes.locks.InterProcessMutex.class);
        libraries.put("Spring Integration Redis", org.springframework.integration.redis.util.RedisLockRegistry.class);
        libraries.put("JDBC", org.springframework.integration.jdbc.lock.JdbcLockRegistry.class);
        libraries.put("ShedLock", net.javacrumbs.shedlock.core.LockProvider.class);
        libraries.put("jetcd", io.etcd.jetcd.Client.class);
        return libraries.entrySet().stream()
                .map(entry -> entry.getKey() + " " + version(entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String version(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        Matcher matcher = JAR.matcher(String.valueOf(location));
        return matcher.matches() ? matcher.group(1) : "unknown";
    }
}
