package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.store.BlockingClient;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How many keys etcd has to remember of a name: it looks at all that have ever been with a prefix, until it compacts.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeyNumbersTest {

    @RegisterExtension
    private static final TestEtcd ETCD = TestEtcd.shared();

    private static final int TIMES = 20;

    private final Set<String> seen = new TreeSet<>();
    private BlockingClient client;

    @BeforeEach
    void open() {
        client = new BlockingClient(EtcdStore.at(ETCD.uri()));
    }

    @AfterEach
    void close() {
        if (client != null) {
            client.close();
        }
    }

    private void look(String prefix) {
        ETCD
                .client()
                .getKVClient()
                .get(
                        Operations.bytes("interlock" + prefix),
                        GetOption.builder().isPrefix(true).build())
                .join()
                .getKvs()
                .stream()
                .map(KeyValue::getKey)
                .forEach(key -> seen.add(key.toString(StandardCharsets.UTF_8)));
    }

    @Test
    void claimsOneAfterTheOther_haveOneKey() {
        for (int i = 0; i < TIMES; i++) {
            Claim held = client.hold("one");
            look("/one/");
            assertThat(client.release(held)).isTrue();
        }

        assertThat(seen).hasSize(1);
    }

    @Test
    void claimsThatReplaceEachOther_haveTwoKeys() {
        Claim held = client.hold("two");
        for (int i = 0; i < TIMES; i++) {
            look("/two/");
            Claim next = client.claim("two").waiting(Duration.ZERO).replacing(held.owner());
            client.granted(next);
            held = next;
        }
        client.release(held);

        assertThat(seen).hasSize(2);
    }

    /** Each claim has a key of its own, and it is the smallest that is free. */
    @Test
    void claimsBesideEachOther_haveAsManyKeys() {
        LockId semaphore = new LockId("three", LockKind.SEMAPHORE);
        List<Claim> held = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            Claim claim = client.claim(semaphore).inMode(new Mode.Permits(1, 3));
            client.granted(claim);
            held.add(claim);
            look("%semaphore/three/");
            if (held.size() == 3) {
                client.release(held.remove(i % 3));
            }
        }
        held.forEach(client::release);

        assertThat(seen).hasSize(3);
    }

    /** A claim that is refused, or that waits in vain, leaves its key to the next one, too. */
    @Test
    void claimsThatWaitInVain_haveOneKey() {
        try (BlockingClient other = new BlockingClient(ETCD.over())) {
            Claim held = other.hold("vain");
            for (int i = 0; i < TIMES; i++) {
                Claim waiting = client.claim("vain").waiting(Duration.ZERO);
                client.busy(waiting);
                look("/vain/");
                client.release(waiting);
            }
            other.release(held);
        }

        assertThat(seen).as("of the holder, and of those that wait").hasSize(2);
    }
}
