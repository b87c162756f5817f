package dev.interlock.redis;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Renewal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Renews many claims: a script for each few hundred of one server, all sent at once, and a second one for those of which the first says that they are gone. */
final class Renewals {

    /** A script that renews so many takes about half a millisecond of the server's time: others do not wait for it noticeably. */
    static final int CHUNK = 256;

    /** What the script says of a claim that another server has. */
    private static final char ELSEWHERE = 'E';

    private final Link link;
    private final Settings settings;

    Renewals(Link link, Settings settings) {
        this.link = link;
        this.settings = settings;
    }

    CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        Answers answers = new Answers();
        List<Claim> all = claims.stream()
                .filter(claim -> claim.id().kind() != LockKind.LATCH)
                .sorted(RenewWords.ORDER)
                .toList();
        // Nothing is held of a latch.
        claims.stream()
                .filter(claim -> claim.id().kind() == LockKind.LATCH)
                .forEach(claim -> answers.put(claim, Renewal.DELETED));
        Cluster cluster = link.cluster();
        if (cluster == null) {
            chunks(all, chunk -> renewChunk(chunk, answers));
        } else {
            cluster.byNode(all).forEach((node, theirs) -> chunks(theirs, chunk -> renewMixed(node, chunk, answers)));
        }
        answers.allAsked();
        return answers;
    }

    private static void chunks(List<Claim> all, Consumer<List<Claim>> action) {
        for (int from = 0; from < all.size(); from += CHUNK) {
            action.accept(all.subList(from, Math.min(from + CHUNK, all.size())));
        }
    }

    /** Claims on one server, or one claim of a cluster. */
    private void renewChunk(List<Claim> claims, Answers answers) {
        TextCall call = new TextCall(link, subject(claims), RenewWords.renew(claims, settings));
        answers.ask(call, link::send, reply -> {
            List<Claim> missing = new ArrayList<>();
            take(claims, reply.text(), answers, (claim, letter) -> missing.add(claim));
            causes(missing, answers);
        });
    }

    /**
     * Claims of many slots on one server of a cluster. Keys of one command must be of one slot there: so these go as arguments, and the script says which of
     * them the server does not have. They are asked for one by one, each on its own way.
     */
    private void renewMixed(NodeLink node, List<Claim> claims, Answers answers) {
        if (claims.size() == 1) {
            renewChunk(claims, answers);
            return;
        }
        TextCall call = new TextCall(link, subject(claims), RenewWords.renewMixed(claims, settings));
        answers.ask(
                call,
                node::send,
                reply -> take(claims, reply.text(), answers, (claim, letter) -> {
                    if (letter == ELSEWHERE) {
                        renewChunk(List.of(claim), answers);
                    } else {
                        causes(List.of(claim), answers);
                    }
                }),
                error -> {
                    // One of the keys beside a lock had moved before it: the script ends there.
                    if (String.valueOf(error.getMessage()).contains("non local key")) {
                        claims.forEach(claim -> renewChunk(List.of(claim), answers));
                    }
                });
    }

    private static void take(List<Claim> claims, String letters, Answers answers, Missing missing) {
        for (int i = 0; i < claims.size(); i++) {
            if (letters.charAt(i) == 'H') {
                answers.put(claims.get(i), Renewal.HELD);
            } else {
                missing.take(claims.get(i), letters.charAt(i));
            }
        }
    }

    /** Locks of one server are asked about at once, others one by one: it is rare, and takes a look at all who hold. */
    private void causes(List<Claim> missing, Answers answers) {
        List<Claim> locks = missing.stream()
                .filter(claim -> claim.id().kind() == LockKind.LOCK)
                .toList();
        if (!locks.isEmpty()) {
            causes(locks, RenewWords.lost(locks), answers);
        }
        for (Claim claim : missing.subList(locks.size(), missing.size())) {
            causes(List.of(claim), RenewWords.cause(claim), answers);
        }
    }

    private void causes(List<Claim> missing, Words words, Answers answers) {
        answers.ask(new TextCall(link, subject(missing), words), link::send, reply -> {
            for (int i = 0; i < missing.size(); i++) {
                answers.put(missing.get(i), cause(reply.text().charAt(i)));
            }
        });
    }

    /** Takes a claim that was not renewed, and what the script says of it. */
    private interface Missing {
        void take(Claim claim, char letter);
    }

    private static Renewal cause(char letter) {
        return switch (letter) {
            case 'H' -> Renewal.HELD;
            case 'F' -> Renewal.FORCED;
            case 'T' -> Renewal.TAKEN;
            default -> Renewal.DELETED;
        };
    }

    private static String subject(List<Claim> claims) {
        return "name=" + claims.get(0).id().name() + " and " + (claims.size() - 1) + " more";
    }
}
