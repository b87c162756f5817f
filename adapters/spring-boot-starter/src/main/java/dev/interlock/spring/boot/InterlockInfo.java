package dev.interlock.spring.boot;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * What the endpoint {@code info} shows: the version, and of the client that the auto-configuration has made the
 * application's name and the kind of its store. No address, since the endpoint is often open to everybody. Thread-safe.
 */
final class InterlockInfo implements InfoContributor {

    /** Written by the build, and not by the jar: so it is known from a folder of classes, too. */
    static final String VERSION = "interlock-version.properties";

    /** How long a request waits for a database to say what it is. */
    private static final long PATIENCE_SECONDS = 1;

    private final @Nullable ChosenStore store;
    private final String application;
    private final String version = version();

    /** The name of the store; null before it is asked for, and after it could not be found out. Guarded by this. */
    private @Nullable CompletableFuture<String> name;

    InterlockInfo(@Nullable ChosenStore store, String application) {
        this.store = store;
        this.application = application;
    }

    private static String version() {
        try (InputStream file = InterlockInfo.class.getResourceAsStream(VERSION)) {
            Properties properties = new Properties();
            properties.load(file);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException("The version of Interlock cannot be read: " + VERSION, e);
        }
    }

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("version", version);
        if (store != null) {
            details.put("store", name(store));
            if (!application.isEmpty()) {
                details.put("application", application);
            }
        }
        builder.withDetail("interlock", details);
    }

    private String name(ChosenStore chosen) {
        CompletableFuture<String> asked = asked(chosen);
        try {
            return asked.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            // The next request looks again.
        } catch (ExecutionException e) {
            forget(asked);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return chosen.kind();
    }

    /** Asks on a thread of its own, since a pool may keep its caller waiting for long. */
    private synchronized CompletableFuture<String> asked(ChosenStore chosen) {
        CompletableFuture<String> known = name;
        if (known == null) {
            CompletableFuture<String> asking = new CompletableFuture<>();
            Thread thread = new Thread(
                    () -> {
                        try {
                            asking.complete(chosen.name().get());
                        } catch (RuntimeException | Error e) {
                            asking.completeExceptionally(e);
                        }
                    },
                    "interlock-info");
            thread.setDaemon(true);
            known = asking;
            name = asking;
            thread.start();
        }
        return known;
    }

    private synchronized void forget(CompletableFuture<String> failed) {
        if (name == failed) {
            name = null;
        }
    }
}
