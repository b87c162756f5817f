package dev.interlock.quorum;

import dev.interlock.LeaseTerm;
import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store that is a majority of several independent stores: its locks survive the failure of a minority of the stores.
 *
 * <pre>{@code
 * LockStore quorum = QuorumStore.over(
 *     List.of(RedisStore.at("redis://a"), RedisStore.at("redis://b"), RedisStore.at("redis://c")));
 * try (Interlock interlock = Interlock.builder(quorum).build()) { ... }
 * }</pre>
 *
 * <p><b>Guarantees.</b> All stores are requested at once. A lock is held if a majority has granted it, and has
 * confirmed its fence, within the lease. It is renewed if a majority has renewed it, and lost if no majority can have
 * it any more. Grants of a minority are released, also in stores that have not answered. Fences increase over all
 * majorities as long as no store forgets. A store that has forgotten its claims (a server that restarts without its
 * data, or a replica that is promoted without the last writes) must stay away for the length of a lease; otherwise it
 * counts twice. The stores must be independent and durable.
 *
 * <p>A store that ends claims with its client's session, as ZooKeeper does, forgets a fence when the client that wrote
 * it closes. A minority may be such stores: then fences increase over all majorities of clients that are open, and
 * beyond that as far as the clocks of the other stores agree. If more are such stores, the quorum refuses the lock with
 * an {@link UnsupportedOperationException} as soon as they have granted.
 *
 * <p>An acquire takes three round trips; a renewal or a release takes one. There are only plain locks, neither fair
 * ones nor other kinds. Beside each lock the stores keep a claim whose name begins with {@code interlock-fence:}, from
 * one to two hours after the lease of its name has ended.
 */
public final class QuorumStore implements LockStore, LockCatalog {

    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private static final int FEWEST = 3;

    private final Nodes nodes;
    private final FenceRegister register;
    private final QuorumRelease release;
    private final QuorumInspection inspection;

    /** The claims of this client that may be in the stores. */
    private final Map<Claim, QuorumClaim> claims = new ConcurrentHashMap<>();

    private QuorumStore(List<LockStore> stores, Duration timeout, QuorumTime time) {
        this.nodes = new Nodes(stores, timeout, time);
        this.register = new FenceRegister(nodes);
        this.release = new QuorumRelease(nodes);
        this.inspection = new QuorumInspection(nodes);
    }

    /**
     * A majority of these stores, each of which may take half a second to answer. Throws as {@link #over(List,
     * Duration)}.
     */
    public static QuorumStore over(List<? extends LockStore> stores) {
        return over(stores, TIMEOUT);
    }

    /**
     * A majority of these stores. Closing the quorum closes them.
     *
     * @param stores an odd number of different stores, three or more, of which no two fail together. All clients must
     *     use the same stores
     * @param timeout how long each store may take to answer; for an acquire a tenth of the lease at most
     * @throws IllegalArgumentException if there are fewer than three stores, or an even number, or one is there twice;
     *     or if the timeout is not positive
     */
    public static QuorumStore over(List<? extends LockStore> stores, Duration timeout) {
        return over(stores, timeout, QuorumTime.SYSTEM);
    }

    /** The same, by a clock of its own. */
    static QuorumStore over(List<? extends LockStore> stores, Duration timeout, QuorumTime time) {
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
        return new QuorumStore(List.copyOf(stores), timeout, time);
    }

    /**
     * The plain lock; listing if a majority can list; and leaving a lock to lapse if all can, since whichever majority
     * holds it has to keep it.
     */
    @Override
    public Set<Capability> capabilities() {
        Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
        if (nodesWith(Capability.LISTING) >= nodes.majority()) {
            capabilities.add(Capability.LISTING);
        }
        if (nodesWith(Capability.LAPSE) == nodes.size()) {
            capabilities.add(Capability.LAPSE);
        }
        return capabilities;
    }

    private long nodesWith(Capability capability) {
        return nodes.all().stream()
                .filter(node -> node.capabilities().contains(capability))
                .count();
    }

    /** Whether a majority is connected. */
    @Override
    public boolean isConnected() {
        return nodes.areConnected();
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        QuorumClaim known = claims.computeIfAbsent(claim, this::newClaim);
        CompletableFuture<Attempt> attempt = new QuorumAcquire(nodes, register, known, claim, replaced(claim)).run();
        return attempt.thenApply(answer -> {
            if (answer instanceof Attempt.Busy && claim.waited() == null) {
                // It is in no store.
                claims.remove(claim, known);
            }
            return answer;
        });
    }

    /** There are only plain locks, and nobody to be asked. */
    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return CompletableFuture.failedFuture(Capability.neededFor(command.action())
                .refusal(this, command.id().name()));
    }

    private @Nullable QuorumClaim replaced(Claim claim) {
        OwnerId earlier = claim.replaces();
        if (earlier == null) {
            return null;
        }
        Claim replaced = Owners.withOwner(claim, earlier);
        QuorumClaim known = claims.remove(replaced);
        return known == null ? newClaim(replaced) : known;
    }

    private QuorumClaim newClaim(Claim claim) {
        return new QuorumClaim(claim, nodes.size());
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        QuorumClaim known = claim.forced() ? null : claims.get(claim);
        if (known == null) {
            return release.releaseFound(claim);
        }
        if (claim.lapses() && known.renewsRegister(claim.lease())) {
            register.renew(claim, known.fence());
        }
        CompletableFuture<Boolean> released = release.release(claim, known);
        return released.whenComplete((held, failure) -> {
            boolean ended = failure == null && !held && known.fence() > 0;
            if (failure == null && !ended) {
                claims.remove(claim, known);
            } else {
                // If the release is repeated, the claim's state says which stores have answered, and what the owners in
                // the stores are. After the lease nobody repeats it.
                nodes.time().upTo(claim.lease().multipliedBy(2)).execute(() -> claims.remove(claim, known));
            }
        });
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> renewed) {
        if (renewed.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        return QuorumRenewal.start(nodes, renewed, claim -> {
            QuorumClaim known = claims.get(claim);
            return known == null ? newClaim(claim) : known;
        });
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return inspection.inspect(id);
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return inspection.list(prefix, limit);
    }

    @Override
    public void onWake(Consumer<Wake> listener) {
        WakeCount count = new WakeCount(nodes.majority(), listener, nodes.time());
        for (LockStore node : nodes.all()) {
            node.onWake(wake -> {
                // A request to revoke a claim in one store is no request to the quorum.
                if (!(wake instanceof Wake.Requested)) {
                    OwnerId owner = wake.owner();
                    count.wake(new Wake.Changed(wake.id(), owner == null ? null : Owners.ofQuorum(owner)));
                }
            });
        }
    }

    @Override
    public void close() {
        nodes.close();
        nodes.all().forEach(LockStore::close);
    }

    /** The stores. */
    @Override
    public String toString() {
        return "QuorumStore" + nodes.all();
    }
}
