package dev.interlock.redis.connection;

import dev.interlock.redis.command.AskingCommand;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.protocol.DefaultEndpoint;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Collects the commands that threads send while the connection's thread is busy, and writes several of them with each
 * system call. Lettuce's own endpoint takes a lock and makes a system call for each command: with many threads that is
 * most of the cost of a lock.
 *
 * <p>If there is no open channel, a command goes to Lettuce's own endpoint, which fails it.
 */
final class BatchingEndpoint extends DefaultEndpoint {

    /**
     * The number of commands between two flushes. With many more, client and server take turns instead of working at
     * the same time, since each waits for all of the other's data. With fewer, the additional system calls cost more.
     */
    private static final int FLUSH_AFTER = 8;

    /**
     * The number of commands before the thread reads replies again: thousands of requests at once would delay that for
     * seconds.
     */
    private static final int READ_AFTER = 1024;

    private final Queue<RedisCommand<?, ?, ?>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /** What the server said in TLS about this connection, perhaps after it was open. Written by the event loop. */
    private volatile @Nullable Throwable refusal;

    BatchingEndpoint(ClientOptions options, ClientResources resources) {
        super(options, resources);
    }

    /**
     * Completes when the server's certificate has been checked; immediately without TLS. Lettuce calls a connection
     * open before that.
     */
    CompletionStage<Void> secured() {
        CompletableFuture<Void> secured = new CompletableFuture<>();
        Channel open = channel;
        SslHandler tls = open == null ? null : open.pipeline().get(SslHandler.class);
        if (tls == null) {
            secured.complete(null);
        } else {
            tls.handshakeFuture().addListener(done -> {
                if (done.isSuccess()) {
                    secured.complete(null);
                } else {
                    secured.completeExceptionally(done.cause());
                }
            });
        }
        return secured;
    }

    /** With TLS 1.3 a server refuses the certificate of a client when that has taken the connection for open. */
    @Override
    public void notifyChannelActive(Channel active) {
        super.notifyChannelActive(active);
        ChannelHandlerContext tls = active.pipeline().context(SslHandler.class);
        if (tls != null) {
            active.pipeline().addAfter(tls.name(), null, new ChannelInboundHandlerAdapter() {
                @Override
                public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                    refusal = cause;
                    context.fireExceptionCaught(cause);
                }
            });
        }
    }

    @Override
    public <K, V, T> RedisCommand<K, V, T> write(RedisCommand<K, V, T> command) {
        Channel open = channel;
        if (open == null) {
            return super.write(command);
        }
        queue.add(command);
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            try {
                open.eventLoop().execute(this::drain);
            } catch (RejectedExecutionException e) {
                // The client is being shut down.
                drain();
            }
        }
        return command;
    }

    /** Clears the flag before it empties the queue: a command that comes too late for this round schedules the next. */
    private void drain() {
        scheduled.set(false);
        Channel open = channel;
        for (int written = 1; written <= READ_AFTER; written++) {
            RedisCommand<?, ?, ?> command = queue.poll();
            if (command == null) {
                break;
            }
            Throwable refused = refusal;
            if (refused != null) {
                command.completeExceptionally(refused);
            } else if (open == null || !open.isActive()) {
                super.write(command);
            } else {
                write(open, command);
                if (written % FLUSH_AFTER == 0) {
                    open.flush();
                }
            }
        }
        if (open != null) {
            open.flush();
        }
        if (!queue.isEmpty()) {
            drainLater(open);
        }
    }

    /** A task that is executed would run before the thread reads; a scheduled one runs after that. */
    private void drainLater(@Nullable Channel open) {
        if (!scheduled.compareAndSet(false, true)) {
            return;
        }
        try {
            if (open == null) {
                drain();
            } else {
                var unused = open.eventLoop().schedule(this::drain, 1, TimeUnit.NANOSECONDS);
            }
        } catch (RejectedExecutionException e) {
            // The client is being shut down.
            drain();
        }
    }

    private static void write(Channel open, RedisCommand<?, ?, ?> command) {
        if (command instanceof AskingCommand asking) {
            writeOne(open, asking.asking());
        }
        writeOne(open, command);
    }

    private static void writeOne(Channel open, RedisCommand<?, ?, ?> command) {
        ChannelFuture written = open.write(command);
        if (written.isDone()) {
            if (!written.isSuccess()) {
                command.completeExceptionally(written.cause());
            }
        } else {
            written.addListener((ChannelFutureListener) done -> {
                if (!done.isSuccess()) {
                    command.completeExceptionally(done.cause());
                }
            });
        }
    }
}
