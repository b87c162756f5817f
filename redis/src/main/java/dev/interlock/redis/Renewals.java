package dev.interlock.redis;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
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
        List<Claim> all = claims.stream()
                .filter(claim -> claim.id().kind() != LockKind.LATCH)
                .sorted(RenewWords.ORDER)
                .toList();
        List<CompletableFuture<Map<Claim, Renewal>>> chunks = new ArrayList<>();
        for (int from = 0; from < all.size(); from += CHUNK) {
            chunks.add(renewChunk(all.subList(from, Math.min(from + CHUNK, all.size()))));
        }
        CompletableFuture<Map<Claim, Renewal>> result = CompletableFuture.allOf(
                        chunks.toArray(CompletableFuture[]::new))
                .handle((nothing, failure) -> merge(chunks, failure))
                .thenApply(renewals -> withLatches(claims, renewals));
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

    /** Nothing is held of a latch. */
    private static Map<Claim, Renewal> withLatches(Collection<Claim> claims, Map<Claim, Renewal> renewals) {
        claims.stream()
                .filter(claim -> claim.id().kind() == LockKind.LATCH)
                .forEach(claim -> renewals.put(claim, Renewal.DELETED));
        return renewals;
    }

    private CompletableFuture<Map<Claim, Renewal>> renewChunk(List<Claim> claims) {
        TextCall call = new TextCall(link, subject(claims), RenewWords.renew(claims, settings));
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
        return causes(missing).thenApply(causes -> {
            renewed.putAll(causes);
            return renewed;
        });
    }

    /** Locks are asked about at once, others one by one: it is rare, and takes a look at all who hold. */
    private CompletableFuture<Map<Claim, Renewal>> causes(List<Claim> missing) {
        List<Claim> locks = missing.stream()
                .filter(claim -> claim.id().kind() == LockKind.LOCK)
                .toList();
        CompletableFuture<Map<Claim, Renewal>> all = locks.isEmpty()
                ? CompletableFuture.completedFuture(new HashMap<>())
                : causes(locks, RenewWords.lost(locks));
        for (Claim claim : missing.subList(locks.size(), missing.size())) {
            all = all.thenCombine(causes(List.of(claim), RenewWords.cause(claim)), (some, one) -> {
                some.putAll(one);
                return some;
            });
        }
        return all;
    }

    private CompletableFuture<Map<Claim, Renewal>> causes(List<Claim> missing, Words words) {
        TextCall call = new TextCall(link, subject(missing), words);
        link.send(call);
        return call.thenApply(reply -> {
            Map<Claim, Renewal> causes = new HashMap<>();
            for (int i = 0; i < missing.size(); i++) {
                causes.put(missing.get(i), cause(reply.text().charAt(i)));
            }
            return causes;
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
