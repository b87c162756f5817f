package dev.interlock.redis;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Renews many claims: a script for each few hundred, all sent at once, and a second one for those of which the first says that they are gone. */
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
        List<Claim> all = List.copyOf(claims);
        List<CompletableFuture<Map<Claim, Renewal>>> chunks = new ArrayList<>();
        for (int from = 0; from < all.size(); from += CHUNK) {
            chunks.add(renewChunk(all.subList(from, Math.min(from + CHUNK, all.size()))));
        }
        CompletableFuture<Map<Claim, Renewal>> result = CompletableFuture.allOf(
                        chunks.toArray(CompletableFuture[]::new))
                .handle((nothing, failure) -> merge(chunks, failure));
        var unused = result.whenComplete((renewals, failure) -> {
            if (result.isCancelled()) {
                chunks.forEach(chunk -> chunk.cancel(false));
            }
        });
        return result;
    }

    /** What was answered; a failure only if nothing was. */
    private static Map<Claim, Renewal> merge(
            List<CompletableFuture<Map<Claim, Renewal>>> chunks, @Nullable Throwable failure) {
        Map<Claim, Renewal> merged = new HashMap<>();
        boolean answered = false;
        for (CompletableFuture<Map<Claim, Renewal>> chunk : chunks) {
            if (!chunk.isCompletedExceptionally()) {
                merged.putAll(chunk.join());
                answered = true;
            }
        }
        if (failure != null && !answered) {
            throw failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
        }
        return merged;
    }

    private CompletableFuture<Map<Claim, Renewal>> renewChunk(List<Claim> claims) {
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
        TextCall call = new TextCall(link, Script.RENEW, subject(claims), 2 * claims.size(), words);
        CompletableFuture<Map<Claim, Renewal>> renewed = call.thenCompose(reply -> withCauses(claims, reply.text()));
        var unused = renewed.whenComplete((renewals, failure) -> {
            if (renewed.isCancelled()) {
                call.cancel(false);
            }
        });
        link.send(call);
        return renewed;
    }

    private CompletableFuture<Map<Claim, Renewal>> withCauses(List<Claim> claims, String letters) {
        Map<Claim, Renewal> renewed = new HashMap<>();
        List<Claim> missing = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            if (letters.charAt(i) == 'H') {
                renewed.put(claims.get(i), Renewal.HELD);
            } else {
                missing.add(claims.get(i));
            }
        }
        if (missing.isEmpty()) {
            return CompletableFuture.completedFuture(renewed);
        }
        return causes(missing).thenApply(reply -> {
            for (int i = 0; i < missing.size(); i++) {
                renewed.put(missing.get(i), cause(reply.text().charAt(i)));
            }
            return renewed;
        });
    }

    private CompletableFuture<Reply> causes(List<Claim> missing) {
        byte[][] words = new byte[3 * missing.size()][];
        for (int i = 0; i < missing.size(); i++) {
            Keys keys = new Keys(missing.get(i).id().name());
            words[2 * i] = keys.lock();
            words[2 * i + 1] = keys.forced();
            words[2 * missing.size() + i] = Text.of(missing.get(i).owner().value());
        }
        TextCall call = new TextCall(link, Script.LOST, subject(missing), 2 * missing.size(), words);
        link.send(call);
        return call;
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
