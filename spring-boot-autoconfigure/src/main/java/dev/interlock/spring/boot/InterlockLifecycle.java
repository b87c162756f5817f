package dev.interlock.spring.boot;

import dev.interlock.spring.RunningMethods;
import org.springframework.context.SmartLifecycle;

/**
 * Ends an application in order: after the web server has finished its requests, no locked method begins any more, and
 * those that run may end within the time of the phase ({@code spring.lifecycle.timeout-per-shutdown-phase}). The client
 * is closed later, with the beans, and releases what is still held then.
 */
public final class InterlockLifecycle implements SmartLifecycle {

    /** After the graceful shutdown of web servers, and after schedulers, which are in later phases and stop earlier. */
    static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

    private final RunningMethods running;
    private volatile boolean started;

    InterlockLifecycle(RunningMethods running) {
        this.running = running;
    }

    @Override
    public void start() {
        started = true;
    }

    @Override
    public void stop(Runnable callback) {
        started = false;
        var unused = running.close().whenComplete((none, failure) -> callback.run());
    }

    @Override
    public void stop() {
        stop(() -> {});
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
