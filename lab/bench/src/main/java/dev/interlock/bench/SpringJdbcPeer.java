package dev.interlock.bench;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Spring Integration's registry on SQL, with its default settings except for the lease, and set up for PostgreSQL as
 * its documentation recommends.
 */
final class SpringJdbcPeer implements Peer {

    /** What its documentation gives; the rows need no other table of its script. */
    static final String TABLE =
            """
            CREATE TABLE int_lock (lock_key CHAR(36) NOT NULL, region VARCHAR(100) NOT NULL, client_id CHAR(36),
              created_date TIMESTAMP NOT NULL, expired_after TIMESTAMP NOT NULL, PRIMARY KEY (lock_key, region))
            """;

    // Nobody renews it: longer than any row takes.
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final HikariDataSource pool;
    private final DefaultLockRepository repository;
    private final JdbcLockRegistry registry;

    SpringJdbcPeer(String uri) {
        pool = SqlPool.open(uri);
        repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        registry = new JdbcLockRegistry(repository, LEASE);
    }

    @Override
    public PeerLock lock(String name) {
        return new JavaLock(registry.obtain(name));
    }

    @Override
    public void close() {
        repository.close();
        pool.close();
    }
}
