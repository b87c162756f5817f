package dev.interlock.micronaut;

import dev.interlock.annotation.spi.RunningMethods;
import io.micronaut.context.BeanContext;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.scheduling.processor.ScheduledMethodProcessor;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends an application in order: no locked method begins any more, those that run may end within
 * {@code interlock.close-timeout}, and what runs longer is named in a warning. The clients are closed later, with the
 * beans, and keep the locks of what still runs.
 */
@Singleton
@Order(Ordered.LOWEST_PRECEDENCE)
final class Closing implements ApplicationEventListener<ShutdownEvent> {

    /** As Micronaut logs: at a signal, {@code System.Logger} leads nowhere any more. */
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    private final BeanContext beans;
    private final RunningMethods running;
    private final Duration timeout;

    Closing(BeanContext beans, MicronautFramework framework, InterlockConfiguration configuration) {
        this.beans = beans;
        this.running = framework.running();
        this.timeout = InterlockConfiguration.duration("close-timeout", configuration.closeTimeout());
    }

    @Override
    public void onApplicationEvent(ShutdownEvent event) {
        // Or each run of a scheduled method would be refused, with an error in the log.
        beans.findBean(ScheduledMethodProcessor.class).ifPresent(ScheduledMethodProcessor::close);
        try {
            running.end().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            warn();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            warn();
        } catch (ExecutionException e) {
            throw new AssertionError("The end of methods does not fail", e);
        }
    }

    private void warn() {
        LOG.warn(
                "Methods with @Locked still run after interlock.close-timeout, and the application closes: their locks"
                        + " stay until they end, or the leases do. Give them more time, or let them end: {}",
                running.running());
    }
}
