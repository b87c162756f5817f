package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.Interlock;
import dev.interlock.LockLostException;
import dev.interlock.annotation.Locked;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What comes first at the end of a method: the commit, then the release. */
class TransactionTest {

    @TempDir
    Path folder;

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Transactions {
        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }

    static class Counter {
        private final Interlock interlock;
        private final List<String> order = new ArrayList<>();

        Counter(Interlock interlock) {
            this.interlock = interlock;
        }

        @Locked("counter")
        @Transactional
        public void increment() {
            record();
        }

        @Locked("counter")
        public void incrementWithin() {
            record();
        }

        @Locked("counter")
        public void loseWithin() {
            interlock.administration().forceUnlock("counter");
        }

        public List<String> order() {
            return order;
        }

        private void record() {
            assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                    .isTrue();
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    order.add(interlock.lock("counter").isLocked() ? "locked at the commit" : "free at the commit");
                }
            });
        }
    }

    private ApplicationContextRunner application(String... properties) {
        HikariDataSource dataSource = new HikariDataSource();
        dataSource.setJdbcUrl("jdbc:sqlite:" + folder.resolve("counter.db"));
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
                .withUserConfiguration(Transactions.class)
                .withBean(Interlock.class, Interlock::inMemory)
                .withBean(DataSource.class, () -> dataSource)
                .withBean(Counter.class)
                .withPropertyValues(properties);
    }

    @Test
    void lock_isOutsideOfTheTransaction() {
        application().run(context -> {
            Counter counter = context.getBean(Counter.class);
            counter.increment();
            assertThat(counter.order()).containsExactly("locked at the commit");
            assertThat(context.getBean(Interlock.class).lock("counter").isLocked())
                    .isFalse();
        });
    }

    /** A lock inside of the transaction of its own method is kept until the commit, too: there is no wrong order. */
    @Test
    void reversedOrder_keepsTheLockUntilTheCommit() {
        application("interlock.locked.order=2147483647").run(context -> {
            Counter counter = context.getBean(Counter.class);
            counter.increment();
            assertThat(counter.order()).containsExactly("locked at the commit");
        });
    }

    @Test
    void transactionOfTheCaller_keepsTheLockUntilItEnds() {
        application().run(context -> {
            Counter counter = context.getBean(Counter.class);
            Interlock interlock = context.getBean(Interlock.class);
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                counter.incrementWithin();
                assertThat(interlock.lock("counter").isLocked()).isTrue();
            });
            assertThat(counter.order()).containsExactly("locked at the commit");
            assertThat(interlock.lock("counter").isLocked()).isFalse();
        });
    }

    @Test
    void lossBeforeTheCommit_rollsBack() {
        application().run(context -> {
            Counter counter = context.getBean(Counter.class);
            JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
            jdbc.execute("CREATE TABLE written (n INTEGER)");
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                        jdbc.update("INSERT INTO written VALUES (1)");
                        counter.loseWithin();
                    }))
                    .isInstanceOf(LockLostException.class);
            assertThat(jdbc.queryForObject("SELECT count(*) FROM written", Integer.class))
                    .isZero();
        });
    }
}
