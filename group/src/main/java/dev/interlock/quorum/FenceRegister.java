package dev.interlock.quorum;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Tether;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The largest fence of a name, in a majority of the stores: a claim beside the lock, whose owner ends with the fence.
 * It is changed by a claim that replaces the one that was read, so that nobody overwrites what another has written
 * since.
 *
 * <p>Why it is needed: each store counts for itself. The fence of a claim is the largest of those that its majority
 * gave, and a later majority need not contain the store that gave it. But it does contain a store in which the earlier
 * holder wrote the fence here, before it held. So the later one reads it, after its claim stands there, and takes a
 * larger one.
 */
final class FenceRegister {

    /** How the names of registers begin. */
    static final String PREFIX = "interlock-fence:";

    /** How long a register outlives the lease of its lock at least. */
    static final Duration LIFE = Duration.ofHours(1);

    /**
     * It is written again when the thirds of the leases since it was written come to so much. The last of these leases
     * may run to its end.
     */
    static final Duration RENEWED_AFTER = LIFE.dividedBy(4);

    private final Nodes nodes;

    /** The stores whose claims hang on a session, as far as that is known. */
    private final Set<Integer> forgetful = ConcurrentHashMap.newKeySet();

    FenceRegister(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Learns what a claim hangs on in a store: if it is the client's session, a register there ends with the client
     * that wrote it.
     */
    void learn(int store, Tether tether) {
        if (tether != Tether.NONE) {
            forgetful.add(store);
        }
    }

    /**
     * Why no fence is given: there may be a majority without any register, and counts that fall. Null if there is not.
     */
    @Nullable
    UnsupportedOperationException refusal(LockId id) {
        return forgetful.size() < nodes.majority()
                ? null
                : new UnsupportedOperationException(
                        "In a quorum at most " + (nodes.majority() - 1) + " of " + nodes.size()
                                + " stores may end claims with their client's session, as ZooKeeper does, or tokens would not increase: "
                                + forgetful.size() + " do; lock '" + id.name() + "' not acquired");
    }

    /** The register of a name. */
    static LockId of(LockId id) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(id.name().getBytes(UTF_8));
            return LockId.lock(PREFIX + HexFormat.of().formatHex(hash));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JVM has SHA-256", e);
        }
    }

    /** The fence that a register shows; 0 if it is empty. */
    static long fence(LockStatus register) {
        OwnerId owner = owner(register);
        if (owner == null) {
            return 0;
        }
        try {
            return Long.parseLong(owner.value().substring(owner.value().lastIndexOf(':') + 1));
        } catch (NumberFormatException e) {
            // A stranger's lock of this name: it counts as empty, and cannot be replaced by mistake.
            return 0;
        }
    }

    /**
     * Chooses a fence for a claim that stands in these stores, and writes it there.
     *
     * @param granted the fences that these stores gave, by the number of the store
     * @return the fence, larger than all before; fails if no majority has it
     */
    CompletableFuture<Long> raise(Claim claim, Map<Integer, Long> granted) {
        LockId register = of(claim.id());
        Duration patience = nodes.patience(claim.lease());
        CompletableFuture<Map<Integer, LockStatus>> read = Poll.take(
                nodes.ask(
                        patience,
                        store -> granted.containsKey(store) ? nodes.get(store).inspect(register) : absent()),
                count -> count.answered() >= nodes.majority() ? byStore(count.answers()) : null);
        return read.thenCompose(registers -> {
            long fence = Math.max(largest(granted.values()), 1 + largestOf(registers.values()));
            return write(claim, registers, fence);
        });
    }

    /**
     * The register as a claim writes it that is held with this fence; it outlives the lease, and those that are renewed
     * without it.
     */
    static Claim written(Claim claim, long fence) {
        OwnerId owner = OwnerId.of(claim.owner().clientId(), fence);
        return Claim.of(
                of(claim.id()), owner, LIFE.plus(RENEWED_AFTER.multipliedBy(3)).plus(claim.lease()), claim.party());
    }

    private CompletableFuture<Long> write(Claim claim, Map<Integer, LockStatus> seen, long fence) {
        Claim written = written(claim, fence);
        return Poll.take(
                nodes.ask(nodes.patience(claim.lease()), store -> {
                    LockStatus before = seen.get(store);
                    return before == null ? absent() : nodes.get(store).acquire(written.replacing(owner(before)));
                }),
                count -> count.of(Attempt.Granted.class::isInstance) >= nodes.majority() ? fence : null);
    }

    private static @Nullable OwnerId owner(LockStatus register) {
        List<LockStatus.Holder> holders = register.holders();
        return holders.isEmpty() ? null : new OwnerId(holders.get(0).owner());
    }

    private static <T> Map<Integer, T> byStore(List<@Nullable T> answers) {
        Map<Integer, T> byStore = new HashMap<>();
        for (int store = 0; store < answers.size(); store++) {
            T answer = answers.get(store);
            if (answer != null) {
                byStore.put(store, answer);
            }
        }
        return byStore;
    }

    private static <T> CompletionStage<T> absent() {
        return CompletableFuture.failedFuture(new IllegalStateException("The claim does not stand in this store"));
    }

    private static long largest(Collection<Long> fences) {
        return fences.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private static long largestOf(Collection<LockStatus> registers) {
        return registers.stream().mapToLong(FenceRegister::fence).max().orElse(0);
    }
}
