package dev.interlock.testkit.store;

import dev.interlock.spi.LockStore;
import dev.interlock.spi.Wake;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A store whose connection a test can cut and mend. */
public final class SwitchableStore extends WrappedStore {

    /** States of the connection. */
    public enum Mode {
        /** Everything passes. */
        HEALTHY,
        /** Nothing arrives and nothing is answered: a black hole. */
        SILENT,
        /** Requests arrive and are executed, answers and wakes are lost. */
        DEAF,
        /** Claims arrive and are granted, without an answer; nothing else arrives, and so nothing is taken back. */
        GRANTING_UNSEEN,
        /** Every request fails at once: a refused or reset connection. */
        REFUSING,
        /** Requests pass, wakes are lost. */
        WAKELESS
    }

    private final AtomicLong struck = new AtomicLong();
    private volatile Mode mode = Mode.HEALTHY;

    /** Healthy at first. */
    public SwitchableStore(LockStore inner) {
        super(inner);
    }

    /** Changes the state for requests from now on; what was lost stays lost. */
    public void mode(Mode newMode) {
        mode = newMode;
    }

    /** How many requests, answers and wakes were kept back so far. */
    public long struck() {
        return struck.get();
    }

    @Override
    <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request) {
        Mode current = mode;
        return switch (current) {
            case HEALTHY, WAKELESS -> request.get();
            case SILENT -> lost();
            case DEAF -> executed(request);
            case GRANTING_UNSEEN -> verb == Verb.ACQUIRE ? executed(request) : lost();
            case REFUSING -> {
                struck.incrementAndGet();
                yield CompletableFuture.failedFuture(new IOException("Connection refused by the test, on " + verb));
            }
        };
    }

    @Override
    void wake(Wake wake, Consumer<Wake> listener) {
        if (mode == Mode.HEALTHY) {
            listener.accept(wake);
        } else {
            struck.incrementAndGet();
        }
    }

    private <T> CompletionStage<T> executed(Supplier<CompletionStage<T>> request) {
        var unused = request.get();
        return lost();
    }

    private <T> CompletionStage<T> lost() {
        struck.incrementAndGet();
        return new CompletableFuture<>();
    }
}
