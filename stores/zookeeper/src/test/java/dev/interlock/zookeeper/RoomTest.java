package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The nodes of one name must fit into one answer, as a claim that enters reads all of them. Shown with answers of 2000
 * bytes, which have room for 27.
 */
class RoomTest extends OverProxy {

    private static final int ROOM = 27;
    private Probe small;

    @BeforeEach
    void open() {
        ZKClientConfig options = new ZKClientConfig();
        options.setProperty(ZKConfig.JUTE_MAXBUFFER, "2000");
        small = new Probe(ZooKeeperStore.builder(uri()).clientConfig(options).build()).connected();
    }

    @AfterEach
    void closeSmall() {
        small.close();
    }

    /** The failure that the limit avoids. */
    @Test
    void aQueueThatIsTooLong_breaksTheConnection() throws Exception {
        small.granted(small.claim("held"));
        SERVER.client().create().forPath("/crowd");
        strangers("/crowd", ROOM + 10);

        assertThat(small.store.inspect(LockId.lock("crowd")).toCompletableFuture())
                .failsWithin(Patience.limit())
                .withThrowableOfType(Exception.class)
                .withMessageContaining("ConnectionLoss");
    }

    @Test
    void claimThatMakesAQueueTooLong_leavesAgain() throws Exception {
        Claim held = small.waiting("queue");
        small.granted(held);
        strangers("/queue", ROOM - 1);

        refused(small.waiting("queue"), "/queue", ROOM + 1);

        await().until(() -> children("/queue").size() == ROOM);
        assertThat(small.renew(held)).isEqualTo(Renewal.HELD);
        assertThat(begun).hasValue(1);
    }

    @Test
    void claimOfPermitsThatMakesAQueueTooLong_leavesAgain() throws Exception {
        LockId id = new LockId("waiting", LockKind.SEMAPHORE);
        Mode.Permits one = new Mode.Permits(1, 1);
        Claim held = small.claim(id, one).waiting(Duration.ZERO);
        small.granted(held);
        strangers("/waiting/locks", ROOM);

        refused(small.claim(id, one).waiting(Duration.ZERO), "/waiting/locks", ROOM + 1);

        await().until(() -> children("/waiting/locks").size() == ROOM);
        assertThat(small.renew(held)).isEqualTo(Renewal.HELD);
        assertThat(begun).hasValue(1);
    }

    @Test
    void permits_thatAreTooManyTogether_areNotTaken() throws Exception {
        LockId id = new LockId("permits", LockKind.SEMAPHORE);
        Mode.Permits nine = new Mode.Permits(9, 100);
        Claim held = small.claim(id, nine);
        small.granted(held);
        small.granted(small.claim(id, nine));
        small.granted(small.claim(id, nine));

        refused(small.claim(id, nine), "/permits/leases", 36);

        await().until(() -> children("/permits/locks").isEmpty());
        assertThat(children("/permits/leases")).hasSize(ROOM);
        assertThat(small.renew(held)).isEqualTo(Renewal.HELD);
        assertThat(begun).hasValue(1);
    }

    /** They would be more than the servers accept in one request. */
    @Test
    void permits_thatAreTooManyAtOnce_areNotRequested() throws Exception {
        LockId id = new LockId("at-once", LockKind.SEMAPHORE);
        Claim held = probe.claim(id, new Mode.Permits(1, 10_000));
        probe.granted(held);

        refused(probe, probe.claim(id, new Mode.Permits(6_000, 10_000)), "permits=6000, jute.maxbuffer=1048575");

        await().until(() -> children("/at-once/locks").isEmpty());
        assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
        assertThat(begun).as("connections: one of each probe").hasValue(2);
    }

    /** Lines up so many of other clients, which keep their places. */
    private static void strangers(String path, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            SERVER.client()
                    .create()
                    .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                    .forPath(path + "/_c_" + UUID.randomUUID() + "-lock-");
        }
    }

    private void refused(Claim claim, String path, int nodes) {
        refused(small, claim, "nodes=" + nodes + ", jute.maxbuffer=2000, path=" + path);
    }

    private static void refused(Probe by, Claim claim, String message) {
        assertThat(by.store.acquire(claim).toCompletableFuture())
                .failsWithin(Patience.limit())
                .withThrowableOfType(Exception.class)
                .withCauseInstanceOf(IllegalStateException.class)
                .withMessageContaining(message);
    }

    private static List<String> children(String path) throws Exception {
        return SERVER.children(path);
    }
}
