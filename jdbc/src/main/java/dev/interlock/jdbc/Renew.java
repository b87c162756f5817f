package dev.interlock.jdbc;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Renewal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The verb renew: one transaction for each {@value #BATCH} claims, so that a client with very many keeps the others from writing for a millisecond or two. Claims
 * that are not held any more are asked why.
 *
 * <p>A row that another transaction keeps locked is waited for, in turn with others: on a busy name one that only tried now and then might never find it free. If that fails, what is
 * left goes without waiting for anybody, and a claim whose row is locked is left out of the answer, so that it costs no other its lease. The next time it is not waited for
 * either: the engine gives a request for a short lease less time than such a wait takes.
 */
final class Renew {

    private static final int BATCH = 100;

    /** One order for all clients: two that renew at once wait for each other in one direction only. */
    private static final Comparator<Claim> ORDER = Comparator.<Claim, String>comparing(
                    claim -> claim.id().name())
            .thenComparing(claim -> claim.id().kind())
            .thenComparing(claim -> claim.owner().value());

    private final Session session;
    private final NameTables tables;

    Renew(Session session) {
        this.session = session;
        this.tables = new NameTables(session);
    }

    Map<Claim, Renewal> run(List<Claim> claims) throws SQLException {
        Map<Claim, Renewal> result = new HashMap<>();
        for (List<Claim> batch : batches(claims, this::wasLocked)) {
            renewUnlocked(batch, result);
        }
        List<List<Claim>> others = batches(claims, claim -> !wasLocked(claim));
        // Once only: a row that others lock in turn, all the time, is got by waiting.
        session.foundLocked().clear();
        // Where a wait may cost the connection, one claim waits for itself only.
        boolean waits = claims.size() == 1 || session.dialect().endsWaitsInTime();
        SQLException failure = null;
        for (List<Claim> batch : others) {
            if (waits) {
                failure = tried(batch, result);
                waits = failure == null;
            }
            if (!waits) {
                renewUnlocked(batch, result);
            }
        }
        if (failure != null && result.isEmpty()) {
            throw failure;
        }
        return result;
    }

    private boolean wasLocked(Claim claim) {
        return session.foundLocked().contains(claim.id());
    }

    private static List<List<Claim>> batches(List<Claim> claims, Predicate<Claim> which) {
        List<Claim> sorted = claims.stream().filter(which).sorted(ORDER).toList();
        return IntStream.iterate(0, from -> from < sorted.size(), from -> from + BATCH)
                .mapToObj(from -> sorted.subList(from, Math.min(sorted.size(), from + BATCH)))
                .toList();
    }

    /** Renews the batch; if a row was locked for too long, what says so, and then nothing is done. */
    private @Nullable SQLException tried(List<Claim> batch, Map<Claim, Renewal> result) throws SQLException {
        try {
            renew(batch, result);
            return null;
        } catch (SQLException e) {
            if (!session.dialect().locksRows() || !session.isAsGoodAfter(e)) {
                throw e;
            }
            batch.forEach(result::remove);
            return e;
        }
    }

    private void renew(List<Claim> batch, Map<Claim, Renewal> result) throws SQLException {
        List<Claim> holders = batch.stream()
                .filter(claim -> claim.id().kind() == LockKind.LOCK)
                .toList();
        List<Claim> others = batch.stream()
                .filter(claim -> claim.id().kind() != LockKind.LOCK)
                .toList();
        if (batch.size() == 1) {
            set(holders, Step.RENEW_HOLDER, result);
            set(others, Step.RENEW_CLAIM, result);
        } else {
            session.inTransaction(() -> {
                // It may be done again: what was said by one that is undone counts for nothing.
                batch.forEach(result::remove);
                set(holders, Step.RENEW_HOLDER, result);
                set(others, Step.RENEW_CLAIM, result);
                return true;
            });
        }
        for (Claim claim : batch) {
            if (!result.containsKey(claim)) {
                result.put(claim, cause(claim));
            }
        }
    }

    /** Renews the claims of the batch whose rows nobody keeps locked. */
    private void renewUnlocked(List<Claim> batch, Map<Claim, Renewal> result) throws SQLException {
        session.inTransaction(() -> {
            batch.forEach(result::remove);
            List<Claim> holders = new ArrayList<>();
            List<Claim> others = new ArrayList<>();
            for (Claim claim : batch) {
                boolean plain = claim.id().kind() == LockKind.LOCK;
                if (isLockedNow(plain ? Step.TRY_LOCK : Step.TRY_LOCK_CLAIM, claim)) {
                    (plain ? holders : others).add(claim);
                }
            }
            set(holders, Step.RENEW_HOLDER, result);
            set(others, Step.RENEW_CLAIM, result);
            return true;
        });
        for (Claim claim : batch) {
            if (!result.containsKey(claim)) {
                Renewal cause = cause(claim);
                // It was held and locked by another, but nothing has been renewed: no answer.
                if (cause == Renewal.HELD) {
                    session.foundLocked().add(claim.id());
                } else {
                    result.put(claim, cause);
                }
            }
        }
    }

    /** Whether this transaction has its row now; not if there is none, or another has it. */
    private boolean isLockedNow(Step step, Claim claim) throws SQLException {
        return !session.query(step, Values.of(claim), row -> true).isEmpty();
    }

    private void set(List<Claim> claims, Step step, Map<Claim, Renewal> result) throws SQLException {
        if (claims.isEmpty()) {
            return;
        }
        int[] counts = session.updateAll(step, claims.stream().map(Values::of).toList());
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] == 1) {
                result.put(claims.get(i), Renewal.HELD);
            }
        }
    }

    private Renewal cause(Claim claim) throws SQLException {
        return tables.peek(claim.id(), claim.owner().value())
                .map(state -> Rule.of(state).standing(claim))
                .orElse(Renewal.DELETED);
    }
}
