package dev.interlock.redis.connection;

import dev.interlock.support.DaemonThreads;
import dev.interlock.support.HostNames;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * Resolves the name of a server anew for each connection: see {@link HostNames}. That may wait for name servers, so it
 * runs on a thread of its own, and the connections of the I/O threads go on.
 */
final class HostNameResolvers extends AddressResolverGroup<InetSocketAddress> {

    private static final Executor THREADS = DaemonThreads.pool("interlock-redis-names");

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new Resolver(executor).asAddressResolver();
    }

    private static final class Resolver extends InetNameResolver {
        Resolver(EventExecutor executor) {
            super(executor);
        }

        @Override
        protected void doResolve(String host, Promise<InetAddress> promise) {
            complete(promise, host, addresses -> addresses[0]);
        }

        @Override
        protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
            complete(promise, host, Arrays::asList);
        }

        private <T> void complete(Promise<T> promise, String host, Function<InetAddress[], T> found) {
            if (HostNames.isKnown(host)) {
                lookUp(promise, host, found).run();
                return;
            }
            THREADS.execute(() -> {
                Runnable outcome = lookUp(promise, host, found);
                try {
                    // Elsewhere the promise would log an error if its executor has ended.
                    executor().execute(outcome);
                } catch (RejectedExecutionException e) {
                    // The client was closed, and nobody waits for the name any more.
                }
            });
        }

        private static <T> Runnable lookUp(Promise<T> promise, String host, Function<InetAddress[], T> found) {
            try {
                T addresses = found.apply(HostNames.resolve(host));
                return () -> promise.trySuccess(addresses);
            } catch (UnknownHostException e) {
                return () -> promise.tryFailure(e);
            }
        }
    }
}
