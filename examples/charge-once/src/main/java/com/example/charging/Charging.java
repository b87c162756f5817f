package com.example.charging;

import dev.interlock.Lease;
import dev.interlock.annotation.Locked;
import org.springframework.stereotype.Service;

/** Charges each order once: one instance at a time works at an order, and finds what others have done before it. */
@Service
public class Charging {

    private final Ledger ledger;
    private final FraudCheck fraudCheck;

    public Charging(Ledger ledger, FraudCheck fraudCheck) {
        this.ledger = ledger;
        this.fraudCheck = fraudCheck;
    }

    /**
     * Charges the order, unless it has been charged before.
     *
     * @param lease comes from {@code @Locked}; callers pass null
     * @return whether this call has charged it
     */
    // Whoever has lost the lock goes on: the order refuses its charge, and the caller learns of it.
    @Locked(value = "order:#{#order}", waitAtMost = "10s", onLost = Locked.OnLost.THROW)
    public boolean charge(long order, Lease lease) throws InterruptedException {
        // Null with interlock.locked.enabled=false. Then no token can tell a late writer from the others.
        long token = lease == null ? 1 : lease.token();
        if (ledger.open(order, token) == Ledger.Status.CHARGED) {
            return false;
        }
        fraudCheck.approve(order);
        ledger.charge(order, token);
        return true;
    }
}
