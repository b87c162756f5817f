package dev.interlock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

/** What only Spring Integration 7 has: its own type of a lock with a time to live, and registries of it. */
@Tag("spring-integration-7")
class DistributedLockTest {

    private static final Duration TTL = Duration.ofMinutes(5);

    private final Interlock client = Interlock.inMemory();
    private final InterlockRegistry registry = new InterlockRegistry(client, "orders", Duration.ofMinutes(1));

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void lockOfTheRegistry_isADistributedLock() throws InterruptedException {
        DistributedLock lock = registry.obtain("foo");
        lock.lock(TTL);
        assertThat(registry.heldLease("foo").remaining()).isGreaterThan(Duration.ofMinutes(2));
        lock.unlock();
        assertThat(lock.tryLock(Duration.ofMinutes(5), TTL)).isTrue();
        assertThat(registry.heldLease("foo").remaining()).isGreaterThan(Duration.ofMinutes(2));
        lock.unlock();
    }

    @Test
    void bean_isFoundByTheParameterizedInterface() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(InterlockRegistry.class, () -> registry);
            context.registerBean(Typed.class);
            context.refresh();
            DistributedLock lock = context.getBean(Typed.class).registry.obtain("foo");
            lock.lock();
            lock.unlock();
        }
    }

    static class Typed {
        final LockRegistry<DistributedLock> registry;

        Typed(LockRegistry<DistributedLock> registry) {
            this.registry = registry;
        }
    }
}
