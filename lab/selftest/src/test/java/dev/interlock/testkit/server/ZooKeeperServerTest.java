package dev.interlock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.testkit.process.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class ZooKeeperServerTest {

    private static final Duration SESSION = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final byte[] DATA = "data".getBytes(StandardCharsets.UTF_8);

    private static ZooKeeperServer server;

    @BeforeAll
    static void startServer() {
        server = ZooKeeperServer.start();
    }

    @AfterAll
    static void leavesNothing() {
        long pid = server.pid();
        server.close();
        assertThat(Signals.state(pid)).isEqualTo(Signals.GONE);
        Path servers = RedisBinary.target().resolve("servers");
        assertThat(servers.toFile().list((folder, name) -> name.startsWith("zookeeper-" + server.port() + "-")))
                .isEmpty();
    }

    @Test
    void keepsItsDataWhenItIsKilledAndStartsAgain() throws Exception {
        long before = server.pid();
        try (PlainClient client = connect(server.connectString())) {
            client.zk().create("/kept", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            server.kill();
            assertThat(server.role()).isEqualTo(ZooKeeperServer.Role.NONE);

            server.restart();

            assertThat(server.pid()).isNotEqualTo(before);
            await().until(() -> server.role() == ZooKeeperServer.Role.STANDALONE);
        }
        try (PlainClient client = connect(server.connectString())) {
            assertThat(client.zk().getData("/kept", false, new Stat())).isEqualTo(DATA);
        }
    }

    @Test
    void aClockThatIsSet_isThatOfTheServer() throws Exception {
        try (ZooKeeperServer shifted =
                        ZooKeeperServer.settings().settableClock().start();
                PlainClient client = connect(shifted.connectString())) {
            long now = created(client, "/now");

            shifted.clock(Duration.ofHours(-100));
            long earlier = created(client, "/earlier");
            shifted.clock(Duration.ZERO);

            assertThat(now - earlier).isGreaterThan(Duration.ofHours(99).toMillis());
            assertThat(created(client, "/later")).isGreaterThanOrEqualTo(now);
        }
    }

    private static long created(PlainClient client, String path) throws Exception {
        client.zk().create(path, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        return client.zk().exists(path, false).getCtime();
    }

    @Test
    void aSessionEndsWhenItIsTold_andNoOther() throws Exception {
        try (PlainClient victim = connect(server.connectString());
                PlainClient other = connect(server.connectString())) {
            victim.zk().create("/victim", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            other.zk().create("/other", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            assertThat(server.sessions())
                    .contains(victim.zk().getSessionId(), other.zk().getSessionId());

            server.expire(victim.zk().getSessionId());

            assertThat(other.zk().exists("/victim", false)).isNull();
            assertThat(other.zk().exists("/other", false)).isNotNull();
            victim.awaitEnd();
            assertThat(server.sessions()).contains(other.zk().getSessionId());
            assertThatThrownBy(() -> server.expire(victim.zk().getSessionId()))
                    .hasMessageContaining(Long.toHexString(victim.zk().getSessionId()));
        }
    }

    @Test
    void aSessionThatTheServerDoesNotHearOfEndsInItsTime() throws Exception {
        // Before the session: if this process stands still, the server has not heard of it since before the fault.
        long begin = System.nanoTime();
        try (FaultProxy proxy = FaultProxy.to(server);
                PlainClient client = PlainClient.connect("127.0.0.1:" + proxy.port(), SHORT)) {
            assertThat(client.zk().getSessionTimeout()).isEqualTo((int) SHORT.toMillis());
            long session = client.zk().getSessionId();
            proxy.blackHole();
            await().until(() -> !server.sessions().contains(session));
            Duration least = SHORT.multipliedBy(3).dividedBy(4);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(least);
        }
    }

    @Test
    void isStoppedWhenItSaysSo() {
        server.stop();
        try {
            assertThat(server.state()).isEqualTo(Signals.STOPPED);
            assertThat(server.role()).isEqualTo(ZooKeeperServer.Role.NONE);
        } finally {
            server.cont();
        }
        await().ignoreExceptionsInstanceOf(UncheckedIOException.class).until(() -> isOk(server.ask("ruok")));
    }

    @Test
    void saysWhyItDidNotStart() {
        assertThatThrownBy(() ->
                        ZooKeeperServer.settings().config("initLimit=many").start())
                .hasMessageContaining("many");
    }

    private static boolean isOk(String answer) {
        return answer.equals("imok");
    }

    private static PlainClient connect(String at) throws IOException {
        return PlainClient.connect(at, SESSION);
    }
}
