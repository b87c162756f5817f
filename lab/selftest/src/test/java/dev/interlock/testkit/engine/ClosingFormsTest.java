package dev.interlock.testkit.engine;

import dev.interlock.Candidate;
import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LeaderTask;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.form.BodyForms;
import dev.interlock.testkit.contract.form.ClosingTable;
import dev.interlock.testkit.contract.form.Form;
import dev.interlock.testkit.contract.recipe.CandidateForm;
import dev.interlock.testkit.contract.recipe.LeaderTaskForm;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The table of closing over what a client itself runs under its locks, of whatever kind. */
class ClosingFormsTest extends ClosingTable {

    /** The types of code that a client may run while it holds something. */
    private static final Set<Class<?>> BODIES =
            Set.of(Runnable.class, Callable.class, Supplier.class, Function.class, LeaderTask.class, Candidate.class);

    @Override
    protected Supplier<LockStore> sessions(LongSupplier nanoClock) {
        return new MemoryStore(nanoClock)::session;
    }

    @Override
    protected Map<String, Form> forms() {
        Map<String, Form> forms = new LinkedHashMap<>();
        forms.putAll(BodyForms.of("lock", Interlock::lock, Interlock::lock));
        forms.putAll(BodyForms.of(
                "readWriteLock.readLock",
                (client, name) -> client.readWriteLock(name).readLock(),
                ClosingFormsTest::writeLock));
        forms.putAll(BodyForms.of("readWriteLock.writeLock", ClosingFormsTest::writeLock, ClosingFormsTest::writeLock));
        forms.put("election.join(LeaderTask)", new LeaderTaskForm());
        forms.put("election.join(Candidate)", new CandidateForm(false));
        forms.put("election.join(Candidate)" + VARIANT + "at the end", new CandidateForm(true));
        return forms;
    }

    private static DistributedLock writeLock(Interlock client, String name) {
        return client.readWriteLock(name).writeLock();
    }

    /** Methods with a body, of all that a client makes of a name. */
    @Override
    protected Collection<String> found() {
        Set<String> found = new TreeSet<>();
        Arrays.stream(Interlock.class.getMethods())
                .filter(method -> method.getParameterCount() > 0 && method.getParameterTypes()[0] == String.class)
                .forEach(method -> addForms(method.getName(), method.getReturnType(), found));
        return found;
    }

    private static void addForms(String kind, Class<?> type, Set<String> found) {
        Arrays.stream(type.getMethods()).forEach(method -> {
            if (Arrays.stream(method.getParameterTypes()).anyMatch(BODIES::contains)) {
                found.add(kind + "." + named(method));
            } else if (method.getParameterCount() == 0 && method.getReturnType() == DistributedLock.class) {
                addForms(kind + "." + method.getName(), DistributedLock.class, found);
            }
        });
    }
}
