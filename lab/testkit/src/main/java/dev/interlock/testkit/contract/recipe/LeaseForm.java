package dev.interlock.testkit.contract.recipe;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.contract.form.BlockingForm;
import dev.interlock.testkit.contract.form.FormBody;
import dev.interlock.testkit.contract.form.FormTable.Day;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A body under a lease that a blocking call has brought. */
public abstract class LeaseForm extends BlockingForm {

    /** Why such a form has no {@link Day#CLOSING}. */
    public static final String ENDS_WITH_CLIENT = "A client that closes ends the leases that its callers have taken";

    /** The lease; null if it is busy. */
    protected abstract @Nullable Lease acquire(Interlock client, String name, Wait wait) throws Exception;

    @Override
    protected final @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
        Lease lease = acquire(client, name, wait);
        return lease == null ? null : run(lease, body);
    }

    @Override
    public Map<Day, String> refused() {
        return Map.of(Day.CLOSING, ENDS_WITH_CLIENT);
    }

    /** Runs the body, and ends the lease. */
    public static String run(Lease lease, FormBody body) throws InterruptedException {
        try (lease) {
            String result = body.run();
            if (lease.release().isLost()) {
                lease.ensureValid();
            }
            return result;
        }
    }
}
