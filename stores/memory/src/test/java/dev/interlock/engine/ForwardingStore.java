package dev.interlock.engine;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A store in front of another, for a test to change what some verbs do. */
abstract class ForwardingStore implements LockStore {

    final LockStore delegate;

    ForwardingStore(LockStore delegate) {
        this.delegate = delegate;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        return delegate.acquire(claim);
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return delegate.execute(command);
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return delegate.release(claim);
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        return delegate.renew(claims);
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return delegate.inspect(id);
    }

    @Override
    public boolean isRefusal(Throwable failure) {
        return delegate.isRefusal(failure);
    }

    @Override
    public void onWake(Consumer<Wake> listener) {
        delegate.onWake(listener);
    }

    @Override
    public void close() {
        delegate.close();
    }
}
