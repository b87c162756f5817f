package dev.interlock.console;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.LockStatus.Holder;
import dev.interlock.LockStatus.Waiter;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** A store that lists what a test says, when the test says, and can do nothing else. */
final class ListedStore implements LockStore, LockCatalog {

    private final Supplier<List<LockStatus>> listing;
    private final Runnable closing;

    private ListedStore(Supplier<List<LockStatus>> listing, Runnable closing) {
        this.listing = listing;
        this.closing = closing;
    }

    /** A client of such a store, of which {@code listing} is called for each look, and {@code closing} at the end. */
    static Interlock client(Supplier<List<LockStatus>> listing, Runnable closing) {
        return Interlock.builder(new ListedStore(listing, closing)).build();
    }

    /** A name that so many hold and so many wait for, each a thread of its own. */
    static LockStatus crowded(String name, LockKind kind, int holders, int waiters) {
        List<Holder> held = IntStream.range(0, holders)
                .mapToObj(i -> new Holder(
                        owner(i),
                        party("holder-" + i),
                        new Mode.Shared(),
                        Duration.ofSeconds(10),
                        Duration.ofHours(1),
                        7))
                .toList();
        List<Waiter> waiting = IntStream.range(0, waiters)
                .mapToObj(i -> new Waiter(
                        owner(holders + i), party("waiter-" + i), new Mode.Exclusive(false), Duration.ofSeconds(5)))
                .toList();
        return new LockStatus(name, kind, held, waiting, 1);
    }

    private static String owner(int number) {
        return "%08x-0000-4000-8000-000000000000:1".formatted(number);
    }

    private static Party party(String thread) {
        return new Party("host", 7, "application", thread);
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return CompletableFuture.completedStage(listing.get());
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        return unsupported();
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return unsupported();
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return unsupported();
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        return unsupported();
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return unsupported();
    }

    private static <T> CompletionStage<T> unsupported() {
        return CompletableFuture.failedStage(new UnsupportedOperationException("It only lists"));
    }

    @Override
    public void onWake(Consumer<Wake> listener) {}

    @Override
    public void close() {
        closing.run();
    }
}
