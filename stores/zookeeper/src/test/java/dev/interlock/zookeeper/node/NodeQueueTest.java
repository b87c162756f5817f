package dev.interlock.zookeeper.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of a queue at the end of ZooKeeper's sequence numbers. */
class NodeQueueTest {

    private static final String A = "_c_11111111-1111-1111-1111-111111111111-";
    private static final String B = "_c_22222222-2222-2222-2222-222222222222-";
    private static final String C = "_c_33333333-3333-3333-3333-333333333333-";

    @ParameterizedTest
    @ValueSource(strings = {"lock-", "latch-", "__WRIT__"})
    void atMostOneHolds_whereTheNumbersAreUsedUp(String role) {
        LockKind kind = role.equals("__WRIT__") ? LockKind.READ_WRITE : LockKind.LOCK;

        assertThat(holders(kind, A + role + "2147483647")).hasSize(1);
        // As servers give them: the last one again and again, and negative ones.
        assertThat(holders(kind, A + role + "2147483647", B + role + "2147483647"))
                .isEmpty();
        assertThat(holders(kind, A + role + "2147483647", B + role + "-2147483648"))
                .isEmpty();
        assertThat(holders(kind, A + role + "2147483647", B + role + "-2147483648", C + role + "-2147483647"))
                .isEmpty();
        assertThat(holders(kind, A + role + "2147483647", B + role + "-000000001"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2147483647", "-2147483648", "-000000001"})
    void claimInOrder_holdsBesideNone_thatAnotherLibraryPutsFirst(String number) {
        List<String> holders = holders(LockKind.LOCK, A + "lock-2146999999", B + "lock-" + number);

        // Curator compares texts.
        assertThat(holders).isEqualTo(number.startsWith("-") ? List.of() : List.of(A + "lock-2146999999"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2147483647", "-2147483648"})
    void aReader_doesNotHoldBesideAWriter_whereTheNumbersAreUsedUp(String number) {
        assertThat(holders(LockKind.READ_WRITE, A + "__WRIT__2147483647", B + "__READ__" + number))
                .isEmpty();
        assertThat(holders(LockKind.READ_WRITE, A + "__READ__2147483647", B + "__READ__" + number))
                .hasSize(2);
    }

    private static List<String> holders(LockKind kind, String... children) {
        NodeQueue queue = NodeQueue.of(new LockId("x", kind), "/x", List.of(children));
        return Stream.of(children)
                .map(NodeName::parse)
                .filter(Objects::nonNull)
                .filter(queue::holds)
                .map(NodeName::text)
                .toList();
    }
}
