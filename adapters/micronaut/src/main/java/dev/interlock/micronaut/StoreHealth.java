package dev.interlock.micronaut;

import dev.interlock.Interlock;
import dev.interlock.StoreUnavailableException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.util.StringUtils;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.AbstractHealthIndicator;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Whether the stores answer: asked when somebody asks for the health, on a thread that may block. */
@Singleton
@Requires(classes = AbstractHealthIndicator.class)
@Requires(property = "endpoints.health.interlock.enabled", notEquals = StringUtils.FALSE)
final class StoreHealth extends AbstractHealthIndicator<Map<String, Object>> {

    /** A name that nobody locks: to look at it is a read. */
    private static final String PROBE = "interlock:health";

    private final List<Interlock> clients;

    StoreHealth(List<Interlock> clients) {
        this.clients = List.copyOf(clients);
    }

    @Override
    protected String getName() {
        return "interlock";
    }

    @Override
    protected Map<String, Object> getHealthInformation() {
        long begun = System.nanoTime();
        try {
            for (Interlock client : clients) {
                var unused = client.administration().inspect(PROBE);
            }
        } catch (StoreUnavailableException | IllegalStateException e) {
            healthStatus = HealthStatus.DOWN;
            return Map.of("error", String.valueOf(e.getMessage()));
        }
        healthStatus = HealthStatus.UP;
        return Map.of(
                "answeredWithinMillis",
                Duration.ofNanos(System.nanoTime() - begun).toMillis());
    }
}
