package dev.interlock.engine;

import dev.interlock.LockListener;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Notifies listeners on the callback executor, and observers of renewals when the arbiter's monitor is left. Without
 * listeners and observers it costs a test.
 */
final class Events {

    private final List<LockListener> listeners;
    private final Observers observers;
    private final Callbacks callbacks;
    private final EngineClock clock;

    Events(List<LockListener> listeners, Observers observers, Callbacks callbacks, EngineClock clock) {
        this.listeners = listeners;
        this.observers = observers;
        this.callbacks = callbacks;
        this.clock = clock;
    }

    void requested(Claim claim, DeferredActions actions) {
        later(actions, l -> l.asked(claim.id().name(), claim.owner().value()));
    }

    void granted(String name, long token, long waitedNanos, boolean handedOver, DeferredActions actions) {
        if (listeners.isEmpty()) {
            return;
        }
        Duration waited = Duration.ofNanos(waitedNanos);
        if (handedOver) {
            later(actions, l -> l.handedOver(name, token));
        }
        later(actions, l -> l.acquired(name, token, waited));
    }

    void gaveUp(LockId id, long waitedNanos, DeferredActions actions) {
        later(actions, l -> l.gaveUp(id.name(), Duration.ofNanos(waitedNanos)));
    }

    void renewed(Claim claim, DeferredActions actions) {
        later(actions, l -> l.renewed(claim.id().name(), claim.owner().value()));
        observe(actions, () -> observers.renewed(claim));
    }

    void renewalFailed(Claim claim, StoreUnavailableException failure, long remainingNanos, DeferredActions actions) {
        Duration remaining = Duration.ofNanos(Math.max(0, remainingNanos));
        later(actions, l -> l.renewalFailed(claim.id().name(), claim.owner().value(), remaining, failure));
        observe(actions, () -> observers.renewalFailed(claim, remaining, failure));
    }

    void lost(String name, long token, LossCause cause, DeferredActions actions) {
        later(actions, l -> l.lost(name, token, cause));
    }

    /** A loss that only the reply to the release has shown. Called with no lock held. */
    void lostBeforeRelease(String name, long token, LossCause cause) {
        now(l -> l.lost(name, token, cause));
    }

    /** Called with no lock held. */
    void released(String name, long token, ReleaseOutcome outcome, long grantedNanos) {
        if (!listeners.isEmpty()) {
            Duration held = Duration.ofNanos(clock.now() - grantedNanos);
            now(l -> l.released(name, token, outcome, held));
        }
    }

    private void later(DeferredActions actions, Consumer<LockListener> event) {
        if (!listeners.isEmpty()) {
            actions.defer(() -> now(event));
        }
    }

    private void observe(DeferredActions actions, Runnable event) {
        if (!observers.isEmpty()) {
            actions.defer(event);
        }
    }

    private void now(Consumer<LockListener> event) {
        for (LockListener listener : listeners) {
            callbacks.run(() -> event.accept(listener));
        }
    }
}
