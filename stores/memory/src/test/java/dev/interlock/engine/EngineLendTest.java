package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which callers lend their thread to the store, and what happens while it keeps one for too long. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineLendTest {

    private static final Duration ATTEMPT_TIMEOUT = Duration.ofMinutes(5);

    /** Runs out where a thread is kept. */
    private static final Duration BRIEF = Duration.ofMillis(200);

    private final LendingStore store = new LendingStore();
    private final Interlock client = Interlock.builder(store)
            .attemptTimeout(ATTEMPT_TIMEOUT)
            .storeTimeout(ATTEMPT_TIMEOUT)
            .build();
    private final DistributedLock lock = client.lock("n");

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void lockAndUnlock_lend() {
        lock.lock();
        lock.unlock();

        assertThat(store.verbs).containsExactly("lent acquire", "lent release");
        assertThat(store.patience).containsOnly(ATTEMPT_TIMEOUT);
    }

    @Test
    void aThreadIsLentForNoLongerThanTheStoreMayTake() {
        Duration less = ATTEMPT_TIMEOUT.dividedBy(2);
        LendingStore other = new LendingStore();
        try (Interlock hasty = Interlock.builder(other)
                .attemptTimeout(ATTEMPT_TIMEOUT)
                .storeTimeout(less)
                .build()) {
            hasty.lock("n").lock();
        }
        assertThat(other.patience).contains(less).doesNotContain(ATTEMPT_TIMEOUT);
    }

    /** What is within the process already costs nothing, and lends nothing. */
    @Test
    void reentry_asksNothing() {
        lock.lock();
        lock.lock();
        lock.unlock();

        assertThat(store.verbs).containsExactly("lent acquire");
        lock.unlock();
    }

    /** Whoever has a limit of time, or can be interrupted, or does not wait at all, keeps the thread. */
    @Test
    void otherCallers_doNotLend() throws InterruptedException {
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        assertThat(lock.tryLock(ATTEMPT_TIMEOUT)).isTrue();
        lock.unlock();
        lock.lockInterruptibly();
        lock.unlock();
        lock.acquire().close();
        lock.tryAcquire().orElseThrow().close();
        lock.acquireAsync()
                .thenCompose(Lease::releaseAsync)
                .toCompletableFuture()
                .join();

        assertThat(store.verbs)
                .filteredOn(verb -> verb.endsWith("acquire"))
                .hasSize(6)
                .containsOnly("acquire");
        assertThat(store.verbs)
                .filteredOn(verb -> verb.endsWith("release"))
                .startsWith("lent release")
                .endsWith("release")
                .hasSize(6);
    }

    /** Only the first question: who waits is asked for by the supervisor and by wakes. */
    @Test
    void aWaiter_lendsOnce() {
        LendingStore neighbour = new LendingStore(store.session());
        try (Interlock other = Interlock.builder(neighbour)
                .attemptTimeout(ATTEMPT_TIMEOUT)
                .storeTimeout(ATTEMPT_TIMEOUT)
                .build()) {
            lock.lock();
            CompletableFuture<Void> waited = CompletableFuture.runAsync(() -> {
                other.lock("n").lock();
                other.lock("n").unlock();
            });
            await().until(() -> !lock.inspect().waiters().isEmpty());
            lock.unlock();
            waited.join();
        }
        assertThat(neighbour.verbs).startsWith("lent acquire", "acquire").endsWith("lent release");
        assertThat(neighbour.verbs.stream().filter("lent acquire"::equals)).hasSize(1);
    }

    /**
     * The engine has given the request up, and acquired by another: the caller gets that, and nothing of the first is
     * left.
     */
    @Test
    void aThreadThatIsKeptTooLong_getsWhatWasAcquiredMeanwhile() {
        CountDownLatch silence = new CountDownLatch(1);
        store.keep(silence);
        Interlock hasty = Interlock.builder(store).attemptTimeout(BRIEF).build();
        DistributedLock lock = hasty.lock("n");
        CompletableFuture<Boolean> held = CompletableFuture.supplyAsync(() -> {
            lock.lock();
            boolean valid = lock.heldLease().isValid();
            lock.unlock();
            return valid;
        });
        await().until(() -> store.verbs.stream().filter("acquire"::equals).count() >= 1);
        await().until(lock::isLocked);
        silence.countDown();

        assertThat(held.join()).isTrue();
        await().until(() -> !lock.isLocked());
        hasty.close();
    }

    /** The engine has sent another release meanwhile; the first is still answered. */
    @Test
    void aThreadThatIsKeptTooLong_hasReleasedAnyway() {
        CountDownLatch silence = new CountDownLatch(1);
        Interlock hasty = Interlock.builder(store).attemptTimeout(BRIEF).build();
        DistributedLock lock = hasty.lock("n");
        CompletableFuture<Void> pair = CompletableFuture.runAsync(() -> {
            lock.lock();
            // Should this thread have stood still for that long, the acquire was given up and repeated.
            store.verbs.clear();
            store.keep(silence);
            lock.unlock();
        });
        await().until(() -> store.verbs.contains("lent release") && store.verbs.contains("release"));
        silence.countDown();
        pair.join();

        assertThat(store.verbs).startsWith("lent release", "release");
        await().until(() -> !lock.isLocked());
        hasty.close();
    }

    /**
     * Notes what is asked, and whether on a thread that is lent; the store may keep such a thread, after it has done
     * what was asked.
     */
    private static final class LendingStore extends ForwardingStore {
        private final MemoryStore memory;
        private final ThreadLocal<Boolean> lent = ThreadLocal.withInitial(() -> false);
        private final List<String> verbs = new CopyOnWriteArrayList<>();
        private final List<Duration> patience = new CopyOnWriteArrayList<>();
        private volatile CountDownLatch silence = new CountDownLatch(0);

        LendingStore() {
            this(new MemoryStore());
        }

        private LendingStore(MemoryStore memory) {
            super(memory);
            this.memory = memory;
        }

        MemoryStore session() {
            return memory.session();
        }

        /** From now on a thread that is lent comes back when this is over. */
        void keep(CountDownLatch until) {
            silence = until;
        }

        @Override
        public <T> CompletionStage<T> lend(Duration limit, Supplier<CompletionStage<T>> verb) {
            patience.add(limit);
            lent.set(true);
            CompletionStage<T> answer;
            try {
                answer = verb.get();
            } finally {
                lent.set(false);
            }
            try {
                silence.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return answer;
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            verbs.add(lent.get() ? "lent acquire" : "acquire");
            return super.acquire(claim);
        }

        @Override
        public CompletionStage<Boolean> release(Claim claim) {
            verbs.add(lent.get() ? "lent release" : "release");
            return super.release(claim);
        }
    }
}
