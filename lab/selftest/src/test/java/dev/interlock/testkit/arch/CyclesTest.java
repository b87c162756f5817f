package dev.interlock.testkit.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CyclesTest {

    @Test
    void aGraphWithoutACycle_hasNone() {
        assertThat(Cycles.of(Map.of("a", Set.of("b", "c"), "b", Set.of("c"), "c", Set.of())))
                .isEmpty();
    }

    @Test
    void aCycleOfFour_isFoundWithoutWhatLeadsToItAndFromIt() {
        assertThat(Cycles.of(Map.of(
                        "in", Set.of("a"),
                        "a", Set.of("b"),
                        "b", Set.of("c"),
                        "c", Set.of("d", "out"),
                        "d", Set.of("a"),
                        "out", Set.of())))
                .containsExactly(Set.of("a", "b", "c", "d"));
    }

    @Test
    void cyclesWithACommonNode_areOne() {
        assertThat(Cycles.of(Map.of("a", Set.of("b", "c"), "b", Set.of("a"), "c", Set.of("a"))))
                .containsExactly(Set.of("a", "b", "c"));
    }

    @Test
    void cyclesOneAfterTheOther_areTwo() {
        assertThat(Cycles.of(Map.of(
                        "a", Set.of("b"),
                        "b", Set.of("a", "c"),
                        "c", Set.of("d"),
                        "d", Set.of("c"))))
                .containsExactlyInAnyOrder(Set.of("a", "b"), Set.of("c", "d"));
    }

    @Test
    void whatIsNotANode_isLeftOut() {
        assertThat(Cycles.of(Map.of("a", Set.of("elsewhere")))).isEmpty();
    }
}
