package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.testkit.fuzz.Fuzz;
import dev.interlock.testkit.fuzz.Sane;
import dev.interlock.testkit.fuzz.UriFuzz;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** URIs, and keys and values that any client may have written. Without an etcd. */
class EtcdFuzzTest {

    private static final Keys KEYS = new Keys("path");
    private static final Party PARTY = new Party("h&o=s%t", 7, "a,p", "thread");

    @Test
    void uri() {
        UriFuzz.run(
                "etcd URI",
                EtcdUri::parse,
                "etcd://h1",
                "etcd://user:s3cr3t@h1:1,h2,[::1]:3/app/locks?session=20s",
                "etcds://us%40er:s3cr3t@h1/a?session=PT1H&trust=%2Fca.pem");
    }

    private static String value(LockKind kind, Mode mode) {
        OwnerId owner = OwnerId.of("0b5e2b0a-0000-4000-8000-000000000001", 7);
        return Entry.of(Claim.of(new LockId("n", kind), mode, owner, Duration.ofSeconds(9), PARTY), 1_764_122_400_000L);
    }

    /** Whatever is in an older key: it is a claim, and a younger one does not hold beside it unless both share. */
    @Test
    void claim() {
        Fuzz.of(
                        "etcd claim",
                        value(LockKind.LOCK, Mode.exclusive()),
                        value(LockKind.READ_WRITE, Mode.shared()),
                        value(LockKind.SEMAPHORE, new Mode.Permits(2, 3)))
                .words(
                        "owner=",
                        "&mode=",
                        "shared",
                        "permits",
                        "&permits=",
                        "&of=",
                        "&lease=",
                        "ms",
                        "h",
                        "PT",
                        "&since=")
                .regressions(
                        "owner=a&pid=1&since=1&lease=9223372036854775807s",
                        "owner=a&pid=1&since=-9223372036854775808&lease=PT-1S")
                .run(input -> {
                    for (LockKind kind : List.of(LockKind.LOCK, LockKind.READ_WRITE, LockKind.SEMAPHORE)) {
                        LockId id = new LockId("n", kind);
                        Mode mode = kind == LockKind.SEMAPHORE ? new Mode.Permits(1, 1) : Mode.exclusive();
                        StoredKey older = new StoredKey(KEYS.of(id) + "a", input, 5, 5, 9);
                        StoredKey own = new StoredKey(KEYS.of(id) + "b", value(kind, mode), 6, 6, 9);
                        Queue queue = Queue.of(id, KEYS.of(id), List.of(older, own), 9);
                        Entry read = queue.entries().get(0);
                        boolean hasRoom = kind == LockKind.SEMAPHORE && queue.capacity() > read.weight();
                        assertThat(queue.holds(queue.entries().get(1))).isEqualTo(hasRoom);
                        Sane.check(status(queue, read));
                    }
                    return !Queue.of(LockId.lock("n"), "p/", List.of(new StoredKey("p/k", input, 5, 5, 9)), 9)
                            .entries()
                            .get(0)
                            .owner()
                            .equals("k");
                });
    }

    private static LockStatus status(Queue queue, Entry entry) {
        LockStatus.Holder holder = new LockStatus.Holder(
                entry.owner(),
                entry.party(),
                entry.mode(),
                Duration.ZERO,
                entry.lease(),
                Attempt.token(entry.key().created()));
        return new LockStatus(queue.id().name(), queue.id().kind(), List.of(holder), List.of(), queue.capacity());
    }

    @Test
    void state() {
        Fuzz.of(
                        "etcd state",
                        new State(2, 7, "", List.of("c,d&", "e")).encoded(),
                        new State(3, 0, "a,b", List.of()).encoded())
                .words("count=", "&granted=", "&setter=", "&counted=", "%2C", ",")
                .run(input -> {
                    boolean[] accepted = new boolean[1];
                    Fuzz.refusal(IllegalStateException.class, () -> {
                        State state = State.of(new StoredKey("k", input, 1, 1, 1));
                        assertThat(state.count()).isNotNegative();
                        accepted[0] = true;
                    });
                    return accepted[0];
                });
    }

    /** No two names have one key, and a key belongs to one name of one kind at most. */
    @Test
    void key() {
        Fuzz.of("etcd key", "path/orders:42/694d", "path%rw/a%2Fb/1", "path%latch/n/x", "path%semaphore/s/y")
                .words("path", "%rw/", "%semaphore/", "%latch/", "%forced/", "%25", "%2F", "/")
                .run(input -> {
                    int found = 0;
                    for (LockKind kind : LockKind.values()) {
                        LockId id = KEYS.idOf(kind, input);
                        if (id != null) {
                            found++;
                            assertThat(Objects.requireNonNull(KEYS.idOf(kind, KEYS.of(id) + "x")))
                                    .isEqualTo(id);
                        }
                    }
                    assertThat(found).isLessThanOrEqualTo(1);
                    return found == 1;
                });
    }
}
