package dev.interlock.group;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.form.BodyForms;
import dev.interlock.testkit.contract.form.ClosingTable;
import dev.interlock.testkit.contract.form.Form;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The table of closing over bodies under several locks as one, and under the sides of an upgradable lock. */
class ClosingTest extends ClosingTable {

    @Override
    protected Supplier<LockStore> sessions(LongSupplier nanoClock) {
        return new MemoryStore(nanoClock)::session;
    }

    @Override
    protected Map<String, Form> forms() {
        Map<String, Form> forms = new LinkedHashMap<>();
        forms.putAll(BodyForms.of("MultiLock.of", ClosingTest::group, Interlock::lock));
        forms.putAll(BodyForms.of(
                "UpgradableReadWriteLock.readLock",
                (client, name) -> sides(client, name).readLock(),
                (client, name) -> sides(client, name).writeLock()));
        forms.putAll(BodyForms.of(
                "UpgradableReadWriteLock.upgradableLock",
                (client, name) -> sides(client, name).upgradableLock(),
                (client, name) -> sides(client, name).upgradableLock()));
        forms.putAll(BodyForms.of(
                "UpgradableReadWriteLock.writeLock",
                (client, name) -> sides(client, name).writeLock(),
                (client, name) -> sides(client, name).writeLock()));
        return forms;
    }

    /** Each has the methods of a lock that run a body. */
    @Override
    protected Collection<String> found() {
        return Stream.of(MultiLock.class, UpgradableReadWriteLock.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> method.getReturnType() == DistributedLock.class)
                .map(method -> method.getDeclaringClass().getSimpleName() + "." + method.getName())
                .distinct()
                .flatMap(kind -> BodyForms.of(kind, Interlock::lock, Interlock::lock).keySet().stream())
                .toList();
    }

    private static DistributedLock group(Interlock client, String name) {
        return MultiLock.of(client.lock(name + "-"), client.lock(name), client.lock(name + "-z"));
    }

    private static UpgradableReadWriteLock sides(Interlock client, String name) {
        return UpgradableReadWriteLock.of(client, name);
    }
}
