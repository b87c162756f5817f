package dev.interlock.redis;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Renews many claims: a script for each few hundred of one server, all sent at once, and a second one for those of which the first says that they are gone.
 */
final class Renewals {

    /** A script that renews so many takes about half a millisecond of the server's time: others do not wait for it noticeably. */
    static final int CHUNK = 256;

    private final Link link;
    private final Settings settings;

    Renewals(Link link, Settings settings) {
        this.link = link;
        this.settings = settings;
    }

    CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        Answers answers = new Answers();
        Cluster cluster = link.cluster();
        if (cluster == null) {
            chunks(List.copyOf(claims), chunk -> renewChunk(chunk, answers));
        } else {
            cluster.byNode(claims).forEach((node, theirs) -> chunks(theirs, chunk -> renewMixed(node, chunk, answers)));
        }
        answers.allAsked();
        return answers;
    }

    private static void chunks(List<Claim> all, Consumer<List<Claim>> action) {
        for (int from = 0; from < all.size(); from += CHUNK) {
            action.accept(all.subList(from, Math.min(from + CHUNK, all.size())));
        }
    }

    private void renewChunk(List<Claim> claims, Answers answers) {
        TextCall call = new TextCall(link, Script.RENEW, subject(claims), 2 * claims.size(), words(claims));
        answers.ask(call, link::send, reply -> {
            List<Claim> missing = take(claims, reply.text(), answers);
            if (!missing.isEmpty()) {
                causes(missing, answers);
            }
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
        TextCall call = new TextCall(link, Script.RENEW, subject(claims), 0, words(claims));
        answers.ask(call, node::send, reply -> {
            List<Claim> missing = take(claims, reply.text(), answers);
            missing.forEach(claim -> {
                int at = claims.indexOf(claim);
                if (reply.text().charAt(at) == 'E') {
                    renewChunk(List.of(claim), answers);
                } else {
                    causes(List.of(claim), answers);
                }
            });
        });
    }

    private byte[][] words(List<Claim> claims) {
        byte[][] words = new byte[5 * claims.size()][];
        for (int i = 0; i < claims.size(); i++) {
            Claim claim = claims.get(i);
            Keys keys = new Keys(claim.id().name());
            long lease = Settings.millis(claim.lease());
            words[2 * i] = keys.lock();
            words[2 * i + 1] = keys.fence();
            int argument = 2 * claims.size() + 3 * i;
            words[argument] = Text.of(claim.owner().value());
            words[argument + 1] = Text.of(lease);
            words[argument + 2] = Text.of(settings.fenceMillis(lease));
        }
        return words;
    }

    /** Those that are not held. */
    private static List<Claim> take(List<Claim> claims, String letters, Answers answers) {
        List<Claim> missing = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            if (letters.charAt(i) == 'H') {
                answers.put(claims.get(i), Renewal.HELD);
            } else {
                missing.add(claims.get(i));
            }
        }
        return missing;
    }

    private void causes(List<Claim> missing, Answers answers) {
        byte[][] words = new byte[3 * missing.size()][];
        for (int i = 0; i < missing.size(); i++) {
            Keys keys = new Keys(missing.get(i).id().name());
            words[2 * i] = keys.lock();
            words[2 * i + 1] = keys.forced();
            words[2 * missing.size() + i] = Text.of(missing.get(i).owner().value());
        }
        TextCall call = new TextCall(link, Script.LOST, subject(missing), 2 * missing.size(), words);
        answers.ask(call, link::send, reply -> {
            for (int i = 0; i < missing.size(); i++) {
                answers.put(missing.get(i), cause(reply.text().charAt(i)));
            }
        });
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
