package dev.interlock.jdbc;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Renewal;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The verb renew: one transaction for each {@value #BATCH} claims, so that a client with very many keeps the others from writing for a millisecond or two. Claims
 * that are not held any more are asked why.
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
        List<Claim> sorted = claims.stream().sorted(ORDER).toList();
        Map<Claim, Renewal> result = new HashMap<>();
        for (int from = 0; from < sorted.size(); from += BATCH) {
            renew(sorted.subList(from, Math.min(sorted.size(), from + BATCH)), result);
        }
        return result;
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
