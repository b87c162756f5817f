package dev.interlock.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.support.Host;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisException;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Opens connections, and runs what is scheduled, when the test says so. */
public final class FakeConnector implements Connector {

    /** A task with its delay. */
    record Scheduled(Runnable task, Duration delay) {}

    public final List<CompletableFuture<OpenedConnection>> attempts = new ArrayList<>();
    final List<Scheduled> scheduled = new ArrayList<>();
    final List<@Nullable Host> skipped = new ArrayList<>();
    final List<RedisChannelHandler<?, ?>> closedFinally = new ArrayList<>();

    /** A connection that is not open yet. */
    FakeConnection prepare() {
        return new FakeConnection();
    }

    /** Ends the attempt to connect that is under way with a connection. */
    public FakeConnection open() {
        return open(prepare());
    }

    FakeConnection open(FakeConnection connection) {
        last().complete(new OpenedConnection(connection, address()));
        return connection;
    }

    void fail() {
        last().completeExceptionally(new RedisException("connection refused"));
    }

    /** Runs the only task that is scheduled for after this delay. */
    void runScheduled(Duration delay) {
        List<Scheduled> due =
                scheduled.stream().filter(task -> task.delay().equals(delay)).toList();
        assertThat(due).as("among " + scheduled).hasSize(1);
        scheduled.removeAll(due);
        due.get(0).task().run();
    }

    private CompletableFuture<OpenedConnection> last() {
        CompletableFuture<OpenedConnection> last = attempts.get(attempts.size() - 1);
        assertThat(last).as("the attempt to connect").isNotDone();
        return last;
    }

    @Override
    public CompletionStage<OpenedConnection> connect() {
        CompletableFuture<OpenedConnection> attempt = new CompletableFuture<>();
        attempts.add(attempt);
        return attempt;
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void schedule(Runnable task, Duration delay) {
        scheduled.add(new Scheduled(task, delay));
    }

    @Override
    public Host address() {
        return new Host("fake", 1);
    }

    @Override
    public Connector forNode(Host other) {
        throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable RuntimeException rejectionOf(HelloReply hello) {
        return null;
    }

    @Override
    public boolean skip(@Nullable Host used) {
        skipped.add(used);
        return true;
    }

    @Override
    public String description() {
        return "fake";
    }

    @Override
    public void closeFinally(RedisChannelHandler<?, ?> connection) {
        closedFinally.add(connection);
    }

    @Override
    public void close() {}
}
