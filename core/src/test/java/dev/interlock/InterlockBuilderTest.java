package dev.interlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.memory.MemoryStore;
import org.junit.jupiter.api.Test;

/** What is said to who uses a builder, a URI or a handle in a way that cannot work. */
class InterlockBuilderTest {

    /** The second client would take the wakes of the first, and its closing the store. */
    @Test
    void aBuilder_buildsOneClient() throws Exception {
        InterlockBuilder builder = Interlock.builder(new MemoryStore());
        try (Interlock client = builder.build()) {
            assertThatThrownBy(builder::build)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another store");
            try (Lease lease = client.lock("a").acquire()) {
                assertThat(lease.isValid()).isTrue();
            }
        }
    }

    /** No store but that in memory is on the class path of these tests. */
    @Test
    void withoutAnyStore_itSaysWhatToAdd() {
        assertThatThrownBy(() -> Interlock.connect("redis://localhost"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'redis'")
                .hasMessageContaining("add interlock-redis");
    }

    @Test
    void whoUnlocksWhatAHandleHolds_isToldToCloseThat() throws Exception {
        try (Interlock client = Interlock.inMemory();
                Lease lease = client.lock("a").acquire()) {
            assertThatThrownBy(client.lock("a")::unlock)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("close its Lease");
            assertThat(lease.isValid()).isTrue();
        }
    }
}
