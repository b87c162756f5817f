package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.server.RedisCluster;
import dev.interlock.testkit.server.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A slot of which some keys have moved to another server and others have not, for as long as a resharding that was
 * stopped halfway leaves it so. Both servers refuse a command unless all keys that it names are there. A lease that is
 * held is kept, and can be released and looked at.
 */
class HalfMovedSlotTest {

    /** Which keys have moved. */
    enum Moved {
        HOLDERS,
        OTHERS,
        ALL,
        NONE
    }

    private static RedisCluster cluster;
    private static RedisServer from;
    private static RedisServer to;
    private static int names;

    private Probe probe;
    private String name;

    @BeforeAll
    static void startServers() {
        cluster = RedisCluster.start();
        from = cluster.masters().get(0);
        to = cluster.masters().get(1);
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
    }

    @BeforeEach
    void open() {
        probe = new Probe(cluster.uri());
        name = cluster.nameAt(from, "half-" + names++ + "-");
    }

    @AfterEach
    void close() {
        probe.close();
        cluster.moveKeys(slot(), from, to);
        cluster.endMove(slot(), from, to);
    }

    @ParameterizedTest
    @EnumSource(Moved.class)
    void aLock_isKept_seen_andReleased(Moved moved) {
        Claim held = probe.hold(name);
        Claim beside = probe.hold(cluster.nameAt(cluster.masters().get(2), "beside-" + names + "-"));
        move(moved, new Keys(name).lock());

        assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
        assertThat(Probe.answer(probe.store.renew(List.of(held, beside))))
                .containsEntry(held, Renewal.HELD)
                .containsEntry(beside, Renewal.HELD);
        assertThat(Probe.answer(probe.store.inspect(LockId.lock(name))).isLocked())
                .isTrue();
        assertThat(probe.release(held)).isTrue();
        assertThat(Probe.answer(probe.store.inspect(LockId.lock(name))).isLocked())
                .isFalse();
        probe.release(beside);
    }

    @ParameterizedTest
    @EnumSource(Moved.class)
    void aFairLock_isKept_andReleased(Moved moved) {
        Claim held = probe.claim(name).inMode(Mode.fair());
        probe.granted(held);
        move(moved, new Keys(name).lock());

        assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
        assertThat(probe.release(held)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Moved.class)
    void aPermit_isKept(Moved moved) {
        Claim held = probe.claim(name, LockKind.SEMAPHORE, new Mode.Permits(1, 2));
        probe.granted(held);
        move(moved, new Keys(name).semaphore());

        assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
    }

    /** It needs its two hashes, and the key that lives as long. */
    @Test
    void aShare_isKept_withoutItsFence() {
        Claim held = probe.claim(name, LockKind.READ_WRITE, Mode.shared());
        probe.granted(held);
        move(Moved.OTHERS, new Keys(name).fence());

        assertThat(probe.renew(held)).isEqualTo(Renewal.HELD);
    }

    private int slot() {
        return cluster.slot(name);
    }

    private void move(Moved moved, byte[] holders) {
        String key = text(holders);
        cluster.beginMove(slot(), from, to);
        for (String present : from.list("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot()), "100")) {
            boolean moves =
                    switch (moved) {
                        case HOLDERS -> present.equals(key);
                        case OTHERS -> !present.equals(key);
                        case ALL -> true;
                        case NONE -> false;
                    };
            if (moves) {
                moveKey(present);
            }
        }
    }

    private static void moveKey(String key) {
        assertThat(from.command("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key, "0", "300000"))
                .isEqualTo("OK");
    }

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }
}
