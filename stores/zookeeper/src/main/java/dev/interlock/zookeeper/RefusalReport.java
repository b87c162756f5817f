package dev.interlock.zookeeper;

import dev.interlock.support.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.UnhandledErrorListener;
import org.apache.curator.framework.listen.Listenable;
import org.apache.curator.framework.listen.ListenerManager;

/**
 * Tells the application's own client of the rights that are missing: its {@link UnhandledErrorListener}s, as for a
 * background request of Curator. A request that nobody waits for, as that of a candidate or of a clean-up, has no other
 * way to the application. The listeners run on threads of their own, since they may block.
 */
final class RefusalReport implements Consumer<Exception> {

    private static final Executor THREADS = DaemonThreads.pool("interlock-zookeeper-refusals");

    private final CuratorFramework client;

    RefusalReport(CuratorFramework client) {
        this.client = client;
    }

    @Override
    public void accept(Exception refusal) {
        Listenable<UnhandledErrorListener> listeners = client.getUnhandledErrorListenable();
        if (listeners instanceof ListenerManager<UnhandledErrorListener, ?> manager) {
            THREADS.execute(() -> manager.forEach(listener -> {
                if (listener instanceof UnhandledErrorListener receiver) {
                    receiver.unhandledError(String.valueOf(refusal.getMessage()), refusal);
                }
            }));
        }
    }
}
