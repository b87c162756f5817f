package dev.interlock.bench;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * ShedLock's provider on SQL, by the database's clock. It cannot wait: callers try again at the interval of the other
 * peer.
 */
final class ShedLockPeer implements Peer {

    /** What its documentation gives. */
    static final String TABLE =
            """
            CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP NOT NULL,
              locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL)
            """;

    // Nobody renews it: longer than any row takes.
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration RHYTHM = Duration.ofMillis(100);

    private final HikariDataSource pool;
    private final LockProvider provider;

    ShedLockPeer(String uri) {
        pool = SqlPool.open(uri);
        provider = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
    }

    @Override
    public PeerLock lock(String name) {
        return new TheirLock(provider, name);
    }

    @Override
    public void close() {
        pool.close();
    }

    /** One acquisition at a time. */
    private static final class TheirLock implements PeerLock {
        private final LockProvider provider;
        private final String name;
        private @Nullable SimpleLock held;

        TheirLock(LockProvider provider, String name) {
            this.provider = provider;
            this.name = name;
        }

        @Override
        public void lock() {
            while (!tried()) {
                Pause.of(RHYTHM);
            }
        }

        @Override
        public boolean tryLock(Duration wait) {
            long endNanos = System.nanoTime() + wait.toNanos();
            while (!tried()) {
                if (System.nanoTime() - endNanos >= 0) {
                    return false;
                }
                Pause.of(RHYTHM);
            }
            return true;
        }

        @Override
        public void unlock() {
            SimpleLock lock = held;
            held = null;
            if (lock == null) {
                throw new IllegalStateException("not held: " + name);
            }
            lock.unlock();
        }

        private boolean tried() {
            Optional<SimpleLock> lock = provider.lock(new LockConfiguration(Instant.now(), name, LEASE, Duration.ZERO));
            held = lock.orElse(null);
            return lock.isPresent();
        }
    }
}
