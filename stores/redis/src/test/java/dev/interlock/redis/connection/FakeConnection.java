package dev.interlock.redis.connection;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.redis.command.Command;
import dev.interlock.redis.command.PlainCommand;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.push.PushListener;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ConnectionFacade;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A connection without a socket, which keeps what is written, and breaks and replies when the test says so. */
public final class FakeConnection extends StatefulRedisConnectionImpl<byte[], byte[]> {

    private static final ClientResources RESOURCES = DefaultClientResources.create();

    /** The commands with their arguments, in the order in which they were written. */
    public final List<String> written;

    private final Writer writer;
    private final List<RedisConnectionStateListener> listeners = new ArrayList<>();
    private boolean closed;

    FakeConnection() {
        this(new Writer());
    }

    private FakeConnection(Writer writer) {
        super(writer, new NoPushes(), ByteArrayCodec.INSTANCE, Duration.ofMinutes(1));
        this.writer = writer;
        this.written = writer.written;
        activated();
    }

    public static void shutDown() {
        var unused = RESOURCES.shutdown();
    }

    /** Runs the action when this command is written. */
    void on(String command, Runnable action) {
        writer.actions.put(command, action);
    }

    /** Replies to {@code HELLO} as a server of this version. */
    public void replyToHello(String version) {
        PlainCommand hello = (PlainCommand) writer.commands.get(0);
        hello.getOutput().multi(2);
        hello.getOutput().set(ByteBuffer.wrap("version".getBytes(UTF_8)));
        hello.getOutput().set(ByteBuffer.wrap(version.getBytes(UTF_8)));
        hello.complete();
    }

    /** Replies to the last command of this type with a number. */
    public void reply(String type, long number) {
        RedisCommand<?, ?, ?> command = writer.commands.stream()
                .filter(each -> each.getType().toString().equals(type))
                .reduce((first, second) -> second)
                .orElseThrow();
        command.getOutput().set(number);
        command.complete();
    }

    /** Breaks, but what it has received last is yet to be read, and nothing fails before that. */
    public void breakBehindWhatIsReceived() {
        deactivated();
    }

    /** Breaks as a connection of Lettuce does: it is closed first, then what is in flight fails. */
    void breakDown() {
        if (isOpen()) {
            deactivated();
            failCommands();
            disconnected();
        }
    }

    /** As {@link #breakDown()}, with the two events in the other order. */
    public void breakDownBeforeCommandsFail() {
        deactivated();
        disconnected();
        failCommands();
    }

    private void failCommands() {
        writer.commands.stream().filter(command -> !command.isDone()).toList().forEach(RedisCommand::cancel);
    }

    private void disconnected() {
        List.copyOf(listeners).forEach(listener -> listener.onRedisDisconnected(this));
    }

    @Override
    public void addListener(RedisConnectionStateListener listener) {
        listeners.add(listener);
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        closed = true;
        breakDown();
        return CompletableFuture.completedFuture(null);
    }

    private static final class NoPushes implements PushHandler {
        @Override
        public void addListener(PushListener listener) {}

        @Override
        public void removeListener(PushListener listener) {}

        @Override
        public Collection<PushListener> getPushListeners() {
            return List.of();
        }
    }

    private static final class Writer implements RedisChannelWriter {
        private final List<String> written = new ArrayList<>();
        private final List<RedisCommand<?, ?, ?>> commands = new ArrayList<>();
        private final Map<String, Runnable> actions = new HashMap<>();

        @Override
        public <K, V, T> RedisCommand<K, V, T> write(RedisCommand<K, V, T> command) {
            StringBuilder text = new StringBuilder(command.getType().toString());
            for (byte[] argument : ((Command<?>) command).arguments()) {
                text.append(' ').append(new String(argument, UTF_8));
            }
            commands.add(command);
            written.add(text.toString());
            actions.getOrDefault(text.toString(), () -> {}).run();
            return command;
        }

        @Override
        public <K, V> Collection<RedisCommand<K, V, ?>> write(Collection<? extends RedisCommand<K, V, ?>> all) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}

        @Override
        public CompletableFuture<Void> closeAsync() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void setConnectionFacade(ConnectionFacade facade) {}

        @Override
        public void setAutoFlushCommands(boolean autoFlush) {}

        @Override
        public void flushCommands() {}

        @Override
        public ClientResources getClientResources() {
            return RESOURCES;
        }
    }
}
