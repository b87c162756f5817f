package dev.interlock.redis.command;

import dev.interlock.support.Host;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A server as a command sees it that is sent there. Implementations are thread-safe. */
public interface Node {

    /** Sends the command now, or as soon as there is a connection. Completes the command if that fails. */
    void send(Command<?> command);

    /**
     * Sends {@code SCRIPT LOAD}, unless that is under way on this connection. A command that is sent afterwards finds
     * the script loaded.
     */
    CompletableFuture<Reply> load(Script script);

    /** Notes that the server has replied, with a result or an error. */
    void replyReceived();

    /** Notes that a caller has stopped waiting for a reply. */
    void callerGaveUp();

    /**
     * Closes the connection, and one that is being opened. Commands in flight fail; the next command opens another
     * connection.
     */
    void disconnect();

    /** The address that the newest connection leads to; null if there has been none, or if it is not known. */
    @Nullable
    Host address();
}
