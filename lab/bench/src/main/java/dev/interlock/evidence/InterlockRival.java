package dev.interlock.evidence;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.ReleaseOutcome;
import dev.interlock.jdbc.JdbcStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Interlock with its default settings, except for the lease. */
final class InterlockRival implements Rival {

    private final Interlock client;
    private final DistributedLock lock;
    private final Runnable pool;

    InterlockRival(String uri, String name, Duration lease) {
        this(Interlock.builder(uri), name, lease, () -> {});
    }

    private InterlockRival(InterlockBuilder builder, String name, Duration lease, Runnable pool) {
        client = builder.lockOptions(
                        LockOptions.builder().lease(LeaseTerm.renewing(lease)).build())
                .build();
        lock = client.lock(name);
        this.pool = pool;
    }

    /** On a connection pool with its default settings. */
    static Rival pooled(String uri, String name, Duration lease) {
        return over(SqlPool.open(uri), name, lease);
    }

    /** On a connection pool that is waited for as long as for a request. */
    static Rival quick(String uri, String name, Duration lease) {
        return over(SqlPool.openImpatient(uri), name, lease);
    }

    private static Rival over(HikariDataSource pool, String name, Duration lease) {
        return new InterlockRival(Interlock.builder(JdbcStore.over(pool)), name, lease, pool::close);
    }

    /** On a store whose claims end with a session, which is as long as the lease. */
    static Rival onSession(String uri, String name, Duration lease) {
        return new InterlockRival(uri + "?session=" + lease.toMillis() + "ms", name, lease);
    }

    @Override
    public @Nullable Held acquire(Duration wait) throws InterruptedException {
        return lock.tryAcquire(wait).map(OurHold::new).orElse(null);
    }

    @Override
    public void close() {
        client.close();
        pool.run();
    }

    private record OurHold(Lease lease) implements Held {

        @Override
        public long token() {
            return lease.token();
        }

        @Override
        public boolean isHeld() {
            return lease.isValid();
        }

        @Override
        public void release() {
            ReleaseOutcome outcome = lease.release();
            if (!outcome.equals(ReleaseOutcome.RELEASED)) {
                throw new IllegalMonitorStateException(outcome.toString());
            }
        }
    }
}
