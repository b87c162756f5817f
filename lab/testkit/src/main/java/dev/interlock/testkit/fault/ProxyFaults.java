package dev.interlock.testkit.fault;

import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Faults of the network in front of a server. */
public final class ProxyFaults {

    private ProxyFaults() {}

    /** Those whose victims the proxy sees, the black hole first. */
    public static List<StoreFault> of(FaultProxy proxy) {
        return List.of(blackHole(proxy), lostReplies(proxy), droppedReplies(proxy), resets(proxy));
    }

    /** Nothing arrives, either way. */
    public static StoreFault blackHole(FaultProxy proxy) {
        return new Fault("black hole", proxy, proxy::blackHole, held(proxy));
    }

    /** Requests arrive, replies do not. */
    public static StoreFault lostReplies(FaultProxy proxy) {
        return new Fault("lost replies", proxy, () -> proxy.blackHole(Direction.TO_CLIENT), held(proxy));
    }

    /** Every reply is lost, and its connection with it. */
    public static StoreFault droppedReplies(FaultProxy proxy) {
        return new Fault("dropped replies and resets", proxy, () -> proxy.dropReplies(1), proxy::droppedReplies);
    }

    /** Every connection is reset, old or new. */
    public static StoreFault resets(FaultProxy proxy) {
        return new Fault("resets", proxy, () -> resetAll(proxy), proxy::resets);
    }

    /**
     * Every connection is reset, and new ones are refused, as by a host without the server. The proxy sees nobody who
     * is refused: so it is tried, each time the hits are counted.
     */
    public static StoreFault refused(FaultProxy proxy) {
        LongAdder refusals = new LongAdder();
        return new Fault("refused", proxy, () -> refuse(proxy), () -> {
            if (isRefused(proxy)) {
                refusals.increment();
            }
            return refusals.sum();
        });
    }

    private static void refuse(FaultProxy proxy) {
        proxy.refuse();
        proxy.reset();
    }

    private static boolean isRefused(FaultProxy proxy) {
        try {
            new Socket(InetAddress.getLoopbackAddress(), proxy.port()).close();
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void resetAll(FaultProxy proxy) {
        proxy.resetNewConnections();
        proxy.reset();
    }

    private static LongSupplier held(FaultProxy proxy) {
        return () -> proxy.heldBytes(Direction.TO_SERVER) + proxy.heldBytes(Direction.TO_CLIENT);
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
