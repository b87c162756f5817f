package dev.interlock.spring.integration;

import dev.interlock.Interlock;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.form.BlockingForm;
import dev.interlock.testkit.contract.form.Form;
import dev.interlock.testkit.contract.form.FormBody;
import dev.interlock.testkit.contract.form.FormTable;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The table of forms over the locks of a registry. */
class FormsTest extends FormTable {

    @Override
    protected Supplier<LockStore> sessions() {
        return new MemoryStore()::session;
    }

    @Override
    protected Map<String, Form> forms() {
        return Map.of(
                "lockInterruptibly",
                new Locking((lock, wait) -> {
                    if (wait == Form.Wait.NONE) {
                        return lock.tryLock();
                    }
                    lock.lockInterruptibly();
                    return true;
                }),
                "tryLock",
                new Locking((lock, wait) -> lock.tryLock(wait == Form.Wait.NONE ? 0 : 1, TimeUnit.HOURS)),
                "executeLocked",
                new Executing());
    }

    private interface Acquire {
        boolean attempt(Lock lock, Form.Wait wait) throws InterruptedException;
    }

    private static final class Locking extends BlockingForm {
        private final Acquire acquire;

        Locking(Acquire acquire) {
            this.acquire = acquire;
        }

        @Override
        protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
            Lock lock = Line.asLockRegistry(Line.registry(client)).obtain(name);
            if (!acquire.attempt(lock, wait)) {
                return null;
            }
            try {
                return body.run();
            } finally {
                lock.unlock();
            }
        }
    }

    private static final class Executing extends BlockingForm {
        @Override
        protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
            var registry = Line.asLockRegistry(Line.registry(client));
            if (wait == Wait.UNLIMITED) {
                return registry.<String, InterruptedException>executeLocked(name, body::run);
            }
            try {
                return registry.<String, InterruptedException>executeLocked(name, Duration.ZERO, body::run);
            } catch (TimeoutException e) {
                return null;
            }
        }
    }
}
