package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.annotation.Locked;
import dev.interlock.spring.LeaderElections;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.spring.boot.InterlockProperties;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Stopwatch;
import dev.interlock.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertiesPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/** The settings of docs/choose-a-lease.md on a Redis that is killed, and on one that is stopped. */
class ChooseALeaseTest {

    enum Fault {
        KILLED {
            @Override
            void strike(RedisServer server) {
                server.kill();
            }

            @Override
            void end(RedisServer server) {
                server.restart();
            }
        },
        STOPPED {
            @Override
            void strike(RedisServer server) {
                server.stop();
            }

            @Override
            void end(RedisServer server) {
                server.cont();
            }
        };

        abstract void strike(RedisServer server);

        abstract void end(RedisServer server);
    }

    static class Application {

        private final AtomicInteger checkedOut;
        private final AtomicInteger reported;

        Application(AtomicInteger checkedOut, AtomicInteger reported) {
            this.checkedOut = checkedOut;
            this.reported = reported;
        }

        @Locked(value = "cart:#{#id}", waitAtMost = "2s")
        public void checkOut(int id, Runnable body) {
            body.run();
            checkedOut.incrementAndGet();
        }

        @Locked(value = "nightly-report", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP, atLeast = "5m")
        public void report() {
            reported.incrementAndGet();
        }
    }

    private final AtomicInteger checkedOut = new AtomicInteger();
    private final AtomicInteger reported = new AtomicInteger();
    private final RedisServer server = RedisServer.start();
    private ApplicationContextRunner application = new ApplicationContextRunner();

    /** With the properties of the page, all in one application. */
    @BeforeEach
    void start() throws IOException {
        Properties properties = properties();
        application = application
                .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addLast(new PropertiesPropertySource("the page", properties)))
                .withPropertyValues("interlock.uri=" + server.uri(), "interlock.close-timeout=10ms")
                .withBean(Application.class, () -> new Application(checkedOut, reported));
    }

    @AfterEach
    void end() {
        server.close();
    }

    private static Properties properties() throws IOException {
        Path module = Path.of(System.getProperty("interlock.target", "target"), "..");
        YamlPropertiesFactoryBean blocks = new YamlPropertiesFactoryBean();
        blocks.setResources(Pattern.compile("(?s)```yaml\\n(.*?)```")
                .matcher(Files.readString(module.resolve("../../docs/choose-a-lease.md")))
                .results()
                .map(block -> new ByteArrayResource(block.group(1).getBytes(StandardCharsets.UTF_8)))
                .toArray(Resource[]::new));
        return Objects.requireNonNull(blocks.getObject());
    }

    /** A property with another name would be ignored. */
    @Test
    void theProperties_areThoseOfTheTable() {
        application.run(context -> {
            InterlockProperties found = context.getBean(InterlockProperties.class);
            assertThat(found.storeTimeout()).isEqualTo(Duration.ofSeconds(3));
            assertThat(found.attemptTimeout()).isEqualTo(Duration.ofSeconds(1));
            InterlockProperties.Lock cart = Objects.requireNonNull(found.locks().get("cart:*"));
            assertThat(cart.lease()).isEqualTo(Duration.ofSeconds(10));
            assertThat(cart.maxHold()).isEqualTo(Duration.ofMinutes(1));
            assertThat(Objects.requireNonNull(found.locks().get("cleanup")).lease())
                    .isEqualTo(Duration.ofSeconds(10));
        });
    }

    @ParameterizedTest
    @EnumSource
    void theWebRequest_andTheJob_fail_andRunAgain(Fault fault) {
        application.run(context -> {
            Application bean = context.getBean(Application.class);
            bean.checkOut(1, () -> {});

            fault.strike(server);
            assertThatThrownBy(() -> bean.checkOut(2, () -> {})).isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(bean::report).isInstanceOf(StoreUnavailableException.class);
            assertThat(checkedOut).hasValue(1);
            assertThat(reported).hasValue(0);

            fault.end(server);
            // What was asked before may be granted now, and is released at once: until then the lock is busy.
            await().ignoreExceptions().untilAsserted(() -> {
                bean.checkOut(2, () -> {});
                bean.report();
                assertThat(reported).hasValue(1);
            });
            assertThat(checkedOut).hasValueGreaterThan(1);
        });
    }

    /** The release is not waited for beyond its time, and is no exception. */
    @ParameterizedTest
    @EnumSource
    void aRequestThatHolds_endsAsUsual(Fault fault) {
        application.run(context -> {
            Application bean = context.getBean(Application.class);

            bean.checkOut(1, () -> fault.strike(server));

            assertThat(checkedOut).hasValue(1);
        });
    }

    @ParameterizedTest
    @EnumSource
    void theBatch_waitsUntilTheStoreIsBack(Fault fault) throws Exception {
        try (Interlock batch = Interlock.builder(server.uri())
                .storeTimeout(Duration.ofMinutes(5))
                .lockOptions(options -> options.lease(LeaseTerm.renewing(Duration.ofMinutes(2))))
                .build()) {
            batch.lock("import").run(() -> {});
            fault.strike(server);

            CompletableFuture<Optional<Lease>> asked =
                    batch.lock("import").tryAcquireAsync(Duration.ofMinutes(10)).toCompletableFuture();
            assertThat(asked).isNotDone();
            fault.end(server);

            try (Lease lease = asked.get(Patience.seconds(), TimeUnit.SECONDS).orElseThrow()) {
                lease.ensureValid();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theCandidate_leadsWhenTheStoreIsBack(Fault fault) {
        fault.strike(server);
        application.withPropertyValues("interlock.elections=cleanup").run(context -> {
            LeaderElections elections = context.getBean(LeaderElections.class);
            assertThat(elections.isLeader("cleanup")).isFalse();

            fault.end(server);

            await().until(() -> elections.isLeader("cleanup"));
        });
    }

    /** The times of the page, which has them in whole seconds. */
    @Tag(Effort.TIMING)
    @ParameterizedTest
    @EnumSource
    void aPage_doesNotHang(Fault fault) {
        application.run(context -> {
            Application bean = context.getBean(Application.class);
            bean.checkOut(1, () -> {});
            fault.strike(server);
            try (Stopwatch watch = new Stopwatch()) {
                assertThatThrownBy(() -> bean.checkOut(2, () -> {})).isInstanceOf(StoreUnavailableException.class);
                watch.assertAtMost(Duration.ofSeconds(3), "a request that wants a lock");
            }
            fault.end(server);
            await().ignoreExceptions().untilAsserted(() -> bean.checkOut(2, () -> {}));
            Stopwatch[] watches = new Stopwatch[1];
            bean.checkOut(3, () -> {
                fault.strike(server);
                watches[0] = new Stopwatch();
            });
            try (Stopwatch watch = watches[0]) {
                watch.assertAtMost(Duration.ofSeconds(2), "a request that holds a lock");
            }
        });
    }
}
