package dev.interlock.evidence;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Spring Integration's registry on SQL, set up for PostgreSQL as its documentation recommends. */
final class SpringJdbcRival implements Rival {

    /** What its documentation gives. */
    static final String TABLE =
            """
            CREATE TABLE IF NOT EXISTS int_lock (lock_key CHAR(36) NOT NULL, region VARCHAR(100) NOT NULL,
              client_id CHAR(36), created_date TIMESTAMP NOT NULL, expired_after TIMESTAMP NOT NULL,
              PRIMARY KEY (lock_key, region))
            """;

    private final HikariDataSource pool;
    private final DefaultLockRepository repository;
    private final JdbcLockRegistry registry;
    private final Lock lock;
    private final String name;
    private final Duration lease;
    private final boolean renews;

    private SpringJdbcRival(String uri, String name, Duration lease, boolean renews) {
        this.name = name;
        this.lease = lease;
        this.renews = renews;
        pool = renews ? SqlPool.openQuick(uri) : SqlPool.open(uri);
        repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        registry = new JdbcLockRegistry(repository, lease);
        lock = registry.obtain(name);
    }

    /** Default settings, except for the lease: nobody renews. */
    static Rival plain(String uri, String name, Duration lease) {
        return new SpringJdbcRival(uri, name, lease, false);
    }

    /** The holder renews by hand, at each third of the lease, and takes a failure for a loss. */
    static Rival renewing(String uri, String name, Duration lease) {
        return new SpringJdbcRival(uri, name, lease, true);
    }

    @Override
    public @Nullable Held acquire(Duration wait) throws InterruptedException {
        return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS) ? new TheirHold() : null;
    }

    @Override
    public void close() {
        repository.close();
        pool.close();
    }

    private final class TheirHold implements Held {
        private long renewed = System.nanoTime();

        @Override
        public boolean isHeld() {
            if (renews && System.nanoTime() - renewed > lease.toNanos() / 3) {
                registry.renewLock(name);
                renewed = System.nanoTime();
            }
            return true;
        }

        @Override
        public void release() {
            lock.unlock();
        }
    }
}
