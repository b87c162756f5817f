package dev.interlock;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What an application is told that has the core and no store, as on the class path of these tests. */
class NoStoreTest {

    @Test
    void uri_isRefused_withTheModulesToAdd() {
        assertThatThrownBy(() -> Interlock.connect("redis://localhost"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'redis'")
                .hasMessageContaining("add interlock-redis");
    }

    @Test
    void storeInMemory_isRefused_withTheModuleToAdd() {
        assertThatThrownBy(Interlock::inMemory)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("add interlock-memory");
    }
}
