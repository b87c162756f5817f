package dev.interlock.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FencedCellTest {

    @Test
    void acceptsTokensThatGrow_andRefusesLateOnes() {
        FencedCell cell = new FencedCell();

        assertThat(cell.write(5, "a", v -> v + 1)).isTrue();
        assertThat(cell.write(5, "a", v -> v + 1)).isTrue();
        assertThat(cell.write(9, "b", v -> v + 1)).isTrue();
        assertThat(cell.write(5, "a", v -> v + 100)).isFalse();
        assertThat(cell.write(9, "c", v -> v + 100)).isFalse();

        assertThat(cell.value()).isEqualTo(3);
        assertThat(cell.accepted()).isEqualTo(3);
        assertThat(cell.refused()).isEqualTo(2);
    }
}
