package dev.interlock.jdbc;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The verb renew: one transaction for each {@value #BATCH} claims, so that a client with very many keeps the others from writing for a millisecond or two. Claims
 * that are not held any more are asked why.
 */
final class Renew {

    private static final int BATCH = 100;

    private final Session session;

    Renew(Session session) {
        this.session = session;
    }

    Map<Claim, Renewal> run(List<Claim> claims) throws SQLException {
        Map<Claim, Renewal> result = new HashMap<>();
        for (int from = 0; from < claims.size(); from += BATCH) {
            List<Claim> batch = claims.subList(from, Math.min(claims.size(), from + BATCH));
            result.putAll(
                    batch.size() == 1
                            ? renew(batch)
                            : session.inTransaction(() -> renew(batch), Step.RENEW, Step.CAUSE));
        }
        return result;
    }

    private Map<Claim, Renewal> renew(List<Claim> batch) throws SQLException {
        Map<Claim, Renewal> result = new HashMap<>();
        for (Claim claim : batch) {
            result.put(claim, renew(Values.of(claim)));
        }
        return result;
    }

    private Renewal renew(Values values) throws SQLException {
        if (!session.query(Step.RENEW, values, row -> true).isEmpty()) {
            return Renewal.HELD;
        }
        return session.query(Step.CAUSE, values, row -> Renewal.valueOf(row.getString(1)))
                .get(0);
    }
}
