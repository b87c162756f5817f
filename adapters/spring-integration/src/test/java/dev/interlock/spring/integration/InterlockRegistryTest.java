package dev.interlock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LeaseTerm;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.store.SwitchableStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/** The registry on the store in memory, with what the store cannot change. */
@SuppressWarnings("rawtypes")
class InterlockRegistryTest extends RegistryContract {

    private static final MemoryStore STORE = new MemoryStore();

    @Override
    LockStore openStore() {
        return STORE.session();
    }

    @Test
    void tests_runOnTheLineThatTheyAreFor() {
        assertThat(LockRegistry.class.getPackage().getImplementationVersion())
                .isEqualTo(System.getProperty("spring.integration.version"));
    }

    @Test
    void bean_isFoundByEachInterface() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            register(context, registry);
            context.registerBean(ByType.class);
            context.refresh();
            assertThat(context.getBean(LockRegistry.class)).isSameAs(registry);
            assertThat(context.getBean(ByType.class).registry).isSameAs(registry);
            assertThat(context.getBean(RenewableLockRegistry.class)).isSameAs(registry);
            assertThat(context.getBean(ExpirableLockRegistry.class)).isSameAs(registry);
        }
        registry.lock("after").lock();
        registry.lock("after").unlock();
    }

    /** As a bean of its own class, as Spring sees what a method with @Bean returns. */
    @SuppressWarnings("unchecked")
    private static <T> void register(AnnotationConfigApplicationContext context, T bean) {
        context.registerBean((Class<T>) bean.getClass(), () -> bean);
    }

    static class ByType {
        final LockRegistry registry;

        ByType(LockRegistry registry) {
            this.registry = registry;
        }
    }

    @Test
    void silentStore_isNotAnOutcomeOfALock() {
        SwitchableStore cut = new SwitchableStore(openStore());
        Interlock client = clients.open(cut, builder -> builder.attemptTimeout(Duration.ofMillis(100))
                .storeTimeout(Duration.ofMillis(100))
                .closeTimeout(Duration.ofMillis(100)));
        AbstractRegistry<?> unreachable = Line.registry(client, registryKey);
        KeyLock held = unreachable.lock("held");
        held.lock();
        cut.mode(SwitchableStore.Mode.SILENT);
        KeyLock lock = unreachable.lock("foo");
        assertThatThrownBy(lock::lock).isInstanceOf(CannotAcquireLockException.class);
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(CannotAcquireLockException.class);
        assertThatThrownBy(lock::tryLock).isInstanceOf(CannotAcquireLockException.class);
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.HOURS)).isInstanceOf(CannotAcquireLockException.class);
        assertThatThrownBy(() -> unreachable.renewLock("held")).isInstanceOf(DataAccessResourceFailureException.class);
    }

    @Test
    void timeToLive_isAFixedLease_untilThereIsAScheduler() {
        RegistryTerms terms = new RegistryTerms(LeaseTerm.fixed(Duration.ofMinutes(1)));
        Duration ttl = Duration.ofMinutes(2);
        assertThat(terms.term(ttl)).isEqualTo(LeaseTerm.fixed(ttl));
        terms.renew();
        assertThat(terms.term(ttl)).isEqualTo(LeaseTerm.renewing(ttl));
        assertThat(terms.term()).isEqualTo(LeaseTerm.renewing(Duration.ofMinutes(1)));
    }

    /** A key that is used once, as the correlation key of a message, must not stay for ever. */
    @Test
    void locksThatNobodyRefersTo_areForgotten() {
        for (int i = 0; i < 1000; i++) {
            registry.lock("message-" + i);
        }
        await().until(() -> {
            System.gc();
            return registry.size() == 0;
        });
    }
}
