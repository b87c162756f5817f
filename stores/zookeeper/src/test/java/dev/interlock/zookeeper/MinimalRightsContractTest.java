package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.store.LockStoreContract;
import dev.interlock.testkit.server.ZooKeeperServer;
import dev.interlock.testkit.store.BlockingClient;
import dev.interlock.testkit.store.EveryVerb;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * P28: the contract holds with the rights that docs/zookeeper.md calls needed, and each of them that is missing is
 * named. The user of the locks has no right outside the path of the store, and none to change access lists.
 */
@Tag("long")
class MinimalRightsContractTest extends LockStoreContract {

    static final int WITHOUT_WRITE = Perms.CREATE | Perms.DELETE | Perms.READ;
    static final int ALL_NEEDED = WITHOUT_WRITE | Perms.WRITE;

    private static final AtomicInteger PATHS = new AtomicInteger();
    private static final int SESSION = (int) TestServer.LONG_SESSION.toMillis();

    private static ZooKeeperServer server;
    private static CuratorFramework administrator;
    private static CuratorFramework application;

    @BeforeAll
    static void startServer() throws Exception {
        server = ZooKeeperServer.settings().audited().start();
        administrator = client("admin", List.of());
        administrator.setACL().withACL(List.of(of("admin", Perms.ALL))).forPath("/");
        create("/least", ALL_NEEDED);
        create("/no-write", WITHOUT_WRITE);
        application = client("ann", List.of(of("ann", WITHOUT_WRITE)));
    }

    @AfterAll
    static void stopServer() {
        application.close();
        administrator.close();
        server.close();
    }

    /** In the name of this user, whose nodes get this list. */
    private static CuratorFramework client(String user, List<ACL> acl) throws InterruptedException {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(server.connectString())
                .sessionTimeoutMs(SESSION)
                .connectionTimeoutMs(SESSION)
                .authorization("digest", (user + ":secret").getBytes(StandardCharsets.UTF_8))
                .aclProvider(Settings.provider(acl))
                .retryPolicy(new RetryOneTime(100))
                .build();
        client.start();
        client.blockUntilConnected();
        return client;
    }

    private static ACL of(String user, int rights) {
        try {
            return new ACL(rights, new Id("digest", DigestAuthenticationProvider.generateDigest(user + ":secret")));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A path for locks, on which the user has these rights. */
    private static void create(String path, int rights) throws Exception {
        administrator.create().withACL(List.of(of("ann", rights))).forPath(path);
    }

    /** By a client of the application: its claims stay when the store is closed. */
    @Override
    protected LockStore openStore() {
        return ZooKeeperStore.builder(application).path("/no-write").build();
    }

    @Override
    protected boolean queues() {
        return true;
    }

    private static BlockingClient locks(String path, int rights) {
        return new BlockingClient(ZooKeeperStore.builder(server.uri() + path)
                .session(TestServer.LONG_SESSION)
                .digest("ann", "secret")
                .acl(Settings.provider(List.of(of("ann", rights))))
                .build());
    }

    private static Map<String, Throwable> failures(String path, int rights) {
        try (BlockingClient client = locks(path, rights);
                BlockingClient other = locks(path, rights)) {
            return EveryVerb.failures(client, other, "verbs");
        }
    }

    @Test
    void P28_theNeededRightsAreEnoughForEveryVerb() {
        assertThat(failures("/least", ALL_NEEDED)).isEmpty();
        assertThat(server.log().lines().filter(line -> line.contains("user=ann")))
                .anyMatch(line -> line.contains("operation=setData"))
                .noneMatch(line -> line.contains("operation=setAcl"));
    }

    /** The server's own log has every request as refused that writes. */
    @ParameterizedTest
    @CsvSource({
        "CREATE, acquire, CREATE (on the parent), /verbs-lock, create",
        "DELETE, release, DELETE (on the parent), /verbs-lock/_c_, delete",
        "DELETE, downgrade, DELETE (on the parent), /verbs-rw/_c_, multiOperation",
        "DELETE, take permits, DELETE (on the parent), /verbs-permits/locks/_c_, multiOperation",
        "DELETE, count down to zero, DELETE (on the parent), /verbs-latch/count, multiOperation",
        "READ, acquire, READ, /verbs-lock,",
        "WRITE, ask, WRITE, /verbs-lock/_c_, setData",
        "WRITE, resize again, WRITE, /verbs-permits/capacity, setData",
        "WRITE, add permits, WRITE, /verbs-permits/capacity, setData",
        "WRITE, count down, WRITE, /verbs-latch/count, setData",
    })
    void P28_aMissingRightIsNamed(String taken, String verb, String named, String path, @Nullable String operation)
            throws Exception {
        int rights = ALL_NEEDED & ~perm(taken);
        String less = "/less-" + PATHS.incrementAndGet();
        create(less, rights);
        int before = server.log().length();

        Map<String, Throwable> failures = failures(less, rights);

        assertThat(failures.get(verb))
                .as("what has failed: %s", failures)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("A right is missing on ZooKeeper: permission=" + named + ", path=" + less + path);
        if (operation != null) {
            assertThat(server.log().substring(before).lines())
                    .anyMatch(line -> line.contains("user=ann")
                            && line.contains("operation=" + operation)
                            && line.contains("result=failure"));
        }
    }

    private static int perm(String right) {
        return switch (right) {
            case "CREATE" -> Perms.CREATE;
            case "DELETE" -> Perms.DELETE;
            case "READ" -> Perms.READ;
            default -> Perms.WRITE;
        };
    }
}
