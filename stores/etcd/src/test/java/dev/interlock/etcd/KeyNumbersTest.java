package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.store.BlockingClient;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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
    private long lookedNanos;
    private long longestNanos;
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

    /**
     * The keys of a name that is used so. A request that etcd does not answer in time is made again, perhaps with
     * another key: then the keys of another name count.
     */
    private Set<String> seenOf(String prefix, Consumer<String> use) throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        return Patience.inTime(() -> {
            seen.clear();
            longestNanos = 0;
            lookedNanos = System.nanoTime();
            use.accept(prefix + attempts.incrementAndGet());
            lap();
            return longestNanos < Etcd.PATIENCE.toNanos() ? Optional.of(seen) : Optional.empty();
        });
    }

    /** Notes how long the requests since the last look have taken together. */
    private void lap() {
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - lookedNanos);
        lookedNanos = now;
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
        lap();
    }

    @Test
    void claimsOneAfterTheOther_haveOneKey() throws Exception {
        assertThat(seenOf("one", this::oneAfterTheOther)).hasSize(1);
    }

    private void oneAfterTheOther(String name) {
        for (int i = 0; i < TIMES; i++) {
            Claim held = client.hold(name);
            look("/" + name + "/");
            assertThat(client.release(held)).isTrue();
        }
    }

    @Test
    void claimsThatReplaceEachOther_haveTwoKeys() throws Exception {
        assertThat(seenOf("two", this::replacingEachOther)).hasSize(2);
    }

    private void replacingEachOther(String name) {
        Claim held = client.hold(name);
        for (int i = 0; i < TIMES; i++) {
            look("/" + name + "/");
            Claim next = client.claim(name).waiting(Duration.ZERO).replacing(held.owner());
            client.granted(next);
            held = next;
        }
        client.release(held);
    }

    /** Each claim has a key of its own, and it is the smallest that is free. */
    @Test
    void claimsBesideEachOther_haveAsManyKeys() throws Exception {
        assertThat(seenOf("three", this::besideEachOther)).hasSize(3);
    }

    private void besideEachOther(String name) {
        LockId semaphore = new LockId(name, LockKind.SEMAPHORE);
        List<Claim> held = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            Claim claim = client.claim(semaphore).inMode(new Mode.Permits(1, 3));
            client.granted(claim);
            held.add(claim);
            look("%semaphore/" + name + "/");
            if (held.size() == 3) {
                client.release(held.remove(i % 3));
            }
        }
        held.forEach(client::release);
    }

    /** A claim that is refused, or that waits in vain, leaves its key to the next one, too. */
    @Test
    void claimsThatWaitInVain_haveOneKey() throws Exception {
        assertThat(seenOf("vain", this::waitingInVain))
                .as("of the holder, and of those that wait")
                .hasSize(2);
    }

    private void waitingInVain(String name) {
        try (BlockingClient other = new BlockingClient(ETCD.over())) {
            Claim held = other.hold(name);
            for (int i = 0; i < TIMES; i++) {
                Claim waiting = client.claim(name).waiting(Duration.ZERO);
                client.busy(waiting);
                look("/" + name + "/");
                client.release(waiting);
            }
            other.release(held);
        }
    }
}
