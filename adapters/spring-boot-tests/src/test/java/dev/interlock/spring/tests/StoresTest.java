package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.annotation.Locked;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.testkit.server.PostgresServer;
import dev.interlock.testkit.server.RedisServer;
import dev.interlock.testkit.server.ZooKeeperServer;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The connections that applications have, with real servers behind them. */
class StoresTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
            .withBean(Job.class);

    static class Job {
        @Locked("job")
        public long run(@Nullable Lease lease, Interlock interlock) {
            assertThat(interlock.lock("job").isLocked()).isTrue();
            return lease == null ? -1 : lease.token();
        }
    }

    @Test
    void redis_throughSpringData() {
        try (RedisServer server = RedisServer.start()) {
            application
                    .withBean(
                            LettuceConnectionFactory.class,
                            () -> new LettuceConnectionFactory(
                                    new RedisStandaloneConfiguration("127.0.0.1", server.port())))
                    .run(context -> {
                        assertRuns(context.getBean(Job.class), context.getBean(Interlock.class));
                        StringRedisTemplate template =
                                new StringRedisTemplate(context.getBean(LettuceConnectionFactory.class));
                        assertThat(template.hasKey("interlock_fence:{job}")).isTrue();
                    });
        }
    }

    @Test
    void postgres_throughAPool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(PostgresServer.shared().newDatabase());
        pool.setMaximumPoolSize(3);
        application
                .withBean(DataSource.class, () -> pool)
                .run(context -> assertRuns(context.getBean(Job.class), context.getBean(Interlock.class)));
        assertThat(pool.isClosed()).isTrue();
    }

    @Test
    void zooKeeper_throughCurator() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                CuratorFramework client =
                        CuratorFrameworkFactory.newClient(server.connectString(), new RetryForever(100))) {
            client.start();
            application
                    .withBean(CuratorFramework.class, () -> client)
                    .run(context -> assertRuns(context.getBean(Job.class), context.getBean(Interlock.class)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoClients {
        @Bean
        @Qualifier("billing")
        Interlock redis(@Value("${test.redis}") String uri) {
            return Interlock.connect(uri);
        }

        @Bean
        @Qualifier("reports")
        Interlock sqlite(@Value("${test.sqlite}") String uri) {
            return Interlock.connect(uri);
        }
    }

    static class TwoJobs {
        private final List<Interlock> clients;

        TwoJobs(@Qualifier("billing") Interlock billing, @Qualifier("reports") Interlock reports) {
            clients = List.of(billing, reports);
        }

        @Locked(value = "two", client = "billing")
        public List<Boolean> underBilling() {
            return locked();
        }

        @Locked(value = "two", client = "sqlite")
        public List<Boolean> underReports() {
            return locked();
        }

        @Locked("two")
        public void underEither() {}

        List<Boolean> locked() {
            return clients.stream().map(client -> client.lock("two").isLocked()).toList();
        }
    }

    @Test
    void severalStores_areToldApartByQualifier_orByTheNameOfTheBean(@TempDir Path folder) {
        try (RedisServer server = RedisServer.start()) {
            application
                    .withPropertyValues(
                            "test.redis=" + server.uri(), "test.sqlite=jdbc:sqlite:" + folder.resolve("reports.db"))
                    .withUserConfiguration(TwoClients.class)
                    .withBean(TwoJobs.class)
                    .run(context -> {
                        TwoJobs jobs = context.getBean(TwoJobs.class);
                        assertThat(jobs.underBilling()).containsExactly(true, false);
                        assertThat(jobs.underReports()).containsExactly(false, true);
                        assertThatThrownBy(jobs::underEither).isInstanceOf(NoUniqueBeanDefinitionException.class);
                        assertThat(jobs.locked()).containsExactly(false, false);
                    });
        }
    }

    private static void assertRuns(Job job, Interlock interlock) {
        long first = job.run(null, interlock);
        assertThat(first).isPositive();
        assertThat(job.run(null, interlock)).isGreaterThan(first);
        assertThat(interlock.lock("job").isLocked()).isFalse();
    }
}
