package dev.interlock.evidence;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock's provider on SQL, by the database's clock. It cannot wait: the client tries again every 100 ms. */
final class ShedLockRival implements Rival {

    /** What its documentation gives. */
    static final String TABLE =
            """
            CREATE TABLE IF NOT EXISTS shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP NOT NULL,
              locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL)
            """;

    private static final long RHYTHM_MILLIS = 100;

    private final HikariDataSource pool;
    private final LockProvider provider;
    private final String name;
    private final Duration lease;
    private final boolean extending;

    private ShedLockRival(String uri, String name, Duration lease, boolean extending) {
        this.name = name;
        this.lease = lease;
        this.extending = extending;
        pool = extending ? SqlPool.openQuick(uri) : SqlPool.open(uri);
        // By default all processes of a machine are one owner; the subject's machine is one in place of several.
        provider = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .withLockedByValue(UUID.randomUUID().toString())
                .usingDbTime()
                .build());
    }

    /** As its documentation shows first: the lock lasts for longer than the work does. */
    static Rival plain(String uri, String name, Duration lease) {
        return new ShedLockRival(uri, name, lease, false);
    }

    /** The holder extends it by hand, at each third of the lease, and takes a failure for a loss. */
    static Rival extending(String uri, String name, Duration lease) {
        return new ShedLockRival(uri, name, lease, true);
    }

    @Override
    public @Nullable Held acquire(Duration wait) throws InterruptedException {
        long begun = System.nanoTime();
        do {
            Optional<SimpleLock> lock = provider.lock(new LockConfiguration(Instant.now(), name, lease, Duration.ZERO));
            if (lock.isPresent()) {
                return new TheirHold(lock.get());
            }
            TimeUnit.MILLISECONDS.sleep(RHYTHM_MILLIS);
        } while (System.nanoTime() - begun < wait.toNanos());
        return null;
    }

    @Override
    public void close() {
        pool.close();
    }

    private final class TheirHold implements Held {
        private SimpleLock lock;
        private long extended = System.nanoTime();

        TheirHold(SimpleLock lock) {
            this.lock = lock;
        }

        @Override
        public boolean isHeld() {
            if (!extending || System.nanoTime() - extended <= lease.toNanos() / 3) {
                return true;
            }
            Optional<SimpleLock> next = lock.extend(lease, Duration.ZERO);
            next.ifPresent(value -> lock = value);
            extended = System.nanoTime();
            return next.isPresent();
        }

        @Override
        public void release() {
            lock.unlock();
        }
    }
}
