package dev.interlock.engine;

import dev.interlock.LockListener;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Tells the listeners, on the callback executor. Without listeners it costs one test. */
final class Events {

    private final List<LockListener> listeners;
    private final Callbacks callbacks;
    private final EngineCore core;

    Events(List<LockListener> listeners, Callbacks callbacks, EngineCore core) {
        this.listeners = listeners;
        this.callbacks = callbacks;
        this.core = core;
    }

    void asked(Claim claim, Effects effects) {
        later(effects, l -> l.asked(claim.id().name(), claim.owner().value()));
    }

    void granted(EngineLease lease, Waiter waiter, boolean handedOver, Effects effects) {
        if (listeners.isEmpty()) {
            return;
        }
        Duration waited = Duration.ofNanos(lease.grantedNanos() - waiter.startNanos());
        if (handedOver) {
            later(effects, l -> l.handedOver(lease.name(), lease.token()));
        }
        later(effects, l -> l.acquired(lease.name(), lease.token(), waited));
    }

    void gaveUp(LockId id, long waitedNanos, Effects effects) {
        later(effects, l -> l.gaveUp(id.name(), Duration.ofNanos(waitedNanos)));
    }

    void renewed(Claim claim, Effects effects) {
        later(effects, l -> l.renewed(claim.id().name(), claim.owner().value()));
    }

    void renewalFailed(Claim claim, long remainingNanos, Effects effects) {
        Duration remaining = Duration.ofNanos(Math.max(0, remainingNanos));
        later(effects, l -> l.renewalFailed(claim.id().name(), claim.owner().value(), remaining));
    }

    void lost(EngineLease lease, LossCause cause, Effects effects) {
        later(effects, l -> l.lost(lease.name(), lease.token(), cause));
    }

    /** Known only by the answer to the release. Called with no lock held. */
    void lostBeforeRelease(EngineLease lease, LossCause cause) {
        now(l -> l.lost(lease.name(), lease.token(), cause));
    }

    /** Called with no lock held. */
    void released(EngineLease lease, ReleaseOutcome outcome) {
        if (!listeners.isEmpty()) {
            Duration held = Duration.ofNanos(core.now() - lease.grantedNanos());
            now(l -> l.released(lease.name(), lease.token(), outcome, held));
        }
    }

    private void later(Effects effects, Consumer<LockListener> event) {
        if (!listeners.isEmpty()) {
            effects.also(() -> now(event));
        }
    }

    private void now(Consumer<LockListener> event) {
        for (LockListener listener : listeners) {
            callbacks.run(() -> event.accept(listener));
        }
    }
}
