package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Passing the lease on inside the process, and its bounds. Invariants I1, I3, I5, I6. */
// A caller that is never told would hang in join(), which no interrupt ends: so in a thread of its own.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineHandOverTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final Simulation one = Simulation.start();
    private final Simulation two = one.neighbour();

    @Test
    void passesInTheOrderOfArrivalWithoutTheStoreAndWithLargerTokens() {
        List<CompletableFuture<Lease>> callers =
                callers(one, LockOptions.builder().handOver(1023, LONG).build(), 50);
        one.store.forgetRequests();
        List<Long> tokens = releaseAll(callers);
        assertThat(tokens).isSorted().doesNotHaveDuplicates().hasSize(50);
        assertThat(one.store.count(Verb.ACQUIRE)).isZero();
        assertThat(one.store.count(Verb.RELEASE)).as("the last one").isEqualTo(1);
        assertAtRest();
    }

    /** Whoever knows the id relies on it for this lease: the next one has another. */
    @Test
    void aClaimWhoseIdIsKnownIsNotPassedOn() {
        Lease first = one.acquire("n").join();
        CompletableFuture<Lease> next = one.acquire("n");
        String id = first.id();
        assertThat(id)
                .isEqualTo(
                        one.store.requests(Verb.ACQUIRE).get(0).claim().owner().value());
        first.close();
        assertThat(next.join().id()).isNotEqualTo(id);
    }

    @Test
    void afterSoManyHandOversTheClaimIsReplacedInOneRequest() {
        List<CompletableFuture<Lease>> callers =
                callers(one, LockOptions.builder().handOver(4, LONG).build(), 13);
        one.store.forgetRequests();
        List<Long> tokens = releaseAll(callers);
        // The first claim serves 5 callers, and so does each that replaces it.
        assertThat(one.store.requests(Verb.ACQUIRE))
                .hasSize(2)
                .allMatch(r -> r.claim().replaces() != null);
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertThat(tokens.stream().map(t -> t % 1024)).allMatch(index -> index <= 4);
        assertAtRest();
    }

    @Test
    void afterSoLongTheClaimIsReplaced() {
        LockOptions options =
                LockOptions.builder().handOver(1023, Duration.ofMillis(10)).build();
        List<CompletableFuture<Lease>> callers = callers(one, options, 3);
        one.advance(Duration.ofMillis(9));
        callers.get(0).join().close();
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(1);
        one.advance(Duration.ofMillis(1));
        callers.get(1).join().close();
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
        assertThat(callers.get(2).join().token())
                .isGreaterThan(callers.get(1).join().token());
        callers.get(2).join().close();
        assertAtRest();
    }

    /** I5: another client's turn comes after the bound, though callers of ours have waited longer. */
    @Test
    void othersInTheStoreGetTheirTurn() {
        List<CompletableFuture<Lease>> ours =
                callers(one, LockOptions.builder().handOver(1, LONG).build(), 4);
        CompletableFuture<Lease> theirs = two.acquire("n");
        ours.get(0).join().close();
        ours.get(1).join().close();
        assertThat(ours.get(2)).isNotDone();
        assertThat(theirs).isCompleted();
        assertThat(theirs.join().token()).isGreaterThan(ours.get(1).join().token());
        theirs.join().close();
        assertThat(ours.get(2)).isCompleted();
        assertThat(ours.get(2).join().token()).isGreaterThan(theirs.join().token());
        ours.get(2).join().close();
        ours.get(3).join().close();
        assertAtRest();
    }

    /** P13: at most two requests for each turn of a client, whoever else waits. */
    @Test
    void P13_aTurnCostsTwoRequests() {
        LockOptions noHandOver =
                LockOptions.builder().handOver(0, Duration.ZERO).build();
        List<Simulation> clients = new ArrayList<>(List.of(one, two));
        for (int i = 0; i < 6; i++) {
            clients.add(one.neighbour());
        }
        List<CompletableFuture<Lease>> callers = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            clients.forEach(c -> callers.addAll(callers(c, noHandOver, 1)));
        }
        int done = 0;
        while (done < callers.size()) {
            CompletableFuture<Lease> holder = callers.stream()
                    .filter(c -> c.isDone() && c.join().isValid())
                    .findFirst()
                    .orElseThrow();
            holder.join().close();
            done++;
        }
        int requests = clients.stream()
                .mapToInt(c -> c.store.count(Verb.ACQUIRE) + c.store.count(Verb.RELEASE))
                .sum();
        assertThat(requests).isLessThanOrEqualTo(2 * callers.size() + clients.size());
    }

    @Test
    void aFixedLeaseHasItsFullLengthAndAClaimOfItsOwn() {
        LockOptions unbounded = LockOptions.builder().handOver(1023, LONG).build();
        CompletableFuture<Lease> first = one.acquire("n");
        CompletableFuture<Lease> second = one.lock("n", unbounded)
                .acquireAsync(LeaseTerm.fixed(Duration.ofSeconds(30)))
                .toCompletableFuture();
        one.advance(Duration.ofSeconds(9));
        first.join().close();
        assertThat(second.join().remaining()).isEqualTo(Duration.ofMillis(29_698));
        assertThat(second.join().token()).isGreaterThan(first.join().token());
    }

    /**
     * Should the next holder die, others wait for as long as its own term says, and not for what the one before has
     * asked for.
     */
    @Test
    void aClaimThatWasExtendedDoesNotPassOn() {
        Lease first = one.acquire("n").join();
        CompletableFuture<Lease> second = one.acquire("n");
        first.extend(Duration.ofHours(1));
        first.close();
        assertThat(second.join().remaining()).isLessThan(Duration.ofSeconds(30));
        one.advance(Duration.ofSeconds(10));
        assertThat(one.store.requests(Verb.RENEW).get(1).claim().lease())
                .as("the first request extended it")
                .isEqualTo(Duration.ofSeconds(30));
        second.join().close();
        assertAtRest();
    }

    @Test
    void aReplacementWhoseAnswerIsLostLeavesNothing() {
        List<CompletableFuture<Lease>> callers =
                callers(one, LockOptions.builder().handOver(0, LONG).build(), 2);
        one.store.road(Road.LOSE_REQUESTS, Verb.ACQUIRE);
        callers.get(0).join().close();
        one.advance(Simulation.ATTEMPT_TIMEOUT.plusMillis(2));
        assertThat(one.inspect("n").isLocked())
                .as("the earlier claim is taken back")
                .isFalse();
        one.store.road(Road.OPEN);
        one.advance(Duration.ofSeconds(1));
        callers.get(1).join().close();
        one.advance(Duration.ofSeconds(31));
        assertAtRest();
    }

    @Test
    void whoLeavesTheQueueIsPassedOver() {
        List<CompletableFuture<Lease>> callers = callers(one, LockOptions.defaults(), 3);
        callers.get(1).cancel(false);
        callers.get(0).join().close();
        assertThat(callers.get(2)).isCompleted();
        callers.get(2).join().close();
        assertAtRest();
    }

    private static List<CompletableFuture<Lease>> callers(Simulation client, LockOptions options, int count) {
        List<CompletableFuture<Lease>> callers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            callers.add(client.lock("n", options).acquireAsync().toCompletableFuture());
        }
        return callers;
    }

    /** Each in turn; returns the tokens. */
    private static List<Long> releaseAll(List<CompletableFuture<Lease>> callers) {
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < callers.size(); i++) {
            assertThat(callers.get(i)).as("caller " + i).isCompleted();
            if (i + 1 < callers.size()) {
                assertThat(callers.get(i + 1)).isNotDone();
            }
            Lease lease = callers.get(i).join();
            assertThat(lease.isValid()).isTrue();
            tokens.add(lease.token());
            lease.close();
        }
        return tokens;
    }

    private void assertAtRest() {
        assertThat(one.isAtRest()).isTrue();
        assertThat(two.isAtRest()).isTrue();
        assertThat(one.inspect("n").isLocked()).isFalse();
        assertThat(one.inspect("n").waiters()).isEmpty();
    }
}
