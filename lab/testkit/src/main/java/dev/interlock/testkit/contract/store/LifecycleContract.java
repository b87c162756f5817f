package dev.interlock.testkit.contract.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.StoreClient;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Closing and cancelling. */
interface LifecycleContract extends StoreFixture {

    @Test
    default void close_isIdempotent_beforeAndAfterUse() {
        StoreClient used = client();
        used.hold(clients().lock());

        for (StoreClient client : List.of(client(), used)) {
            assertThatCode(client::close).doesNotThrowAnyException();
            assertThatCode(client::close).doesNotThrowAnyException();
        }
    }

    @Test
    default void close_thenEveryVerbFails_throughItsStage() {
        StoreClient a = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);
        LockStore store = a.store();

        a.close();

        assertFails(store.acquire(a.claim(lock)));
        assertFails(store.acquire(held));
        assertFails(store.release(held));
        assertFails(store.renew(List.of(held)));
        assertFails(store.inspect(lock));
        if (store instanceof LockCatalog catalog) {
            assertFails(catalog.list("", 1));
        }
    }

    /** None is left without an answer: who waits for one would wait as long as for a silent store. */
    @Test
    default void close_endsEveryVerb_thatIsUnderWay() throws Exception {
        for (int round = 0; round < 5; round++) {
            StoreClient a = client();
            LockId lock = clients().lock();
            Claim claim = a.claim(lock);
            assertThat(a.inspect(lock).isLocked()).isFalse();
            Queue<CompletableFuture<?>> stages = new ConcurrentLinkedQueue<>();
            AtomicBoolean closed = new AtomicBoolean();
            List<Thread> callers = Stream.<Supplier<CompletionStage<?>>>of(
                            () -> a.store().inspect(lock), () -> a.store().acquire(claim))
                    .map(verb -> new Thread(() -> {
                        for (int i = 0; i < 200 && !closed.get(); i++) {
                            stages.add(verb.get().toCompletableFuture());
                        }
                    }))
                    .toList();
            callers.forEach(Thread::start);
            int begun = 20 * round;
            await().until(() -> stages.size() > begun);
            a.close();
            closed.set(true);
            for (Thread caller : callers) {
                caller.join();
            }
            await().until(() -> stages.stream().allMatch(CompletableFuture::isDone));
        }
    }

    /** A process that ends has not released anything; nor does it harm others. */
    @Test
    default void close_leavesTheClaim_andTheOtherClients() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        LockId others = clients().lock();
        Claim held = a.hold(lock);
        Claim ofB = b.hold(others);

        a.close();

        assertThat(b.holder(lock).owner()).isEqualTo(held.owner().value());
        assertThat(b.renew(ofB)).isEqualTo(Renewal.HELD);
        assertThat(b.release(held)).isTrue();
    }

    /** I7: whether the request was sent or not, a release by the owner ends what came of it. */
    @Test
    default void cancel_ofAnAcquire_doesNoHarm() {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = clients().lock();
        for (int i = 0; i < 50; i++) {
            Claim claim = a.claim(lock);
            CompletableFuture<Attempt> asked = a.store().acquire(claim).toCompletableFuture();
            asked.cancel(true);
            a.release(claim);
        }

        await().until(() -> !b.inspect(lock).isLocked());
        Claim next = b.hold(lock);
        assertThat(b.release(next)).isTrue();
    }

    @Test
    default void cancel_ofOtherVerbs_leavesTheStoreUsable() {
        StoreClient a = client();
        LockId lock = clients().lock();
        Claim held = a.hold(lock);

        for (int i = 0; i < 20; i++) {
            a.store().renew(List.of(held)).toCompletableFuture().cancel(true);
            a.store().inspect(lock).toCompletableFuture().cancel(true);
        }

        assertThat(a.renew(held)).isEqualTo(Renewal.HELD);
        a.store().release(held).toCompletableFuture().cancel(true);
        a.release(held);
        await().until(() -> !a.inspect(lock).isLocked());
    }

    /** Cancelling one answer does not cancel another. */
    @Test
    default void stages_areSeparate() {
        StoreClient a = client();
        Claim cancelled = a.claim(clients().lock());
        Claim claim = a.claim(clients().lock());

        Attempt attempt = StoreClient.repeated(() -> {
            CompletionStage<Attempt> one = a.store().acquire(cancelled);
            CompletionStage<Attempt> two = a.store().acquire(claim);
            one.toCompletableFuture().cancel(true);
            return two;
        });

        assertThat(attempt).isInstanceOf(Attempt.Granted.class);
    }

    private static void assertFails(CompletionStage<?> stage) {
        assertThat(stage.toCompletableFuture())
                .failsWithin(Patience.limit())
                .withThrowableOfType(ExecutionException.class);
    }
}
