package dev.interlock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How an application opens the store in memory. */
class MemoryStoreProviderTest {

    @ParameterizedTest
    @ValueSource(strings = {"memory:", "MEMORY:"})
    void uri_opensAStoreThatNobodyShares(String uri) {
        try (Interlock one = Interlock.connect(uri);
                Interlock two = Interlock.connect(uri);
                Interlock three = Interlock.inMemory()) {
            one.lock("orders:42").lock();
            assertThat(one.lock("orders:42").isLocked()).isTrue();
            assertThat(two.lock("orders:42").isLocked()).isFalse();
            assertThat(three.lock("orders:42").isLocked()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory:orders", "memory://localhost", "memory:?prefix=a"})
    void uriWithMoreThanTheScheme_isRefused(String uri) {
        assertThatThrownBy(() -> Interlock.connect(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing after the colon");
    }
}
