package dev.interlock.jdbc;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Renewal;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The verb renew: one transaction for all claims. Those that are not held any more are asked why. */
final class Renew {

    private final Session session;

    Renew(Session session) {
        this.session = session;
    }

    Map<Claim, Renewal> run(List<Claim> claims) throws SQLException {
        return session.inTransaction(() -> {
            Map<Claim, Renewal> result = new HashMap<>();
            for (Claim claim : claims) {
                result.put(claim, renew(Values.of(claim)));
            }
            return result;
        });
    }

    private Renewal renew(Values values) throws SQLException {
        if (!session.query(Step.RENEW, values, row -> true).isEmpty()) {
            return Renewal.HELD;
        }
        return session.query(Step.CAUSE, values, row -> Renewal.valueOf(row.getString(1)))
                .get(0);
    }
}
