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
 * The largest fence of a name, in a majority of the stores: a claim beside the lock, whose owner ends with the fence. A
 * write is a claim that replaces the one that was read, so that no client overwrites a later write of another.
 *
 * <p>Each store counts its fences independently. The fence of a claim is the largest that its majority granted, and a
 * later majority need not contain the store that granted it. But it contains a store in whose register the earlier
 * holder wrote the fence before it held the lock. So the later holder reads that fence, after its own claim is in that
 * store, and chooses a larger one.
 */
final class FenceRegister {

    /** The prefix of the names of registers. */
    static final String PREFIX = "interlock-fence:";

    /** The shortest time for which a register outlives the lease of its lock. */
    static final Duration LIFE = Duration.ofHours(1);

    /**
     * A register is written again when the renewals since the last write, each a third of its lease, add up to this.
     * The last of these leases may run to its end.
     */
    static final Duration RENEWED_AFTER = LIFE.dividedBy(4);

    private final Nodes nodes;

    /** The stores whose claims end with a session, as far as that is known. */
    private final Set<Integer> forgetful = ConcurrentHashMap.newKeySet();

    FenceRegister(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Learns the tether of a claim in a store. If it is the client's session, a register there ends with the client
     * that wrote it.
     */
    void learn(int store, Tether tether) {
        if (tether != Tether.NONE) {
            forgetful.add(store);
        }
    }

    /** The exception if a majority may lose its registers, and fences could decrease; otherwise null. */
    @Nullable
    UnsupportedOperationException refusal(LockId id) {
        return forgetful.size() < nodes.majority()
                ? null
                : new UnsupportedOperationException(
                        "In a quorum at most " + (nodes.majority() - 1) + " of " + nodes.size()
                                + " stores may end claims with their client's session, as ZooKeeper does, or tokens "
                                + "would not increase: "
                                + forgetful.size() + " do; lock '" + id.printable() + "' not acquired");
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

    /** The fence in a register; 0 if it is empty. */
    static long fence(LockStatus register) {
        OwnerId owner = owner(register);
        if (owner == null) {
            return 0;
        }
        try {
            return Long.parseLong(owner.value().substring(owner.value().lastIndexOf(':') + 1));
        } catch (NumberFormatException e) {
            // Not a register but a lock of this name: it counts as empty, and the next write replaces it.
            return 0;
        }
    }

    /**
     * Chooses a fence for a claim that these stores have granted, and writes it there.
     *
     * @param granted the fences of the grants, by the number of the store
     * @return the fence, larger than all before; fails if no majority has stored it
     */
    CompletableFuture<Long> raise(Claim claim, Map<Integer, Long> granted) {
        LockId register = of(claim.id());
        Duration timeout = nodes.timeout(claim.lease());
        CompletableFuture<Map<Integer, LockStatus>> read = Responses.collect(
                nodes.request(
                        timeout,
                        store -> granted.containsKey(store) ? nodes.get(store).inspect(register) : absent()),
                tally -> tally.received() >= nodes.majority() ? byStore(tally.responses()) : null);
        return read.thenCompose(registers -> {
            long fence = Math.max(largest(granted.values()), 1 + largestOf(registers.values()));
            return write(claim, registers, fence);
        });
    }

    /**
     * The register that belongs to a claim with this fence. It outlives the lease, and the renewals that do not write
     * it.
     */
    static Claim written(Claim claim, long fence) {
        OwnerId owner = OwnerId.of(claim.owner().clientId(), fence);
        return Claim.of(
                of(claim.id()), owner, LIFE.plus(RENEWED_AFTER.multipliedBy(3)).plus(claim.lease()), claim.party());
    }

    /** Has the register of a claim with this fence outlive the lease of the claim. The results do not count. */
    void renew(Claim claim, long fence) {
        List<Claim> written = List.of(written(claim, fence));
        var unused = nodes.forEach(
                store -> nodes.time().within(nodes.timeout(), nodes.get(store).renew(written)));
    }

    private CompletableFuture<Long> write(Claim claim, Map<Integer, LockStatus> seen, long fence) {
        Claim written = written(claim, fence);
        return Responses.collect(
                nodes.request(nodes.timeout(claim.lease()), store -> {
                    LockStatus before = seen.get(store);
                    return before == null ? absent() : nodes.get(store).acquire(written.replacing(owner(before)));
                }),
                tally -> tally.count(Attempt.Granted.class::isInstance) >= nodes.majority() ? fence : null);
    }

    private static @Nullable OwnerId owner(LockStatus register) {
        List<LockStatus.Holder> holders = register.holders();
        return holders.isEmpty() ? null : new OwnerId(holders.get(0).owner());
    }

    private static <T> Map<Integer, T> byStore(List<@Nullable T> responses) {
        Map<Integer, T> byStore = new HashMap<>();
        for (int store = 0; store < responses.size(); store++) {
            T response = responses.get(store);
            if (response != null) {
                byStore.put(store, response);
            }
        }
        return byStore;
    }

    /** The response of a store that is not asked. It is no failure, which would hide the failures of the others. */
    private static <T> CompletionStage<@Nullable T> absent() {
        return CompletableFuture.completedFuture(null);
    }

    private static long largest(Collection<Long> fences) {
        return fences.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private static long largestOf(Collection<LockStatus> registers) {
        return registers.stream().mapToLong(FenceRegister::fence).max().orElse(0);
    }
}
