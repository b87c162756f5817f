package dev.interlock.testkit.control;

import dev.interlock.LockStatus;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A correct store, in which subclasses plant one bug each. */
class DelegatingStore implements LockStore, LockCatalog {

    final MemoryStore inner;

    DelegatingStore(MemoryStore shared) {
        this.inner = shared.session();
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        return inner.acquire(claim);
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return inner.execute(command);
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return inner.release(claim);
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        return inner.renew(claims);
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return inner.inspect(id);
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return inner.list(prefix, limit);
    }

    @Override
    public void onWake(Consumer<Wake> listener) {
        inner.onWake(listener);
    }

    @Override
    public void close() {
        inner.close();
    }
}
