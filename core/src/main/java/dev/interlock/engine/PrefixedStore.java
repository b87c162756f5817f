package dev.interlock.engine;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Printable;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.spi.Withdrawable;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A store in which all names of a client begin with a prefix. The engine and its users know the names without it.
 * Thread-safe, as the store behind it is.
 */
final class PrefixedStore implements LockStore, LockCatalog {

    private final LockStore store;
    private final String prefix;

    private PrefixedStore(LockStore store, String prefix) {
        this.store = store;
        this.prefix = prefix;
    }

    /** The store itself if the prefix is empty. */
    static LockStore of(LockStore store, String prefix) {
        return prefix.isEmpty() ? store : new PrefixedStore(store, prefix);
    }

    /** The store that a message is to name. */
    static LockStore behind(LockStore store) {
        return store instanceof PrefixedStore prefixed ? prefixed.store : store;
    }

    // ---- names

    private LockId stored(LockId id) {
        return new LockId(prefix + id.name(), id.kind());
    }

    private Claim stored(Claim claim) {
        return claim.withId(stored(claim.id()));
    }

    private Command stored(Command command) {
        return command.withId(stored(command.id()));
    }

    /** Whether a client with this prefix has a lock of this name: not if only others can. */
    private boolean isOurs(String name) {
        return name.length() > prefix.length() && name.startsWith(prefix);
    }

    private String shown(String name) {
        return name.substring(prefix.length());
    }

    private LockStatus shown(LockStatus status) {
        return new LockStatus(shown(status.name()), status.kind(), status.holders(), status.waiters(), status.count());
    }

    // ---- verbs

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        return store.acquire(stored(claim));
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return store.execute(stored(command));
    }

    @Override
    public boolean isConnected() {
        return store.isConnected();
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return store.release(stored(claim));
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        Map<Claim, Claim> byStored = new HashMap<>();
        claims.forEach(claim -> byStored.put(stored(claim), claim));
        return mapped(store.renew(byStored.keySet()), renewals -> {
            Map<Claim, Renewal> shown = new HashMap<>();
            byStored.forEach((stored, claim) -> {
                Renewal renewal = renewals.get(stored);
                if (renewal != null) {
                    shown.put(claim, renewal);
                }
            });
            return shown;
        });
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return mapped(store.inspect(stored(id)), this::shown);
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String beginning, int limit) {
        // The engine asks a store without a catalog for no list.
        return mapped(((LockCatalog) store).list(prefix + beginning, limit), found -> found.stream()
                .filter(status -> isOurs(status.name()))
                .map(this::shown)
                .toList());
    }

    private static <T, R> CompletableFuture<R> mapped(CompletionStage<T> stage, Function<T, R> mapping) {
        return new Mapped<>(stage.toCompletableFuture(), mapping);
    }

    /** To cancel the answer cancels the request, which may have a part of the answer by then. */
    private static final class Mapped<T, R> extends CompletableFuture<R> implements Withdrawable {

        private final CompletableFuture<T> request;

        Mapped(CompletableFuture<T> request, Function<T, R> mapping) {
            this.request = request;
            var unused = request.thenApply(mapping).whenComplete((answer, failure) -> {
                if (failure == null) {
                    complete(answer);
                } else {
                    completeExceptionally(failure);
                }
            });
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            request.cancel(mayInterrupt);
            // What the request has completed this with counts, unless that is that it was cancelled.
            return super.cancel(mayInterrupt) || isCompletedExceptionally();
        }

        @Override
        public boolean withdraw() {
            return request instanceof Withdrawable sent && sent.withdraw();
        }

        @Override
        public boolean isInLine() {
            return request instanceof Withdrawable sent && sent.isInLine();
        }
    }

    @Override
    public void onWake(Consumer<Wake> listener) {
        store.onWake(wake -> {
            LockId id = wake.id();
            if (isOurs(id.name())) {
                listener.accept(wake.of(new LockId(shown(id.name()), id.kind())));
            }
        });
    }

    // ---- as the store behind

    @Override
    public Set<Capability> capabilities() {
        return store.capabilities();
    }

    @Override
    public boolean keepsOrder() {
        return store.keepsOrder();
    }

    @Override
    public boolean isRefusal(Throwable failure) {
        return store.isRefusal(failure);
    }

    @Override
    public Duration pollCap() {
        return store.pollCap();
    }

    @Override
    public void ensureMayWait() {
        store.ensureMayWait();
    }

    @Override
    public <T> CompletionStage<T> lend(Duration patience, Supplier<CompletionStage<T>> verb) {
        return store.lend(patience, verb);
    }

    @Override
    public void close() {
        store.close();
    }

    @Override
    public String toString() {
        return "PrefixedStore[prefix=" + Printable.of(prefix) + ", store=" + store + "]";
    }
}
