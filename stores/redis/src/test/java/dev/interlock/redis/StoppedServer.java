package dev.interlock.redis;

import dev.interlock.testkit.fault.StoreFault;
import dev.interlock.testkit.process.Signals;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.FaultProxy.Direction;
import dev.interlock.testkit.server.RedisServer;

/**
 * The server stands still (SIGSTOP): connections stand and are accepted, what is sent arrives, and nothing is done
 * until it goes on.
 */
final class StoppedServer implements StoreFault {

    private final RedisServer server;
    private final FaultProxy proxy;
    private long hits;
    private long sentBefore;

    /** The proxy is that of the client under test. */
    StoppedServer(RedisServer server, FaultProxy proxy) {
        this.server = server;
        this.proxy = proxy;
    }

    @Override
    public String name() {
        return "stopped server";
    }

    @Override
    public void strike() {
        server.stop();
        sentBefore = sent();
    }

    @Override
    public void heal() {
        hits = hits();
        server.cont();
    }

    /** Bytes that were sent to it as long as the kernel says that it is stopped. */
    @Override
    public long hits() {
        return isStopped(server) ? hits + sent() - sentBefore : hits;
    }

    /** Lets it go on if a test has failed under the fault: others use it too. */
    static void resume(RedisServer server) {
        if (isStopped(server)) {
            server.cont();
        }
    }

    private static boolean isStopped(RedisServer server) {
        return server.state() == Signals.STOPPED;
    }

    private long sent() {
        return proxy.forwardedBytes(Direction.TO_SERVER);
    }
}
