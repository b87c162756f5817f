package dev.interlock.micronaut;

import dev.interlock.Lease;
import dev.interlock.annotation.Locked;
import jakarta.inject.Singleton;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A bean whose methods run a body under the lock of an order. */
@Singleton
class Orders {

    record Order(String id) {}

    @Retention(RetentionPolicy.RUNTIME)
    @Locked(value = "order:7", waitAtMost = "0s")
    @interface TheSeventh {}

    @Locked("order:{id}")
    <T> T run(String id, Callable<T> body) throws Exception {
        return body.call();
    }

    @Locked(value = "order:{order.id}", waitAtMost = "0s")
    @Nullable
    Lease leaseOf(Order order, @Nullable Lease lease) {
        return lease;
    }

    @Locked(value = "order:{id}", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
    List<String> skip(String id) {
        return List.of("ran");
    }

    @Locked(value = "order:{id}", waitAtMost = "0s", onBusy = Locked.OnBusy.FALLBACK, fallback = "late")
    String instead(String id) {
        return "ran";
    }

    String late(String id) {
        return "instead of " + id;
    }

    @Locked(value = "order:{id}", waitAtMost = "0s")
    CompletableFuture<String> stage(String id, Supplier<CompletableFuture<String>> body) {
        return body.get();
    }

    @Locked("order:{id}")
    CompletableFuture<String> waitingStage(String id) {
        return CompletableFuture.completedFuture("ran");
    }

    @Locked(value = "order:{id}", waitAtMost = "0s")
    Mono<String> mono(String id, @Nullable Lease lease, Mono<String> body) {
        return body.map(value -> value + " " + (lease != null && lease.isValid()));
    }

    @Locked(value = "order:{id}", waitAtMost = "0s")
    Flux<String> flux(String id, Flux<String> body) {
        return body;
    }

    @Locked("order:7")
    @Locked("order:8")
    <T> T both(Callable<T> body) throws Exception {
        return body.call();
    }

    @TheSeventh
    <T> T seventh(Callable<T> body) throws Exception {
        return body.call();
    }

    <T> T bySelf(String id, Callable<T> body) throws Exception {
        return run(id, body);
    }

    @Locked("${orders.prefix}:{id}")
    <T> T configured(String id, Callable<T> body) throws Exception {
        return body.call();
    }
}
