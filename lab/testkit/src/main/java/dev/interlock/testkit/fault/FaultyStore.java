package dev.interlock.testkit.fault;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.store.SwitchableStore;
import java.util.List;

/**
 * A client of the store under test whose connection can be made sick, without touching other clients.
 *
 * @param store the client; not used yet
 * @param faults its faults, of which one at a time strikes. The first is a black hole: requests and answers vanish
 */
public record FaultyStore(LockStore store, List<StoreFault> faults) {

    /** Faults inside this process, for a store that offers none on its network. */
    public static FaultyStore around(LockStore inner) {
        SwitchableStore store = new SwitchableStore(inner);
        return new FaultyStore(
                store,
                List.of(
                        fault(store, SwitchableStore.Mode.SILENT),
                        fault(store, SwitchableStore.Mode.DEAF),
                        fault(store, SwitchableStore.Mode.REFUSING)));
    }

    /** The black hole. */
    public StoreFault blackHole() {
        return faults.get(0);
    }

    private static StoreFault fault(SwitchableStore store, SwitchableStore.Mode mode) {
        return new StoreFault() {
            @Override
            public String name() {
                return mode.toString();
            }

            @Override
            public void strike() {
                store.mode(mode);
            }

            @Override
            public void heal() {
                store.mode(SwitchableStore.Mode.HEALTHY);
            }

            @Override
            public long hits() {
                return store.struck();
            }
        };
    }
}
