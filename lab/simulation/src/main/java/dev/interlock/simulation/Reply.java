package dev.interlock.simulation;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The reply to a request. Its hash is the same in every run, and what the engine throws while it takes the reply in is
 * not lost.
 */
final class Reply<T> extends CompletableFuture<T> {

    private final int number;
    private final Consumer<Throwable> errors;

    Reply(int number, Consumer<Throwable> errors) {
        this.number = number;
        this.errors = errors;
    }

    @Override
    public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
        return super.whenComplete((value, failure) -> {
            try {
                action.accept(value, failure);
            } catch (Throwable e) {
                errors.accept(e);
                throw e;
            }
        });
    }

    @Override
    public int hashCode() {
        return number;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }
}
