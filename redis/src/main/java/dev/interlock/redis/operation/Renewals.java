package dev.interlock.redis.operation;

import dev.interlock.redis.config.Settings;
import dev.interlock.redis.connection.NodeConnection;
import dev.interlock.redis.format.Keys;
import dev.interlock.redis.topology.Cluster;
import dev.interlock.redis.topology.Router;
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
 * Renews many claims: a script for each few hundred of one server, all sent at once, and a second one for those of
 * which the first says that they are gone.
 */
public final class Renewals {

    /**
     * A script that renews so many takes about half a millisecond of the server's time: others do not wait for it
     * noticeably.
     */
    static final int CHUNK = 256;

    private final Router link;
    private final Settings settings;

    public Renewals(Router link, Settings settings) {
        this.link = link;
        this.settings = settings;
    }

    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        RenewalFuture answers = new RenewalFuture();
        List<Claim> leased = claims.stream()
                .filter(claim -> claim.id().kind() != LockKind.LATCH)
                .sorted(RenewArguments.ORDER)
                .toList();
        Cluster cluster = link.cluster();
        if (cluster == null) {
            chunks(leased, chunk -> renewChunk(chunk, answers));
        } else {
            byNode(leased, cluster)
                    .forEach((node, theirs) -> chunks(theirs, chunk -> renewMixed(node, chunk, answers)));
        }
        // Nothing is held of a latch.
        claims.stream()
                .filter(claim -> claim.id().kind() == LockKind.LATCH)
                .forEach(claim -> answers.put(claim, Renewal.DELETED));
        answers.allSent();
        return answers;
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
     * What is found standing in search of the cause has not been extended by that, so it is renewed again; what is then
     * missed and found once more has no answer.
     */
    private void renewChunk(List<Claim> claims, RenewalFuture answers) {
        renewChunk(claims, answers, found -> renewChunk(List.of(found), answers, unanswered -> {}));
    }

    private void renewChunk(List<Claim> claims, RenewalFuture answers, Consumer<Claim> found) {
        PlainScriptCommand call = new PlainScriptCommand(link, subject(claims), RenewArguments.renew(claims, settings));
        answers.send(call, link::send, reply -> {
            List<Claim> missing = new ArrayList<>();
            for (int i = 0; i < claims.size(); i++) {
                if (reply.text().charAt(i) == 'H') {
                    answers.put(claims.get(i), Renewal.HELD);
                } else {
                    missing.add(claims.get(i));
                }
            }
            causes(missing, answers, found);
        });
    }

    /**
     * Claims of many slots on one server of a cluster. Those that it has not renewed are renewed one by one, each on
     * its own way.
     */
    private void renewMixed(NodeConnection node, List<Claim> claims, RenewalFuture answers) {
        if (claims.size() == 1) {
            renewChunk(claims, answers);
            return;
        }
        PlainScriptCommand call =
                new PlainScriptCommand(link, subject(claims), RenewArguments.renewMixed(claims, settings));
        answers.send(call, node::send, reply -> {
            for (int i = 0; i < claims.size(); i++) {
                Claim claim = claims.get(i);
                switch (reply.text().charAt(i)) {
                    case 'H' -> answers.put(claim, Renewal.HELD);
                    case 'E' -> renewChunk(List.of(claim), answers);
                    default -> causes(List.of(claim), answers, found -> renewChunk(List.of(found), answers));
                }
            }
        });
    }

    /** Locks are asked about at once, others one by one: it is rare, and takes a look at all who hold. */
    private void causes(List<Claim> missing, RenewalFuture answers, Consumer<Claim> found) {
        List<Claim> locks = missing.stream()
                .filter(claim -> claim.id().kind() == LockKind.LOCK)
                .toList();
        if (!locks.isEmpty()) {
            causes(locks, RenewArguments.lost(locks), answers, found);
        }
        missing.subList(locks.size(), missing.size())
                .forEach(claim -> causes(List.of(claim), RenewArguments.cause(claim), answers, found));
    }

    private void causes(List<Claim> missing, ScriptArguments words, RenewalFuture answers, Consumer<Claim> found) {
        PlainScriptCommand call = new PlainScriptCommand(link, subject(missing), words);
        answers.send(call, link::send, reply -> {
            for (int i = 0; i < missing.size(); i++) {
                Claim claim = missing.get(i);
                switch (reply.text().charAt(i)) {
                    case 'H' -> found.accept(claim);
                    case 'F' -> answers.put(claim, Renewal.FORCED);
                    case 'T' -> answers.put(claim, Renewal.TAKEN);
                    default -> answers.put(claim, Renewal.DELETED);
                }
            }
        });
    }

    private static String subject(List<Claim> claims) {
        return "name=" + claims.get(0).id().name() + " and " + (claims.size() - 1) + " more";
    }
}
