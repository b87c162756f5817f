package dev.interlock.spring.boot;

import dev.interlock.Interlock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * What the endpoint {@code info} shows: the version, and of the client that the auto-configuration has made the
 * application's name and the kind of its store. No address, since the endpoint is often open to everybody.
 */
final class InterlockInfo implements InfoContributor {

    private final Map<String, String> details = new LinkedHashMap<>();

    InterlockInfo(@Nullable ChosenStore store, String application) {
        String version = Interlock.class.getPackage().getImplementationVersion();
        // Not known where the library is a folder of classes.
        details.put("version", version == null ? "unknown" : version);
        if (store != null) {
            details.put("store", store.name());
            if (!application.isEmpty()) {
                details.put("application", application);
            }
        }
    }

    @Override
    public void contribute(Info.Builder builder) {
        builder.withDetail("interlock", details);
    }
}
