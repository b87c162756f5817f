package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.ZooKeeperServer;
import dev.interlock.testkit.server.ZooKeeperSettings;
import dev.interlock.testkit.store.BlockingClient;
import dev.interlock.testkit.store.EveryVerb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With SASL, by the DIGEST-MD5 login of a JAAS section. */
@Tag("wide")
class SaslTest {

    private static final Duration ATTEMPT = Duration.ofSeconds(2);

    private static Path jaas;
    private static ZooKeeperServer server;
    private static ZooKeeperServer demanding;

    @BeforeAll
    static void startServer() throws IOException {
        Path target = Path.of(System.getProperty("interlock.target", "target")).toAbsolutePath();
        jaas = Files.createTempFile(Files.createDirectories(target), "jaas-", ".conf");
        Files.writeString(jaas, "Server { " + DigestLoginModule.class.getName() + " required user_ann=\"right\"; };\n");
        Configuration.setConfiguration(new Logins(Map.of("Ann", "right", "Mallory", "wrong")));
        server = settings().start();
        demanding = settings()
                .config("enforce.auth.enabled=true")
                .config("enforce.auth.schemes=sasl")
                .start();
    }

    private static ZooKeeperSettings settings() {
        return ZooKeeperServer.settings()
                .property("java.security.auth.login.config", jaas.toString())
                .config("authProvider.1=org.apache.zookeeper.server.auth.SASLAuthenticationProvider");
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
        demanding.close();
        Configuration.setConfiguration(null);
        Files.delete(jaas);
    }

    /**
     * The JAAS file of a client, with a section for each password. The usual section {@code Client} is not there: other
     * tests of this JVM have no login.
     */
    private static final class Logins extends Configuration {
        private final Map<String, String> passwords;

        Logins(Map<String, String> passwords) {
            this.passwords = passwords;
        }

        @Override
        public AppConfigurationEntry @Nullable [] getAppConfigurationEntry(String section) {
            String password = passwords.get(section);
            return password == null
                    ? null
                    : new AppConfigurationEntry[] {
                        new AppConfigurationEntry(
                                DigestLoginModule.class.getName(),
                                LoginModuleControlFlag.REQUIRED,
                                Map.of("username", "ann", "password", password))
                    };
        }
    }

    private static Interlock open(@Nullable String section) {
        return open(server, section);
    }

    private static Interlock open(ZooKeeperServer at, @Nullable String section) {
        return Interlock.builder(store(at, section, "/sasl", ZooDefs.Perms.ALL).build())
                .attemptTimeout(ATTEMPT)
                .closeTimeout(Duration.ofMillis(200))
                .build();
    }

    /** Whose nodes give these rights to Ann alone. */
    private static ZooKeeperStoreBuilder store(ZooKeeperServer at, @Nullable String section, String path, int rights) {
        ZKClientConfig config = new ZKClientConfig();
        // Without this ZooKeeper's client has no DIGEST-MD5.
        config.setProperty("zookeeper.fips-mode", "false");
        // So little that a listing has a connection of its own, which needs the same.
        config.setProperty(ZKConfig.JUTE_MAXBUFFER, "100000");
        if (section != null) {
            config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, section);
        }
        return ZooKeeperStore.builder(at.uri() + path)
                .clientConfig(config)
                .acl(Settings.provider(List.of(new ACL(rights, new Id("sasl", "ann")))));
    }

    @Test
    void lock_byTheUserWhoOwnsTheNodes_andByNobodyElse() throws Exception {
        try (Interlock ann = open("Ann");
                Interlock also = open("Ann");
                Interlock nobody = open(null);
                Lease lease = ann.lock("secured").acquire()) {
            assertThat(lease.isValid()).isTrue();
            // On a busy machine a connection may take longer than the first attempt.
            await().ignoreExceptions().until(() -> also.lock("secured").isLocked());
            await().ignoreExceptions().until(() -> also.lock("secured")
                    .tryAcquire(Duration.ofSeconds(1))
                    .isEmpty());
            await().ignoreExceptions()
                    .untilAsserted(() ->
                            assertThat(ann.administration().list("secured", 10)).hasSize(1));
            // Without a login: a right is missing.
            assertSays(nobody, "path=/sasl");
        }
    }

    /** P28: the rights of a user by SASL are those that docs/zookeeper.md calls needed. */
    @Tag("long")
    @ParameterizedTest
    @CsvSource({"nothing, 0", "CREATE, 4", "DELETE, 8", "READ, 1", "WRITE, 2"})
    void P28_theNeededRights_areEnough_andOneThatIsMissing_isNamed(String missing, int bit) {
        ZooKeeperStoreBuilder store = store(
                        server, "Ann", "/sasl-" + missing, MinimalRightsContractTest.ALL_NEEDED & ~bit)
                .session(TestServer.LONG_SESSION);
        try (BlockingClient ann = new BlockingClient(store.build());
                BlockingClient also = new BlockingClient(store.build())) {
            Map<String, Throwable> failures = EveryVerb.failures(ann, also, "verbs");

            if (bit == 0) {
                assertThat(failures).isEmpty();
            } else {
                assertThat(failures.values()).anySatisfy(failure -> assertThat(failure)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("A right is missing on ZooKeeper: permission=" + missing));
            }
        }
    }

    @Test
    void aWrongPassword_isRefused_andNamed() {
        try (Interlock mallory = open("Mallory")) {
            assertSays(mallory, "ZooKeeper refused the credentials");
        }
    }

    @Test
    void aServerThatDemandsALogin_servesAClientWithOne() throws Exception {
        try (Interlock ann = open(demanding, "Ann");
                Lease lease = ann.lock("demanded").acquire()) {
            assertThat(lease.isValid()).isTrue();
        }
    }

    /** It lets everybody connect, and closes the session at the first request. */
    @Test
    void serverThatDemandsALogin_isNamedEveryTime() {
        try (Interlock nobody = open(demanding, null)) {
            for (int i = 0; i < 2; i++) {
                assertSays(nobody, "ZooKeeper demands a login of every client");
            }
        }
    }

    @Test
    void aServerThatDemandsALogin_refusesAWrongPassword() {
        try (Interlock mallory = open(demanding, "Mallory")) {
            assertSays(mallory, "ZooKeeper refused the credentials");
        }
    }

    private static void assertSays(Interlock client, String reason) {
        // As above.
        await().untilAsserted(
                        () -> assertThatThrownBy(() -> client.lock("secured").tryLock())
                                .isInstanceOf(StoreUnavailableException.class)
                                .hasMessageContaining(reason)
                                .hasMessageNotContaining("wrong"));
    }

    /** A refusal takes no longer than an attempt, however often a client is refused. */
    @Tag(Effort.TIMING)
    @Test
    void refusals_comeInTime() {
        try (Interlock mallory = open("Mallory");
                Interlock nobody = open(demanding, null);
                Interlock malloryThere = open(demanding, "Mallory")) {
            for (Interlock client : List.of(mallory, nobody, nobody, malloryThere)) {
                long begun = System.nanoTime();
                assertThatThrownBy(() -> client.lock("secured").tryLock())
                        .isInstanceOf(StoreUnavailableException.class);
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(ATTEMPT.plusSeconds(2));
            }
        }
    }
}
