package dev.interlock.spring.boot;

import dev.interlock.annotation.spi.RunningMethods;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * Stops an application in order: after the web server has finished its requests, no locked method begins any more, and
 * those that run may end within the time of the phase ({@code spring.lifecycle.timeout-per-shutdown-phase}). If the
 * application is closed, what runs longer is named in a warning; the client is closed later, with the beans, and
 * releases what is still held then. If it is started again, methods begin again.
 */
public final class InterlockLifecycle implements SmartLifecycle, DisposableBean {

    /** As Spring logs: when beans are destroyed, {@code System.Logger} leads nowhere any more. */
    private static final Log LOG = LogFactory.getLog(InterlockLifecycle.class);

    /**
     * After the graceful shutdown of web servers. Schedulers stop later since Spring 6.2: a job that is due while
     * running methods are waited for is refused.
     */
    static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

    private final RunningMethods running;
    private volatile boolean started;

    InterlockLifecycle(RunningMethods running) {
        this.running = running;
    }

    @Override
    public void start() {
        running.begin();
        started = true;
    }

    @Override
    public void stop(Runnable callback) {
        started = false;
        var unused = running.end().whenComplete((none, failure) -> callback.run());
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    /** The time of the phase is over. */
    @Override
    public void destroy() {
        List<String> left = running.running();
        if (!left.isEmpty()) {
            LOG.warn("Methods with @Locked still run after the time of the shutdown phase, and the application closes:"
                    + " their locks stay until they end, or the leases do. Give them more time by"
                    + " spring.lifecycle.timeout-per-shutdown-phase, or let them end: "
                    + left);
        }
    }

    @Override
    public boolean isRunning() {
        return started;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
