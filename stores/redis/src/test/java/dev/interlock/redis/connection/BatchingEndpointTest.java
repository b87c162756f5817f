package dev.interlock.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.redis.command.PlainCommand;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What becomes of a connection when a command on it fails. */
class BatchingEndpointTest {

    private static final ClientResources RESOURCES = DefaultClientResources.create();

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final BatchingEndpoint endpoint =
            new BatchingEndpoint(ClientOptions.builder().autoReconnect(false).build(), RESOURCES);
    private final FakeConnection connection = new FakeConnection();
    private final PlainCommand command = new PlainCommand(CommandType.ECHO, "x");

    @AfterAll
    static void shutDown() {
        FakeConnection.shutDown();
        var unused = RESOURCES.shutdown();
    }

    /**
     * The server has closed the connection. Netty has closed the channel, and tells Lettuce of it after the commands
     * that are being written: whoever repeats the command at once needs another connection.
     */
    @Test
    void commandToAClosedChannel_closesIt_beforeLettuceIsTold() {
        endpoint.setConnectionFacade(connection);
        endpoint.notifyChannelActive(channel);
        var unused = channel.close();
        assertThat(connection.isOpen()).isTrue();

        command.writtenTo(connection);
        endpoint.write(command);
        channel.runPendingTasks();

        assertThat(command).isCompletedExceptionally();
        assertThat(connection.isClosed()).isTrue();
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void errorThatTheServerReplies_keepsTheConnection() {
        command.writtenTo(connection);

        command.completeExceptionally(new RedisCommandExecutionException("ERR"));

        assertThat(connection.isOpen()).isTrue();
    }
}
