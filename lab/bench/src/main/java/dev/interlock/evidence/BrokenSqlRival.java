package dev.interlock.evidence;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** A lock on SQL that people write themselves: a row, without a lease, whose release is not repeated if it fails. */
final class BrokenSqlRival implements Rival {

    static final String TABLE = "CREATE TABLE control_lock (name VARCHAR(64) PRIMARY KEY)";

    private static final long RHYTHM_MILLIS = 20;

    private final HikariDataSource pool;
    private final JdbcTemplate template;
    private final String name;

    BrokenSqlRival(String uri, String name, Duration lease) {
        this.name = name;
        pool = SqlPool.open(uri);
        template = new JdbcTemplate(pool);
    }

    @Override
    public @Nullable Held acquire(Duration wait) throws InterruptedException {
        long begun = System.nanoTime();
        while (template.update("INSERT INTO control_lock VALUES (?) ON CONFLICT DO NOTHING", name) == 0) {
            if (System.nanoTime() - begun > wait.toNanos()) {
                return null;
            }
            TimeUnit.MILLISECONDS.sleep(RHYTHM_MILLIS);
        }
        return () -> template.update("DELETE FROM control_lock WHERE name = ?", name);
    }

    @Override
    public void close() {
        pool.close();
    }
}
