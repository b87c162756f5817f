package dev.interlock.redis;

import dev.interlock.redis.connection.NodeConnection;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Renewal;
import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Renews many claims: with one script for each few hundred claims of a server, all sent at once, and another script
 * that finds the cause for those that are gone.
 */
final class Renewals {

    /**
     * The most claims for one script: it takes about half a millisecond of the server's time, which does not noticeably
     * delay other clients.
     */
    static final int CHUNK = 256;

    private final Router router;
    private final Settings settings;

    Renewals(Router router, Settings settings) {
        this.router = router;
        this.settings = settings;
    }

    CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        RenewalFuture renewals = new RenewalFuture();
        List<Claim> leased = claims.stream()
                .filter(claim -> claim.id().kind() != LockKind.LATCH)
                .sorted(RenewArguments.ORDER)
                .toList();
        Cluster cluster = router.cluster();
        if (cluster == null) {
            chunks(leased, chunk -> renewChunk(chunk, renewals));
        } else {
            byNode(leased, cluster)
                    .forEach((node, theirs) -> chunks(theirs, chunk -> renewMixed(node, chunk, renewals)));
        }
        // Latches have no holders.
        claims.stream()
                .filter(claim -> claim.id().kind() == LockKind.LATCH)
                .forEach(claim -> renewals.put(claim, Renewal.DELETED));
        renewals.allSent();
        return renewals;
    }

    private static Map<NodeConnection, List<Claim>> byNode(List<Claim> claims, Cluster cluster) {
        Map<NodeConnection, List<Claim>> grouped = new LinkedHashMap<>();
        for (Claim claim : claims) {
            int slot = SlotHash.getSlot(new Keys(claim.id().name()).lock());
            grouped.computeIfAbsent(cluster.node(slot), node -> new ArrayList<>())
                    .add(claim);
        }
        return grouped;
    }

    private static void chunks(List<Claim> all, Consumer<List<Claim>> action) {
        for (int from = 0; from < all.size(); from += CHUNK) {
            action.accept(all.subList(from, Math.min(from + CHUNK, all.size())));
        }
    }

    /**
     * A claim that the query for the cause finds held has not been extended by that query, so it is renewed again. If
     * that happens twice, the claim has no result.
     */
    private void renewChunk(List<Claim> claims, RenewalFuture renewals) {
        renewChunk(claims, renewals, found -> renewChunk(List.of(found), renewals, unanswered -> {}));
    }

    private void renewChunk(List<Claim> claims, RenewalFuture renewals, Consumer<Claim> found) {
        ScriptArguments arguments = router.cluster() != null && claims.size() == 1
                ? RenewArguments.renewOne(claims.get(0), settings)
                : RenewArguments.renew(claims, settings);
        PlainScriptCommand call = new PlainScriptCommand(router, subject(claims), arguments);
        renewals.send(call, router::send, reply -> {
            List<Claim> missing = new ArrayList<>();
            for (int i = 0; i < claims.size(); i++) {
                if (reply.text().charAt(i) == 'H') {
                    renewals.put(claims.get(i), Renewal.HELD);
                } else {
                    missing.add(claims.get(i));
                }
            }
            causes(missing, renewals, found);
        });
    }

    /**
     * Renews claims of many slots on one server of a cluster. Those that it could not renew are renewed one by one,
     * each at the master of its slot.
     */
    private void renewMixed(NodeConnection node, List<Claim> claims, RenewalFuture renewals) {
        if (claims.size() == 1) {
            renewChunk(claims, renewals);
            return;
        }
        PlainScriptCommand call =
                new PlainScriptCommand(router, subject(claims), RenewArguments.renewMixed(claims, settings));
        renewals.send(call, node::send, reply -> {
            for (int i = 0; i < claims.size(); i++) {
                Claim claim = claims.get(i);
                switch (reply.text().charAt(i)) {
                    case 'H' -> renewals.put(claim, Renewal.HELD);
                    case 'E' -> renewChunk(List.of(claim), renewals);
                    default -> causes(List.of(claim), renewals, found -> renewChunk(List.of(found), renewals));
                }
            }
        });
    }

    /** Queries locks together, and other kinds one by one: that is rare, and the script inspects all holders. */
    private void causes(List<Claim> missing, RenewalFuture renewals, Consumer<Claim> found) {
        List<Claim> locks = missing.stream()
                .filter(claim -> claim.id().kind() == LockKind.LOCK)
                .toList();
        if (!locks.isEmpty()) {
            causes(locks, RenewArguments.lost(locks), renewals, found);
        }
        missing.subList(locks.size(), missing.size())
                .forEach(claim -> causes(List.of(claim), RenewArguments.cause(claim), renewals, found));
    }

    private void causes(List<Claim> missing, ScriptArguments arguments, RenewalFuture renewals, Consumer<Claim> found) {
        PlainScriptCommand call = new PlainScriptCommand(router, subject(missing), arguments);
        renewals.send(call, router::send, reply -> {
            for (int i = 0; i < missing.size(); i++) {
                Claim claim = missing.get(i);
                switch (reply.text().charAt(i)) {
                    case 'H' -> found.accept(claim);
                    case 'F' -> renewals.put(claim, Renewal.FORCED);
                    case 'T' -> renewals.put(claim, Renewal.TAKEN);
                    default -> renewals.put(claim, Renewal.DELETED);
                }
            }
        });
    }

    private static String subject(List<Claim> claims) {
        return "name=" + claims.get(0).id().printable() + " and " + (claims.size() - 1) + " more";
    }
}
