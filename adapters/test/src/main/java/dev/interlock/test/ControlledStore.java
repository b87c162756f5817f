package dev.interlock.test;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The store of one client under test, in front of the real one: it behaves as {@link TestStore} says. Thread-safe. */
final class ControlledStore implements LockStore, LockCatalog {

    private final LockStore inner;
    private final TestStore control;

    /** The claims that somebody has ended, and how the client learns of that. */
    private final Map<OwnerId, Renewal> ended = new ConcurrentHashMap<>();

    private volatile @Nullable String clientId;
    private volatile Consumer<Wake> listener = wake -> {};

    ControlledStore(LockStore inner, TestStore control) {
        this.inner = inner;
        this.control = control;
    }

    /**
     * Ends the claims by which this client holds the name, as somebody else would, and has the client look.
     *
     * @param name the whole name
     */
    void end(String name, Renewal how) {
        for (LockKind kind : LockKind.values()) {
            LockId id = new LockId(name, kind);
            for (LockStatus.Holder holder : now(inner.inspect(id)).holders()) {
                OwnerId owner = new OwnerId(holder.owner());
                if (owner.clientId().equals(clientId)) {
                    ended.put(owner, how);
                    now(inner.release(Claim.of(id, holder.mode(), owner, holder.remainingLease(), holder.party())));
                    listener.accept(new Wake.Changed(id, owner));
                }
            }
        }
    }

    private static <T> T now(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture()
                    .orTimeout(Bounded.LIMIT.toNanos(), TimeUnit.NANOSECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new IllegalStateException("The store itself does not answer the test: " + e.getCause(), e);
        }
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        clientId = claim.owner().clientId();
        return control.ask(() -> inner.acquire(claim));
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return control.ask(() -> inner.execute(command));
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return control.ask(() -> inner.release(claim));
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        List<Claim> copy = List.copyOf(claims);
        return control.ask(
                () -> ended.isEmpty() ? inner.renew(copy) : inner.renew(copy).thenApply(this::withEnds));
    }

    private Map<Claim, Renewal> withEnds(Map<Claim, Renewal> answer) {
        Map<Claim, Renewal> result = new HashMap<>(answer);
        result.replaceAll((claim, renewal) -> ended.getOrDefault(claim.owner(), renewal));
        return result;
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return control.ask(() -> inner.inspect(id));
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return control.ask(() -> ((LockCatalog) inner).list(prefix, limit));
    }

    @Override
    public void onWake(Consumer<Wake> newListener) {
        listener = newListener;
        inner.onWake(wake -> {
            if (control.isReachable()) {
                newListener.accept(wake);
            }
        });
    }

    @Override
    public Set<Capability> capabilities() {
        return inner.capabilities();
    }

    @Override
    public boolean keepsOrder() {
        return inner.keepsOrder();
    }

    @Override
    public boolean isRefusal(Throwable failure) {
        return inner.isRefusal(failure);
    }

    @Override
    public Duration pollCap() {
        return inner.pollCap();
    }

    @Override
    public boolean isConnected() {
        return inner.isConnected();
    }

    @Override
    public void ensureMayWait() {
        inner.ensureMayWait();
    }

    @Override
    public void close() {
        inner.close();
    }

    @Override
    public String toString() {
        return "ControlledStore[" + inner + "]";
    }
}
