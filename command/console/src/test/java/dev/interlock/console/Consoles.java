package dev.interlock.console;

import dev.interlock.Interlock;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Makes consoles for tests: on loopback, with the settings that a test changes. */
final class Consoles {

    private List<WatchedStore> stores = new ArrayList<>();
    private InetAddress address = InetAddress.getLoopbackAddress();
    private Set<String> hosts = Set.of();
    private @Nullable SSLContext tls;
    private boolean insecure;
    private @Nullable String password;
    private boolean allowForce;
    private @Nullable Path history;
    private int historyLimit = 10_000;
    private Duration beat = Duration.ofSeconds(15);
    private Duration period = Duration.ofMillis(20);
    private InstantSource clock = InstantSource.system();

    Consoles store(String uri) {
        return store(uri, uri);
    }

    /** A store that is shown otherwise than by its URI. */
    Consoles store(String uri, String shown) {
        return client(
                shown,
                Interlock.builder(uri)
                        .application("console")
                        .storeTimeout(Duration.ofSeconds(30))
                        .attemptTimeout(Duration.ofSeconds(30))
                        .build(),
                false);
    }

    /** The store of this client, which the console closes. */
    Consoles client(String shown, Interlock client, boolean canAsk) {
        stores.add(new WatchedStore(
                shown,
                client,
                canAsk,
                failure -> "explained: " + failure.getClass().getSimpleName()));
        return this;
    }

    Consoles address(InetAddress newAddress, boolean isInsecure) {
        address = newAddress;
        insecure = isInsecure;
        return this;
    }

    Consoles hosts(String... names) {
        hosts = Set.of(names);
        return this;
    }

    Consoles tls(SSLContext context) {
        tls = context;
        return this;
    }

    Consoles password(String text) {
        password = text;
        return this;
    }

    Consoles allowForce() {
        allowForce = true;
        return this;
    }

    Consoles history(Path file, int limit) {
        history = file;
        historyLimit = limit;
        return this;
    }

    Consoles beat(Duration silence) {
        beat = silence;
        return this;
    }

    Consoles clock(InstantSource source) {
        clock = source;
        return this;
    }

    Consoles period(Duration pause) {
        period = pause;
        return this;
    }

    ConsoleConfig config() {
        return new ConsoleConfig(
                stores,
                address,
                0,
                hosts,
                tls,
                insecure,
                password,
                allowForce,
                history,
                historyLimit,
                "test",
                period,
                beat,
                clock);
    }

    Console start() throws IOException {
        return Console.start(config());
    }

    /** Whether a field has this value. */
    static boolean is(Map<String, Object> json, String field, Object value) {
        return value.equals(json.get(field));
    }

    /** The objects of a list. */
    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> list(Map<String, Object> json, String field) {
        return (List<Map<String, Object>>) json.getOrDefault(field, List.of());
    }

    /** An object in an object. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Map<String, Object> json, String field) {
        return (Map<String, Object>) json.getOrDefault(field, Map.of());
    }
}
