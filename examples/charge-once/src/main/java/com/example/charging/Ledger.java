package com.example.charging;

import dev.interlock.fence.FenceVerdict;
import dev.interlock.jdbc.FencedUpdate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Orders and their charges. Each order keeps the largest token that it has seen, and refuses smaller ones. */
@Repository
@Transactional
public class Ledger {

    /** What has become of an order. */
    public enum Status {
        OPEN,
        CHARGED
    }

    private static final FencedUpdate OPEN = FencedUpdate.of("orders", "id", "fence", "instance");
    private static final FencedUpdate CHARGE = FencedUpdate.of("orders", "id", "fence", "status");

    private final JdbcTemplate jdbc;
    private final String instance;

    public Ledger(JdbcTemplate jdbc, @Value("${charging.instance}") String instance) {
        this.jdbc = jdbc;
        this.instance = instance;
    }

    /**
     * Begins to work at an order. From here on the order refuses all earlier holders of its lock: one of them that
     * wrote after we have looked would charge the order, and so would we.
     */
    public Status open(long order, long token) {
        update(OPEN, order, token, instance);
        return Status.valueOf(jdbc.queryForObject("select status from orders where id = ?", String.class, order));
    }

    /** Charges the order, and keeps the token with the charge, in one transaction. */
    public void charge(long order, long token) {
        update(CHARGE, order, token, Status.CHARGED.name());
        jdbc.update(
                "insert into charges (order_id, amount, token, instance)"
                        + " select id, amount, ?, ? from orders where id = ?",
                token,
                instance,
                order);
    }

    private void update(FencedUpdate update, long order, long token, String value) {
        FenceVerdict verdict = jdbc.execute(
                (ConnectionCallback<FenceVerdict>) connection -> update.execute(connection, order, token, value));
        if (!verdict.accepted()) {
            throw new LateWriterException(order, token, verdict.maximum());
        }
    }
}
