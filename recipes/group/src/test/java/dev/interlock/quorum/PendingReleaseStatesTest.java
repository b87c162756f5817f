package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.StoreRefusal;
import dev.interlock.testkit.Patience;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is sent in each state of the pending releases of one store, which the test answers. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PendingReleaseStatesTest {

    private static final Duration LEASE = Duration.ofHours(1);

    /** The releases that are sent and not answered, by the owner. */
    private final Map<String, CompletableFuture<Boolean>> open = new ConcurrentHashMap<>();

    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger deepest = new AtomicInteger();
    private volatile boolean answersAtOnce;

    private final LockStore store = (LockStore) Proxy.newProxyInstance(
            PendingReleaseStatesTest.class.getClassLoader(),
            new Class<?>[] {LockStore.class},
            (proxy, method, arguments) -> {
                CompletableFuture<Boolean> answer = new CompletableFuture<>();
                if (answersAtOnce) {
                    answer.complete(true);
                    int depth = StackWalker.getInstance().walk(frames -> Math.toIntExact(frames.count()));
                    deepest.accumulateAndGet(depth, Math::max);
                } else {
                    open.put(((Claim) arguments[0]).owner().value(), answer);
                }
                sent.incrementAndGet();
                return answer;
            });

    private final PendingReleases releases = new PendingReleases(store, Patience.limit(), QuorumTime.SYSTEM);

    @AfterEach
    void close() {
        releases.close();
    }

    private static Claim claim(int number) {
        return Claim.of(LockId.lock("a"), OwnerId.of("client", number), LEASE, Party.UNKNOWN);
    }

    private void add(int first, int last) {
        for (int number = first; number <= last; number++) {
            releases.add(claim(number));
        }
    }

    private CompletableFuture<Boolean> release(int number) {
        return Objects.requireNonNull(open.remove(claim(number).owner().value()));
    }

    /** Whether no more are sent for a time in which a repetition would come. */
    private void assertNoMoreThan(int count) {
        await().during(Duration.ofMillis(300)).until(() -> sent.get() == count);
    }

    @Test
    void answeringStore_hasEightAtATime() {
        add(1, 20);
        assertThat(sent).hasValue(8);
        release(3).complete(true);
        assertThat(sent).hasValue(9);
        release(1).complete(true);
        release(9).complete(true);
        assertThat(sent).hasValue(11);
    }

    @Test
    void silentStore_hasOneAtATime_andEightWhenItAnswers() {
        add(1, 1);
        release(1).completeExceptionally(new IOException("No answer, says the test"));
        add(2, 20);
        await().until(() -> sent.get() == 2);
        assertNoMoreThan(2);
        release(1).complete(true);
        await().until(() -> sent.get() == 10);
        await().until(() -> {
            open.forEach((owner, answer) -> {
                open.remove(owner);
                answer.complete(true);
            });
            return sent.get() == 21;
        });
    }

    @Test
    void refusedRelease_isNotRepeated_andIsAnAnswer() {
        add(1, 2);
        release(1).completeExceptionally(new StoreRefusal("Refused by the test"));
        release(2).completeExceptionally(new UnsupportedOperationException("Refused by the test"));
        add(3, 3);
        assertThat(sent).hasValue(3);
        assertNoMoreThan(3);
    }

    /** Only a claim that was not there, and may still come, can be there later. */
    @Test
    void answeredRelease_isRepeated_ifTheClaimMayStillCome() {
        add(1, 1);
        release(1).complete(false);
        await().until(() -> sent.get() == 2);
        release(1).complete(true);
        releases.repeat(claim(2), true, true, null);
        releases.repeat(claim(3), false, false, null);
        releases.repeat(claim(4), false, true, null);
        releases.repeat(claim(5), true, null, new StoreRefusal("Refused by the test"));
        assertNoMoreThan(2);
        releases.repeat(claim(6), true, false, null);
        await().until(() -> sent.get() == 3);
        release(6).complete(true);
        releases.repeat(claim(7), false, null, new IOException("No answer, says the test"));
        await().until(() -> sent.get() == 4);
        release(7).complete(false);
        assertNoMoreThan(4);
    }

    /** A store that answers at once, in the thread that asks, does not make the stack grow. */
    @Test
    void manyReleases_areSentInALoop() {
        add(1, 1);
        answersAtOnce = true;
        release(1).completeExceptionally(new IOException("No answer, says the test"));
        add(2, 500);
        await().until(() -> sent.get() == 501);
        assertThat(deepest).hasValueLessThan(300);
    }
}
