package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.LockedMethodException;
import dev.interlock.jdbc.JdbcStore;
import dev.interlock.spi.LockStore;
import dev.interlock.spring.boot.InterlockActuatorAutoConfiguration;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.spring.boot.InterlockConfigurationException;
import dev.interlock.spring.boot.InterlockFailureAnalyzer;
import io.lettuce.core.RedisClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Where the client of an application comes from. */
class ConfigurationTest {

    @TempDir
    Path folder;

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class));

    @Test
    void uri_makesTheClient() {
        application
                .withPropertyValues("interlock.uri=jdbc:sqlite:" + folder.resolve("locks.db"))
                .run(context -> assertLocks(context.getBean(Interlock.class)));
    }

    /** Nothing listens on port 1. */
    @Test
    void unreachableStore_letsTheApplicationStart() {
        application
                .withPropertyValues("interlock.uri=redis://127.0.0.1:1")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Interlock.class));
    }

    @Test
    void noStore_isExplained() {
        application.run(context -> assertThat(analysis(context).getAction())
                .contains("interlock.uri")
                .contains("interlock-redis"));
    }

    @Test
    void wrongUri_isExplainedWithoutThePassword() {
        application
                .withPropertyValues("interlock.uri=redis://app:s3cret@example:x")
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("port")
                        .doesNotContain("s3cret"));
    }

    @Test
    void wrongOptions_areExplained() {
        application
                .withPropertyValues("interlock.uri=redis://127.0.0.1:1", "interlock.locks.orders.lease=1ms")
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("interlock.locks.orders: A lease must last from 50 ms to 365 days: PT0.001S"));
        application
                .withPropertyValues("interlock.uri=redis://127.0.0.1:1", "interlock.defaults.hand-over-count=-1")
                .run(context ->
                        assertThat(analysis(context).getDescription()).contains("interlock.defaults: The hand"));
        application
                .withPropertyValues(
                        "interlock.uri=redis://127.0.0.1:1",
                        "interlock.defaults.fair=true",
                        "interlock.locks.orders.retained=1m")
                .run(context -> assertThat(analysis(context).getDescription()).contains("interlock.locks.orders: "));
    }

    /** Without a server, as an application may run on the machine of a developer. */
    @Test
    void retainedLock_isKept_inMemory() {
        application
                .withPropertyValues("interlock.uri=memory:", "interlock.defaults.retained=1m")
                .run(context -> {
                    Interlock interlock = context.getBean(Interlock.class);
                    interlock.lock("orders").run(() -> {});
                    assertThat(interlock.lock("orders").isLocked()).isTrue();
                });
    }

    @Test
    void earlyRelease_isThatOfTheDefaults() {
        application
                .withPropertyValues("interlock.uri=memory:", "interlock.defaults.release-early=true")
                .run(context -> assertThat(
                                context.getBean(Interlock.class).lockOptions().releasesEarly())
                        .isTrue());
    }

    @Test
    void lockDelay_isThatOfTheDefaults() {
        application
                .withPropertyValues("interlock.uri=memory:", "interlock.defaults.lock-delay=10s")
                .run(context -> assertThat(
                                context.getBean(Interlock.class).lockOptions().lockDelay())
                        .isEqualTo(Duration.ofSeconds(10)));
    }

    @Test
    void dataSourceOfTheApplication_isUsed() {
        application
                .withBean(DataSource.class, this::dataSource)
                .run(context -> assertLocks(context.getBean(Interlock.class)));
    }

    @Test
    void twoConnections_needAChoice() {
        ApplicationContextRunner both = application
                .withBean(DataSource.class, this::dataSource)
                .withBean(RedisClient.class, () -> RedisClient.create("redis://127.0.0.1:1"));
        both.run(context -> assertThat(analysis(context).getDescription())
                .contains("a DataSource")
                .contains("a Lettuce RedisClient"));
        both.withPropertyValues("interlock.store=jdbc").run(context -> assertLocks(context.getBean(Interlock.class)));
    }

    @Test
    void storeOfTheApplication_comesFirst() {
        application
                .withBean(LockStore.class, () -> JdbcStore.sqlite(folder.resolve("own.db")))
                .withPropertyValues("interlock.uri=redis://127.0.0.1:1")
                .run(context -> assertLocks(context.getBean(Interlock.class)));
    }

    @Test
    void clientOfTheApplication_replacesOurs() {
        application.withBean("mine", Interlock.class, Interlock::inMemory).run(context -> assertThat(context)
                .hasSingleBean(Interlock.class)
                .hasBean("mine"));
    }

    @Test
    void name_isThatOfTheApplication() {
        application
                .withPropertyValues(
                        "interlock.uri=jdbc:sqlite:" + folder.resolve("named.db"), "spring.application.name=billing")
                .run(context -> {
                    Interlock interlock = context.getBean(Interlock.class);
                    try (Lease lease = interlock.lock("a").acquire()) {
                        assertThat(interlock.lock("a").inspect().holders())
                                .singleElement()
                                .satisfies(holder ->
                                        assertThat(holder.party().application()).isEqualTo("billing"));
                        assertThat(lease.isValid()).isTrue();
                    }
                });
    }

    @Test
    void namePrefix_isInTheStoreOnly() {
        String uri = "interlock.uri=jdbc:sqlite:" + folder.resolve("prefixed.db");
        application.withPropertyValues(uri, "interlock.name-prefix=shop:").run(context -> {
            try (Lease lease = context.getBean(Interlock.class).lock("a").acquire()) {
                assertThat(lease.name()).isEqualTo("a");
                application.withPropertyValues(uri).run(other -> assertThat(
                                other.getBean(Interlock.class).lock("shop:a").tryAcquire())
                        .isEmpty());
            }
        });
    }

    @Test
    void info_hasTheKindOfTheStore_butNoAddress() {
        application
                .withConfiguration(AutoConfigurations.of(InterlockActuatorAutoConfiguration.class))
                .withPropertyValues("interlock.uri=redis://app:s3cret@127.0.0.1:1", "spring.application.name=billing")
                .run(context -> {
                    Info.Builder info = new Info.Builder();
                    context.getBean(InfoContributor.class).contribute(info);
                    assertThat(info.build().get("interlock"))
                            .asInstanceOf(InstanceOfAssertFactories.MAP)
                            .containsOnlyKeys("version", "store", "application")
                            .containsEntry("store", "redis")
                            .containsEntry("application", "billing");
                });
    }

    static class OfClient {
        @Locked(value = "a", client = "billing")
        public String run() {
            return "ran";
        }
    }

    @Test
    void clientThatDoesNotExist_isRefusedAtTheStart() {
        application
                .withBean("reports", Interlock.class, Interlock::inMemory)
                .withBean(OfClient.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(LockedMethodException.class)
                        .hasMessageContainingAll("OfClient.run", "client = \"billing\"", "[reports]"));
    }

    /** Also if the method is known before the client is made. */
    @Test
    void clientThatIsMadeLazily_isFound() {
        application
                .withBean(OfClient.class)
                .withBean("reports", Interlock.class, Interlock::inMemory)
                .withBean("other", Interlock.class, Interlock::inMemory, definition -> {
                    definition.setLazyInit(true);
                    ((AbstractBeanDefinition) definition)
                            .addQualifier(new AutowireCandidateQualifier(Qualifier.class, "billing"));
                })
                .run(context ->
                        assertThat(context.getBean(OfClient.class).run()).isEqualTo("ran"));
    }

    @Test
    void electionWithoutAName_isExplained() {
        application
                .withPropertyValues("interlock.uri=memory:", "interlock.elections=a,b,")
                .run(context ->
                        assertThat(analysis(context).getDescription()).contains("interlock.elections", "[a, b, ]"));
    }

    private DataSource dataSource() {
        HikariDataSource dataSource = new HikariDataSource();
        dataSource.setJdbcUrl("jdbc:sqlite:" + folder.resolve("pool.db"));
        return dataSource;
    }

    private static void assertLocks(Interlock interlock) throws InterruptedException {
        try (Lease lease = interlock.lock("orders").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(interlock.lock("orders").tryAcquire()).isEmpty();
        }
    }

    private static FailureAnalysis analysis(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        Throwable failure = Objects.requireNonNull(context.getStartupFailure());
        FailureAnalysis analysis = Objects.requireNonNull(new InterlockFailureAnalyzer().analyze(failure));
        assertThat(analysis.getCause()).isInstanceOf(InterlockConfigurationException.class);
        return analysis;
    }
}
