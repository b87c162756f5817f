package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ParametersTest {

    @Test
    void missingParameter_isNamed() {
        assertThatThrownBy(() -> new Parameters().with("a", 1).get("b")).hasMessageContaining(": b");
    }
}
