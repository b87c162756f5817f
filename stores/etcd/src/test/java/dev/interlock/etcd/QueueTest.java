package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule of the queue, and what is read of keys that anybody may have written. Without an etcd. */
class QueueTest {

    private static final Keys KEYS = new Keys("path");
    private static final Party PARTY = new Party("h&o=s%t", 7, "a,p", "thread\n\ud83d\udd12");
    private static final Duration LEASE = Duration.ofSeconds(9);

    private final List<StoredKey> keys = new ArrayList<>();

    private void add(LockId id, Mode mode) {
        long revision = keys.size() + 1L;
        Claim claim = Claim.of(id, mode, new OwnerId("client:" + revision), LEASE, PARTY);
        keys.add(0, new StoredKey(KEYS.of(id) + "k" + revision, Entry.of(claim, 5), revision, revision, 99));
    }

    private void state(LockId id, State state) {
        keys.add(new StoredKey(KEYS.of(id), state.encoded(), 500, 500, 98));
    }

    /** One letter for each claim, the oldest first: h if it holds. */
    private String picture(LockId id) {
        Queue queue = Queue.of(id, KEYS.of(id), keys, 9);
        StringBuilder picture = new StringBuilder();
        queue.entries().forEach(entry -> picture.append(queue.holds(entry) ? 'h' : '-'));
        assertThat(queue.holding())
                .isEqualTo(queue.entries().stream().filter(queue::holds).toList());
        return picture.toString();
    }

    private static Queue.Obstacle obstacle(Queue queue, int entry) {
        return Objects.requireNonNull(queue.obstacleOf(queue.entries().get(entry)));
    }

    @Test
    void lock_theOldestHolds_andEachWaitsForTheOneBefore() {
        LockId id = LockId.lock("n");
        add(id, Mode.exclusive());
        add(id, Mode.fair());
        add(id, Mode.exclusive());

        Queue queue = Queue.of(id, KEYS.of(id), keys, 9);

        assertThat(picture(id)).isEqualTo("h--");
        assertThat(obstacle(queue, 2).key()).isEqualTo("path/n/k2");
        assertThat(queue.entries().get(0).party()).isEqualTo(PARTY);
        assertThat(queue.entries().get(0).lease()).isEqualTo(LEASE);
    }

    @Test
    void readers_holdTogether_untilAWriter() {
        LockId id = new LockId("n", LockKind.READ_WRITE);
        for (Mode mode : List.of(Mode.shared(), Mode.shared(), Mode.fair(), Mode.shared(), Mode.fair())) {
            add(id, mode);
        }
        Queue queue = Queue.of(id, KEYS.of(id), keys, 9);

        assertThat(picture(id)).isEqualTo("hh---");
        assertThat(obstacle(queue, 3).key()).endsWith("k3");
        assertThat(obstacle(queue, 2).key()).endsWith("k2");
    }

    @Test
    void permits_goInOrder_andThoseHeldBeforeAShrinkStay() {
        LockId id = new LockId("n", LockKind.SEMAPHORE);
        for (int count : List.of(2, 1, 2, 1)) {
            add(id, new Mode.Permits(count, 4));
        }
        assertThat(picture(id)).isEqualTo("hh--");
        Queue queue = Queue.of(id, KEYS.of(id), keys, 9);
        assertThat(obstacle(queue, 2).missing()).isEqualTo(1);
        assertThat(queue.hasRoomFor(new Mode.Permits(1, 9))).isFalse();

        state(id, new State(1, 2, "", List.of()));

        assertThat(picture(id)).isEqualTo("hh--");
        assertThat(Queue.of(id, KEYS.of(id), keys, 9).capacity()).isEqualTo(1);
    }

    @Test
    void latch_isPassed_atZero() {
        LockId id = new LockId("n", LockKind.LATCH);
        add(id, new Mode.AwaitZero());
        Queue unset = Queue.of(id, KEYS.of(id), keys, 9);
        assertThat(unset.obstacleOf(unset.entries().get(0))).isNull();

        state(id, new State(2, 0, "a,b", List.of("c,d&", "e")));

        Queue queue = Queue.of(id, KEYS.of(id), keys, 9);
        assertThat(obstacle(queue, 0).key()).isEqualTo(KEYS.of(id));
        assertThat(queue.state()).isEqualTo(new State(2, 0, "a,b", List.of("c,d&", "e")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "owner=%", "owner=a&pid=x", "owner=a&pid=1&since=", "&&==", "\u0000"})
    void valueOfAnotherClient_isAClaimOfTheWhole(String value) {
        LockId id = LockId.lock("n");
        keys.add(new StoredKey("path/n/694d", value, 1, 1, 99));

        Entry entry = Queue.of(id, KEYS.of(id), keys, 9).entries().get(0);

        assertThat(entry.owner()).isEqualTo("694d");
        assertThat(entry.party()).isEqualTo(Party.UNKNOWN);
        assertThat(entry.mode()).isEqualTo(Mode.exclusive());
        assertThat(picture(id)).isEqualTo("h");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "count=-1&granted=0", "count=99999999999&granted=0", "granted=x", "counted=%25"})
    void stateOfAnotherClient_isRefused_withItsKey(String value) {
        LockId id = new LockId("n", LockKind.LATCH);
        keys.add(new StoredKey(KEYS.of(id), value, 1, 1, 99));

        assertThatThrownBy(() -> Queue.of(id, KEYS.of(id), keys, 9))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("key=path%latch/n/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "a%2Fb", "%", "/", "%rw", "\ud83d\udd12", "\u0000"})
    void names_areFoundInTheirKeys_andInNoOthers(String name) {
        for (LockKind kind : LockKind.values()) {
            LockId id = new LockId(name, kind);
            for (LockKind other : LockKind.values()) {
                assertThat(KEYS.idOf(other, KEYS.of(id) + "694d-1")).isEqualTo(kind == other ? id : null);
            }
        }
        assertThat(KEYS.idOf(LockKind.LOCK, "path/only")).isNull();
        assertThat(KEYS.idOf(LockKind.LOCK, "path/%/694d")).isNull();
        assertThat(KEYS.idOf(LockKind.LOCK, "path//694d")).isNull();
    }

    /** So many that work for each pair of them would take minutes. */
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Test
    void aCrowd_isReadInOnePass() {
        LockId id = new LockId("n", LockKind.SEMAPHORE);
        List<StoredKey> crowd = new ArrayList<>();
        for (int i = 1; i <= 100_000; i++) {
            Claim claim = Claim.of(id, new Mode.Permits(1, 50_000), new OwnerId("client:" + i), LEASE, PARTY);
            crowd.add(new StoredKey(KEYS.of(id) + "k" + i, Entry.of(claim, 5), i, i, 99));
        }
        assertThat(Queue.of(id, KEYS.of(id), crowd, 9).holding()).hasSize(50_000);
    }
}
