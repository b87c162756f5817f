package dev.interlock.evidence;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;

/** Curator's mutex, with a session as long as the lease. */
final class CuratorRival implements Rival {

    private static final int CONNECT_MILLIS = 15_000;

    private final CuratorFramework client;
    private final InterProcessMutex mutex;
    private final boolean listens;

    /** Set by Curator's thread, taken back by the thread of the lock. */
    private volatile boolean inDoubt;

    private CuratorRival(String uri, String name, Duration lease, boolean listens) {
        this.listens = listens;
        client = CuratorFrameworkFactory.newClient(
                URI.create(uri).getAuthority(),
                (int) lease.toMillis(),
                CONNECT_MILLIS,
                new ExponentialBackoffRetry(100, 5));
        client.getConnectionStateListenable().addListener((framework, state) -> {
            if (state == ConnectionState.SUSPENDED || state == ConnectionState.LOST) {
                inDoubt = true;
            }
        });
        client.start();
        mutex = new InterProcessMutex(client, "/curator/" + name);
    }

    /** As the first example of its documentation: nobody listens to the state of the connection. */
    static Rival plain(String uri, String name, Duration lease) {
        return new CuratorRival(uri, name, lease, false);
    }

    /** As its documentation recommends: a holder whose connection is suspended or lost assumes that it has lost. */
    static Rival listening(String uri, String name, Duration lease) {
        return new CuratorRival(uri, name, lease, true);
    }

    @Override
    public @Nullable Held acquire(Duration wait) throws Exception {
        inDoubt = false;
        if (!mutex.acquire(wait.toMillis(), TimeUnit.MILLISECONDS)) {
            return null;
        }
        return new TheirHold();
    }

    @Override
    public void close() {
        client.close();
    }

    private final class TheirHold implements Held {

        @Override
        public boolean isHeld() {
            return !(listens && inDoubt);
        }

        @Override
        public void release() throws Exception {
            mutex.release();
        }
    }
}
