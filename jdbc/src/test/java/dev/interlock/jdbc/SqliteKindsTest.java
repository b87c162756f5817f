package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The kinds of lock that are not there: refused at once, and not after the time that a silent store is given. */
class SqliteKindsTest extends FileTest {

    @Test
    void kindsThatAreNotThere_areRefused_andLeaveNothing() {
        try (Interlock client = Interlock.builder(JdbcStore.sqlite(file))
                .storeTimeout(Duration.ofMinutes(5))
                .build()) {
            assertThatThrownBy(client.lock("a", LockOptions.defaults().fair())::lock)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("in order");
            assertThatThrownBy(() -> client.semaphore("a", 3).acquire())
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("SEMAPHORE");
            assertThatThrownBy(() -> client.latch("a").trySetCount(3))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("LATCH");
            assertThatThrownBy(client.readWriteLock("a").readLock()::lock)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("READ_WRITE");
            assertThat(client.inspect("a")).isEmpty();
            assertThat(client.lock("a").tryLock()).isTrue();
        }
    }
}
