package dev.interlock.engine;

import dev.interlock.LockObserver;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Calls the observers of a client directly, with no lock held. Without any it costs one test. Thread-safe. */
final class Observers {

    private final List<LockObserver> all;
    private final EngineClock clock;

    /** Those that were told that the client is open. */
    private final Queue<LockObserver> opened = new ConcurrentLinkedQueue<>();

    Observers(List<LockObserver> all, EngineClock clock) {
        this.all = all;
        this.clock = clock;
    }

    /** See {@link Engine#opened}. */
    void opened(String clientId, Set<Capability> capabilities) {
        for (LockObserver observer : all) {
            observer.opened(clientId, capabilities);
            opened.add(observer);
        }
    }

    /** See {@link Engine#closed}. */
    void closed() {
        each(opened, LockObserver::closed);
    }

    /** A caller begins to acquire, on this thread; null if nobody observes that. */
    @Nullable
    Watch acquiring(Request request) {
        Watch first = null;
        for (LockObserver observer : all) {
            try {
                LockObserver.Acquisition acquisition =
                        observer.acquiring(request.id().name(), request.id().kind(), request.mode(), request.options());
                if (acquisition != null) {
                    first = new Watch(clock, acquisition, first);
                }
            } catch (Throwable e) {
                Callbacks.threw(e);
            }
        }
        return first;
    }

    /** The claim is requested from the store. */
    void requested(Claim claim) {
        each(observer -> observer.requested(claim.id().name(), claim.owner().value()));
    }

    void renewed(Claim claim) {
        each(observer -> observer.renewed(claim.id().name(), claim.owner().value()));
    }

    void renewalFailed(Claim claim, StoreUnavailableException failure, long remainingNanos) {
        Duration remaining = Duration.ofNanos(Math.max(0, remainingNanos));
        each(observer -> observer.renewalFailed(claim.id().name(), claim.owner().value(), remaining, failure));
    }

    /** Reports the reply to a request when it is there. */
    void watchReply(CompletableFuture<?> reply) {
        if (!all.isEmpty()) {
            var unused = reply.thenRun(this::replied);
        }
    }

    private void replied() {
        each(LockObserver::storeReplied);
    }

    private void each(Consumer<LockObserver> event) {
        if (!all.isEmpty()) {
            each(all, event);
        }
    }

    private static void each(Collection<LockObserver> observers, Consumer<LockObserver> event) {
        for (LockObserver observer : observers) {
            try {
                event.accept(observer);
            } catch (Throwable e) {
                Callbacks.threw(e);
            }
        }
    }
}
