package dev.interlock.jdbc;

import dev.interlock.testkit.contract.StoreFault;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import java.util.List;
import java.util.function.LongSupplier;

/** Faults of the network in front of a server. */
final class ProxyFaults {

    private ProxyFaults() {}

    static List<StoreFault> of(FaultProxy proxy) {
        LongSupplier held = () -> proxy.heldBytes(Direction.TO_SERVER) + proxy.heldBytes(Direction.TO_CLIENT);
        return List.of(
                new Fault("black hole", proxy, proxy::blackHole, held),
                new Fault("lost replies", proxy, () -> proxy.blackHole(Direction.TO_CLIENT), held),
                new Fault("dropped replies and resets", proxy, () -> proxy.dropReplies(1), proxy::droppedReplies),
                new Fault("resets", proxy, () -> resetAll(proxy), proxy::resets));
    }

    private static void resetAll(FaultProxy proxy) {
        proxy.resetNewConnections();
        proxy.reset();
    }

    private record Fault(String name, FaultProxy proxy, Runnable begin, LongSupplier count) implements StoreFault {
        @Override
        public void strike() {
            begin.run();
        }

        @Override
        public void heal() {
            proxy.heal();
        }

        @Override
        public long hits() {
            return count.getAsLong();
        }
    }
}
