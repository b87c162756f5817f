package dev.interlock.testkit.store;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A store in front of another: every request goes through {@link #ask}, every wake through {@link #wake}. Closing it
 * closes the inner one.
 */
abstract class WrappedStore implements LockStore, LockCatalog {

    private final LockStore inner;

    WrappedStore(LockStore inner) {
        this.inner = inner;
    }

    /** Sends a request on, or not, or later. */
    abstract <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request);

    /** Passes a wake on, or not, or later. */
    void wake(Wake wake, Consumer<Wake> listener) {
        listener.accept(wake);
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        return ask(Verb.ACQUIRE, () -> inner.acquire(claim));
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return ask(Verb.EXECUTE, () -> inner.execute(command));
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return ask(Verb.RELEASE, () -> inner.release(claim));
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        List<Claim> copy = List.copyOf(claims);
        return ask(Verb.RENEW, () -> inner.renew(copy));
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return ask(Verb.INSPECT, () -> inner.inspect(id));
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        if (inner instanceof LockCatalog catalog) {
            return ask(Verb.LIST, () -> catalog.list(prefix, limit));
        }
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("The inner store cannot list: " + inner));
    }

    @Override
    public boolean isRefusal(Throwable failure) {
        return inner.isRefusal(failure);
    }

    @Override
    public void onWake(Consumer<Wake> listener) {
        inner.onWake(id -> wake(id, listener));
    }

    @Override
    public Set<Capability> capabilities() {
        return inner.capabilities();
    }

    @Override
    public boolean isConnected() {
        return inner.isConnected();
    }

    @Override
    public boolean keepsOrder() {
        return inner.keepsOrder();
    }

    @Override
    public Duration pollCap() {
        return inner.pollCap();
    }

    @Override
    public void close() {
        inner.close();
    }
}
