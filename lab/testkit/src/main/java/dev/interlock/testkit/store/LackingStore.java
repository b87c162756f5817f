package dev.interlock.testkit.store;

import dev.interlock.spi.Capability;
import dev.interlock.spi.LockStore;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A store without one of the capabilities of the one behind it. */
public final class LackingStore extends WrappedStore {

    private final Capability lacking;

    /** In front of {@code inner}. */
    public LackingStore(LockStore inner, Capability lacking) {
        super(inner);
        this.lacking = lacking;
    }

    @Override
    public Set<Capability> capabilities() {
        Set<Capability> left = EnumSet.copyOf(super.capabilities());
        left.remove(lacking);
        return left;
    }

    @Override
    <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request) {
        return request.get();
    }
}
