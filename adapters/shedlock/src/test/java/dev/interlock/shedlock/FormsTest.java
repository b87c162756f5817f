package dev.interlock.shedlock;

import dev.interlock.Interlock;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.form.BlockingForm;
import dev.interlock.testkit.contract.form.Form;
import dev.interlock.testkit.contract.form.FormBody;
import dev.interlock.testkit.contract.form.FormTable;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor.TaskResult;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.jspecify.annotations.Nullable;

/** The table of forms over tasks of ShedLock. */
class FormsTest extends FormTable {

    @Override
    protected Supplier<LockStore> sessions() {
        return new MemoryStore()::session;
    }

    @Override
    protected Map<String, Form> forms() {
        return Map.of("executor", new Executor(), "lock", new Bare());
    }

    /** A task with this name, whose lock is kept for an hour at most. */
    static LockConfiguration task(String name) {
        return new LockConfiguration(ClockProvider.now(), name, Duration.ofHours(1), Duration.ZERO);
    }

    /** A call of ShedLock. */
    abstract static class Task extends BlockingForm {

        private static final String NEVER_WAITS = "ShedLock never waits for a lock";

        @Override
        public Map<Day, String> refused() {
            return Map.of(
                    Day.BUSY_AND_WAITS, NEVER_WAITS,
                    Day.BUSY_AND_GIVEN_UP, NEVER_WAITS,
                    Day.BUSY_AND_CLOSED, NEVER_WAITS,
                    Day.FAR_BUSY_AND_WAITS, NEVER_WAITS,
                    Day.COLD_AND_GIVEN_UP, "LockProvider.lock declares no interrupt: it ends by the time-outs");
        }

        /** {@code SimpleLock.unlock} declares no failure for it. */
        @Override
        public boolean isLossLogged() {
            return true;
        }
    }

    /** A task with a result. */
    static final class Executor extends Task {
        @Override
        protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
            TaskResult<String> result;
            try {
                result = new DefaultLockingTaskExecutor(new InterlockLockProvider(client))
                        .executeWithLock(body::run, task(name));
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
            return result.wasExecuted() ? result.getResult() : null;
        }
    }

    /** A lock without an executor. */
    static final class Bare extends Task {
        @Override
        protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
            Optional<SimpleLock> lock = new InterlockLockProvider(client).lock(task(name));
            if (lock.isEmpty()) {
                return null;
            }
            try {
                return body.run();
            } finally {
                lock.get().unlock();
            }
        }
    }
}
