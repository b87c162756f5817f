package dev.interlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** What has failed has no client: the builder can be corrected. */
    @Test
    void aBuilderThatFailed_buildsWhenItCan() {
        AtomicBoolean broken = new AtomicBoolean(true);
        LockStore inner = new MemoryStore();
        InterlockBuilder builder = Interlock.builder((LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, arguments) -> {
                    if (broken.get() && method.getName().equals("pollCap")) {
                        throw new UnsupportedOperationException("Not yet");
                    }
                    return method.invoke(inner, arguments);
                }));
        assertThatThrownBy(builder::build).isInstanceOf(UnsupportedOperationException.class);
        broken.set(false);
        builder.build().close();
    }

    @Test
    void whoUnlocksWhatAHandleHolds_isToldToCloseThat() throws Exception {
        try (Interlock client = Interlock.inMemory();
                Lease lease = client.lock("a").acquire()) {
            assertThatThrownBy(client.lock("a")::unlock)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("is closed as a Lease");
            assertThat(lease.isValid()).isTrue();
        }
    }
}
