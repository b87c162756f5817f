package dev.interlock.quorum;

import dev.interlock.LeaseTerm;
import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Claims that a majority of several independent stores holds: locks that outlive the failure of a minority of the
 * stores.
 *
 * <pre>{@code
 * LockStore quorum = QuorumStore.over(List.of(RedisStore.at("redis://a"), RedisStore.at("redis://b"), RedisStore.at("redis://c")));
 * try (Interlock interlock = Interlock.builder(quorum).build()) { ... }
 * }</pre>
 *
 * <p><b>What it promises, and what not.</b> All stores are asked at once. A lock is held if a majority granted it, and
 * confirmed its fence, within the lease; it is renewed if a majority renewed it, and lost when no majority can have it
 * any more. Whatever a minority granted goes back, also where no answer came. Fences increase over all majorities, as
 * long as no store forgets. A store that forgets what it held (a server that restarts without its data, and a replica
 * that is promoted without the last writes) must stay away for a lease, or its vote counts for two: the stores must be
 * independent, and keep what they promised.
 *
 * <p>A store that ends claims with its client's session, as ZooKeeper does, forgets a fence when the client closes that
 * wrote it. A minority may be such stores: then fences increase over all majorities of clients that are open, and
 * beyond that as far as the clocks agree from which the other stores count. More are refused with an
 * {@link UnsupportedOperationException} as soon as they have granted.
 *
 * <p>It takes three round trips to acquire, one to renew or release. It has the plain lock: no fair one, and no other
 * kind. Beside each lock the stores keep a claim whose name begins with {@code interlock-fence:}, for an hour after the
 * lease of its name has ended, and at most two.
 */
public final class QuorumStore implements LockStore, LockCatalog {

    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private static final int FEWEST = 3;

    private final Nodes nodes;
    private final FenceRegister register;
    private final Withdrawal withdrawal;
    private final Survey survey;

    /** The claims of this client that may stand in the stores. */
    private final Map<Claim, Ballot> ballots = new ConcurrentHashMap<>();

    private QuorumStore(List<LockStore> stores, Duration timeout) {
        this.nodes = new Nodes(stores, timeout);
        this.register = new FenceRegister(nodes);
        this.withdrawal = new Withdrawal(nodes);
        this.survey = new Survey(nodes);
    }

    /**
     * A majority of these stores, each of which has half a second for an answer. Throws as {@link #over(List,
     * Duration)}.
     */
    public static QuorumStore over(List<? extends LockStore> stores) {
        return over(stores, TIMEOUT);
    }

    /**
     * A majority of these stores. Closing it closes them.
     *
     * @param stores an odd number, three or more, none twice, of which no two fail together; the same for all clients
     * @param timeout how long each may take for an answer; for an acquire at most a tenth of the lease
     * @throws IllegalArgumentException if there are fewer than three stores, an even number, or one comes twice; or the
     *     time-out is not positive
     */
    public static QuorumStore over(List<? extends LockStore> stores, Duration timeout) {
        if (stores.size() < FEWEST || stores.size() % 2 == 0) {
            throw new IllegalArgumentException(
                    "A quorum needs an odd number of stores, " + FEWEST + " or more: " + stores.size());
        }
        IdentityHashMap<LockStore, Integer> seen = new IdentityHashMap<>();
        for (LockStore store : stores) {
            int number = seen.size() + 1;
            Integer before = seen.put(store, number);
            if (before != null) {
                throw new IllegalArgumentException("The stores of a quorum must be independent: number " + before
                        + " and number " + number + " are the same, " + store);
            }
        }
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LeaseTerm.MAX) > 0) {
            throw new IllegalArgumentException(
                    "The time-out of a store must be positive and at most " + LeaseTerm.MAX + ": " + timeout);
        }
        return new QuorumStore(List.copyOf(stores), timeout);
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        if (claim.mode() instanceof Mode.Ask) {
            return CompletableFuture.failedFuture(Mode.Ask.refusal(claim.id()));
        }
        if (claim.id().kind() != LockKind.LOCK || !claim.mode().equals(Mode.exclusive())) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException(
                    "A quorum has plain locks only, not " + claim.id().kind() + " (" + claim.mode() + "): '"
                            + claim.id().name() + "'"));
        }
        Ballot ballot = ballots.computeIfAbsent(claim, key -> ballot(claim.owner()));
        CompletableFuture<Attempt> attempt = new Election(nodes, register, ballot, claim, replaced(claim)).run();
        return attempt.thenApply(answer -> {
            if (answer instanceof Attempt.Busy && claim.waited() == null) {
                // Nothing of it stands anywhere.
                ballots.remove(claim, ballot);
            }
            return answer;
        });
    }

    private @Nullable Ballot replaced(Claim claim) {
        OwnerId earlier = claim.replaces();
        if (earlier == null) {
            return null;
        }
        Ballot known = ballots.remove(Owners.rename(claim, earlier));
        return known == null ? ballot(earlier) : known;
    }

    private Ballot ballot(OwnerId owner) {
        return new Ballot(owner, nodes.size());
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        Ballot ballot = claim.forced() ? null : ballots.get(claim);
        if (ballot == null) {
            return withdrawal.releaseFound(claim);
        }
        CompletableFuture<Boolean> released = withdrawal.release(claim, ballot);
        return released.whenComplete((held, failure) -> {
            boolean ended = failure == null && !held && ballot.fence() > 0;
            if (failure == null && !ended) {
                ballots.remove(claim, ballot);
            } else {
                // Asked again, it remembers who has answered, and under which owners the stores know what ended it;
                // after its lease nobody asks any more.
                Later.soon(claim.lease().multipliedBy(2)).execute(() -> ballots.remove(claim, ballot));
            }
        });
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        if (claims.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        return new Census(nodes, claims, claim -> {
                    Ballot known = ballots.get(claim);
                    return known == null ? ballot(claim.owner()) : known;
                })
                .take();
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return survey.inspect(id);
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return survey.list(prefix, limit);
    }

    @Override
    public void onWake(Consumer<Wake> listener) {
        WakeCount count = new WakeCount(nodes.majority(), listener);
        for (LockStore node : nodes.all()) {
            node.onWake(wake -> {
                // Who asks one of the stores has not asked the quorum.
                if (!wake.asked()) {
                    OwnerId owner = wake.owner();
                    count.wake(new Wake(wake.id(), owner == null ? null : Owners.outside(owner)));
                }
            });
        }
    }

    @Override
    public void close() {
        nodes.close();
        nodes.all().forEach(LockStore::close);
    }
}
