package dev.interlock.shedlock;

import dev.interlock.Interlock;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.form.ClosingTable;
import dev.interlock.testkit.contract.form.Form;
import dev.interlock.testkit.contract.form.FormBody;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.jspecify.annotations.Nullable;

/** The table of closing over tasks of ShedLock: what a provider gives, and what its executor runs. */
class ClosingTest extends ClosingTable {

    private static final Duration EXTENDED = Duration.ofMinutes(90);

    @Override
    protected Supplier<LockStore> sessions(LongSupplier nanoClock) {
        return new MemoryStore(nanoClock)::session;
    }

    @Override
    protected Map<String, Form> forms() {
        Map<String, Form> forms = new LinkedHashMap<>();
        forms.put("lock(LockConfiguration)", new FormsTest.Bare());
        forms.put("extend(Duration, Duration)", new Extended());
        forms.put("executeWithLock(TaskWithResult, LockConfiguration)", new FormsTest.Executor());
        forms.put(
                "executeWithLock(Task, LockConfiguration)",
                new Executing((executor, name, work) ->
                        executor.executeWithLock((LockingTaskExecutor.Task) work::run, FormsTest.task(name))));
        forms.put(
                "executeWithLock(Runnable, LockConfiguration)",
                new Executing((executor, name, work) ->
                        executor.executeWithLock((Runnable) () -> unchecked(work), FormsTest.task(name))));
        return forms;
    }

    /** All that brings a lock, and all that runs a task. */
    @Override
    protected Collection<String> found() {
        return Stream.of(LockProvider.class, SimpleLock.class, LockingTaskExecutor.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> !method.getName().equals("unlock"))
                .map(ClosingTable::named)
                .toList();
    }

    private interface Work {
        void run() throws Exception;
    }

    private interface Execution {
        void run(LockingTaskExecutor executor, String name, Work work) throws Throwable;
    }

    private static void unchecked(Work work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static final class Executing extends FormsTest.Task {
        private final Execution execution;

        Executing(Execution execution) {
            this.execution = execution;
        }

        @Override
        protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
            AtomicReference<@Nullable String> result = new AtomicReference<>();
            try {
                execution.run(
                        new DefaultLockingTaskExecutor(new InterlockLockProvider(client)),
                        name,
                        () -> result.set(body.run()));
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
            return result.get();
        }
    }

    /** A task that has its lock extended before it works. */
    private static final class Extended extends FormsTest.Task {
        @Override
        protected @Nullable String call(Interlock client, String name, Wait wait, FormBody body) throws Exception {
            SimpleLock lock = new InterlockLockProvider(client)
                    .lock(FormsTest.task(name))
                    .flatMap(first -> first.extend(EXTENDED, Duration.ZERO))
                    .orElseThrow();
            try {
                return body.run();
            } finally {
                lock.unlock();
            }
        }
    }
}
