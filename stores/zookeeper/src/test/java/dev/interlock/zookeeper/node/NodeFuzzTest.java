package dev.interlock.zookeeper.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.testkit.fuzz.Fuzz;
import dev.interlock.testkit.fuzz.Sane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

/** Names and data of nodes, which any client may have created. */
class NodeFuzzTest {

    private static final OwnerId OWNER = OwnerId.of("0b5e2b0a-0000-4000-8000-000000000001", 7);
    private static final NodeName NODE = name("_c_0b5e2b0a-0000-4000-8000-000000000002-lock-0000000003");
    private static final ServerClock CLOCK = new ServerClock(1_764_122_400_000L, System.nanoTime());

    private static NodeName name(String text) {
        return Optional.ofNullable(NodeName.parse(text)).orElseThrow();
    }

    private static NodeData node(String text) {
        Stat stat = new Stat();
        stat.setMtime(1_764_122_399_000L);
        stat.setCtime(1_764_122_398_000L);
        stat.setCzxid(42);
        return new NodeData(text.getBytes(UTF_8), stat);
    }

    /** The form of a participant's name, by an engine that others have written. */
    private static final Pattern FORM =
            Pattern.compile("(?s).*(lock-|latch-|__READ__|__WRIT__|lease-|wait-)(\\d{10}|-\\d{1,10})");

    @Test
    void name_isParsedAsItsFormSays() {
        Fuzz.of("ZooKeeper name", "_c_x-lock-0000000001", "latch--2147483648", "__READ__0000000009", "wait--1")
                .regressions("lock--1234567890", "lock-12345678901", "-1", "lock-", "__WRIT__-", "0000000000", "x-1")
                .words("lock-", "latch-", "__READ__", "__WRIT__", "lease-", "wait-", "0123456789", "-", "--", "\u0661")
                .run(input -> {
                    Matcher form = FORM.matcher(input);
                    boolean participant = form.matches();
                    NodeName parsed = NodeName.parse(input);
                    assertThat(parsed != null).isEqualTo(participant);
                    if (parsed != null) {
                        assertThat(parsed.text()).isEqualTo(input);
                        assertThat(parsed.role().text).isEqualTo(form.group(1));
                        assertThat(parsed.sequence()).isEqualTo(form.group(2));
                    }
                    return participant;
                });
    }

    /** A claim holds if and only if nobody came before it who is in its way, whatever the names are. */
    @Test
    void queue() {
        Fuzz.of(
                        "ZooKeeper names",
                        String.join("\n", NodeName.prefix(OWNER) + "lock-0000000001", "_c_z-lock-0000000009"),
                        "_c_x-__READ__0000000001\n_c_y-__WRIT__0000000002\nother",
                        "latch-0000000001\nlatch--000000002\nlatch--2147483648")
                .words("lock-", "latch-", "__READ__", "__WRIT__", "lease-", "wait-", "0000000000", "_c_", "-1")
                .run(input -> {
                    boolean[] accepted = new boolean[1];
                    List<String> others = List.of(input.split("\n", -1));
                    for (LockKind kind : List.of(LockKind.LOCK, LockKind.READ_WRITE)) {
                        Fuzz.refusal(IllegalStateException.class, () -> accepted[0] |= queue(kind, others));
                    }
                    return accepted[0];
                });
    }

    private static boolean queue(LockKind kind, List<String> others) {
        NodeQueue alone = NodeQueue.of(new LockId("n", kind), "/n", others);
        List<String> all = new ArrayList<>(others);
        // A writer, or a claim by the recipe that the others use.
        boolean leads = alone.all().stream().anyMatch(node -> node.role() == NodeName.Role.LEADER);
        String role = kind == LockKind.READ_WRITE ? "__WRIT__" : leads ? "latch-" : "lock-";
        String own = NodeName.prefix(OwnerId.of("other", 1)) + role + "0000000005";
        all.add(own);
        boolean isFirst = alone.all().stream().noneMatch(node -> node.sequence().compareTo("0000000005") < 0);
        NodeQueue queue = NodeQueue.of(new LockId("n", kind), "/n", all);
        assertThat(queue.holds(name(own))).isEqualTo(isFirst);
        return !alone.all().isEmpty();
    }

    @Test
    void payload() {
        String real = new String(
                new Payload(OWNER.value(), new Party("h s", 42, "app", "main"), Duration.ofSeconds(30), true, 2, 3, 9)
                        .encode(),
                UTF_8);
        Fuzz.of("ZooKeeper payload", real, real.replace(" 30000 ", " 9223372036854 "))
                .regressions(real.replace(" 30000 ", " 9223372036854775807 "), real.replace(" 30000 ", " -1 "))
                .words("interlock ", " fair ", " - ", "%", "__REVOKE__")
                .run(input -> {
                    NodeData read = node(input);
                    Payload payload = Payload.decode(read.data());
                    for (ServerClock clock : new ServerClock[] {CLOCK, null}) {
                        Participant participant = Participant.of(NODE, read, payload, clock, null);
                        LockStatus.Holder holder = participant.holder(participant.permitsOf(3));
                        LockStatus.Waiter waiter = participant.waiter(participant.mode());
                        Sane.check(new LockStatus("n", List.of(holder), List.of(waiter)));
                    }
                    return payload != null;
                });
    }

    @Test
    void latchCount() {
        String real = new String(
                LatchCount.set(3, Duration.ofMinutes(5), OWNER).down(OWNER).encode(), UTF_8);
        Fuzz.of("ZooKeeper latch", real)
                .regressions("-2147483648 300000 ", "0 9 x")
                .run(input -> {
                    boolean[] accepted = new boolean[1];
                    Fuzz.refusal(IllegalStateException.class, () -> LatchCount.of(
                                    Optional.of(node(input)), CLOCK, "/l/count")
                            .ifPresent(count -> {
                                assertThat(count.count()).isPositive();
                                assertThat(count.life()).isPositive();
                                count.down(OWNER).encode();
                                accepted[0] = true;
                            }));
                    return accepted[0];
                });
    }

    @Test
    void capacity() {
        String real = new String(
                SemaphoreCapacity.of(3, Duration.ofMinutes(5))
                        .added(4, Duration.ofMinutes(5), OWNER)
                        .encode(),
                UTF_8);
        Fuzz.of("ZooKeeper capacity", real, "1 60000").regressions("0 60000").run(input -> SemaphoreCapacity.of(
                        Optional.of(node(input)), CLOCK)
                .map(capacity -> {
                    assertThat(capacity.permits()).isPositive();
                    assertThat(capacity.added().size()).isLessThanOrEqualTo(100);
                    return true;
                })
                .orElse(false));
    }

    /** No two names have one node, and no name has a node outside of the store's. */
    @Test
    void name() {
        Fuzz.of("ZooKeeper encoding", "orders:42", "a/b", "..", "zookeeper", "%7Aookeeper", "\ud83d\ude00", "%2F")
                .run(input -> {
                    String encoded = NameEncoding.encode(input);
                    assertThat(encoded).doesNotContain("/", "\u0000").isNotIn(".", "..", "zookeeper");
                    boolean isText = new String(input.getBytes(UTF_8), UTF_8).equals(input);
                    if (isText) {
                        assertThat(NameEncoding.decode(encoded)).isEqualTo(input);
                    }
                    String decoded = NameEncoding.decode(input);
                    if (decoded != null) {
                        assertThat(NameEncoding.encode(decoded)).isEqualTo(input);
                    }
                    return isText;
                });
    }
}
