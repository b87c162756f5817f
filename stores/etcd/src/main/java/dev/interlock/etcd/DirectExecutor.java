package dev.interlock.etcd;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Makes a client send requests on the thread that makes them, and deliver answers on the thread that reads them. By
 * default jetcd hands the one to another thread, and gRPC the other. Nothing that follows an answer blocks.
 *
 * <p>A request is sent outside of the context of gRPC that its thread may be in: when a call ends that the application
 * serves on that thread, our requests go on.
 */
final class DirectExecutor extends AbstractExecutorService implements ClientInterceptor {

    @Override
    public void execute(Runnable task) {
        Context.ROOT.run(task);
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return next.newCall(method, options.withExecutor(this));
    }

    /** It has no thread to end. */
    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return false;
    }
}
