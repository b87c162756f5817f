package dev.interlock.memory;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.StoreRefusal;
import dev.interlock.spi.Wake;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Claims in a map of this process, for tests and as the reference of the other stores. {@link #session()} gives further
 * clients of the same map, each as separate from the others as two processes are.
 */
public final class MemoryStore implements LockStore, LockCatalog {

    private final SharedClaims claims;
    private final Consumer<Wake> wakes = this::wake;
    private volatile boolean closed;
    private volatile @Nullable Consumer<Wake> listener;
    private volatile @Nullable String clientId;

    /** An empty store. */
    public MemoryStore() {
        this(new SharedClaims(System::nanoTime));
    }

    /** An empty store with this monotonic clock, in nanoseconds. */
    public MemoryStore(LongSupplier nanoClock) {
        this(new SharedClaims(nanoClock));
    }

    private MemoryStore(SharedClaims claims) {
        this.claims = claims;
        claims.join(wakes);
    }

    /** Another client's view of the same claims. */
    public MemoryStore session() {
        return new MemoryStore(claims);
    }

    /** All. */
    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    /** Each verb is over when its call returns. */
    @Override
    public boolean keepsOrder() {
        return true;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        clientId = claim.owner().clientId();
        return closed ? refused() : CompletableFuture.completedFuture(claims.acquire(claim));
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return closed ? refused() : CompletableFuture.completedFuture(claims.execute(command));
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return closed ? refused() : CompletableFuture.completedFuture(claims.release(claim));
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> renewed) {
        return closed ? refused() : CompletableFuture.completedFuture(claims.renew(renewed));
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return closed ? refused() : CompletableFuture.completedFuture(claims.inspect(id));
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return closed ? refused() : CompletableFuture.completedFuture(claims.list(prefix, limit));
    }

    @Override
    public void onWake(Consumer<Wake> newListener) {
        listener = newListener;
    }

    @Override
    public void close() {
        closed = true;
        claims.leave(wakes);
    }

    /** Passes a wake on if it is for this client. */
    private void wake(Wake wake) {
        Consumer<Wake> current = listener;
        OwnerId owner = wake.owner();
        if (current != null && owner != null && owner.clientId().equals(clientId)) {
            current.accept(wake);
        }
    }

    private static <T> CompletionStage<T> refused() {
        return CompletableFuture.failedFuture(new StoreRefusal("The store is closed"));
    }

    /** It is nowhere else. */
    @Override
    public String toString() {
        return "MemoryStore";
    }
}
