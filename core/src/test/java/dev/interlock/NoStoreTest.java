package dev.interlock;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.spi.LockStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
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

    /** As it comes from a file with a line break at its end, or from a hand that pastes. */
    @Test
    void uri_mayHaveBlanksAroundIt() {
        assertThatThrownBy(() -> Interlock.connect(" redis://localhost\n"))
                .hasMessageContaining("scheme 'redis': add interlock-redis");
    }

    /** A store that nobody asks. */
    private static LockStore mute() {
        return (LockStore) Proxy.newProxyInstance(
                NoStoreTest.class.getClassLoader(),
                new Class<?>[] {LockStore.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "capabilities" -> Set.of();
                    case "pollCap" -> Duration.ofSeconds(1);
                    default -> null;
                });
    }

    @Test
    void election_isRefused_withTheModuleToAdd() {
        try (Interlock client = Interlock.builder(mute()).build()) {
            assertThatThrownBy(() -> client.election("x"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("add interlock-recipes");
        }
    }

    @Test
    void storeInMemory_isRefused_withTheModuleToAdd() {
        assertThatThrownBy(Interlock::inMemory)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("add interlock-memory");
    }
}
