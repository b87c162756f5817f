package dev.interlock.shedlock;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.store.SwitchableStore;
import java.time.Duration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.Test;

/** The provider on the store in memory, with what the store cannot change. */
class MemoryProviderTest extends LeavingProviderContract {

    private static final MemoryStore STORE = new MemoryStore();

    @Override
    LockStore openStore() {
        return STORE.session();
    }

    @Test
    void silentStore_isAnException() {
        SwitchableStore cut = new SwitchableStore(openStore());
        Interlock unreachable = clients.open(cut, builder -> builder.attemptTimeout(Duration.ofMillis(100))
                .storeTimeout(Duration.ofMillis(100))
                .closeTimeout(Duration.ofMillis(100)));
        InterlockLockProvider provider = new InterlockLockProvider(unreachable);
        SimpleLock lock =
                provider.lock(task(Duration.ofMinutes(5), Duration.ZERO)).orElseThrow();
        cut.mode(SwitchableStore.Mode.SILENT);
        assertThatThrownBy(() -> provider.lock(task("other", Duration.ofMinutes(5), Duration.ZERO)))
                .isInstanceOf(LockException.class);
        assertThatThrownBy(() -> lock.extend(Duration.ofMinutes(10), Duration.ZERO))
                .isInstanceOf(LockException.class);
    }
}
