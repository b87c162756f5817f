package dev.interlock.redis.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.interlock.spi.Withdrawable;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.CompleteableCommand;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One command, and at the same time the future that the caller holds, so that the reply reaches the caller without
 * another object in between. A caller that gives up cancels the future. Lettuce does not write a command that is done,
 * so a cancelled command that has not been sent never is.
 *
 * <p>The same command may be sent again after a reply that is no answer, such as a redirection. Only the thread that
 * receives that reply does so.
 */
public abstract class Command<T> extends CompletableFuture<T>
        implements RedisCommand<byte[], byte[], T>, CompleteableCommand<T>, Withdrawable {

    private static final byte[] CRLF = {'\r', '\n'};
    private static final int DIGITS = 10;

    /** Changes only between a reply that is no answer and the next time that the command is sent. */
    private CommandType type;

    private Reply reply = new Reply();

    /** The server that the command was last sent to. Written by the thread that sends it. */
    private volatile @Nullable Node node;

    /** The connection that the command was last written to. Written under the monitor, with {@link #withdrawn}. */
    private volatile @Nullable RedisChannelHandler<?, ?> connection;

    /** Whether the caller has given it up before it was written. Guarded by the monitor. */
    private boolean withdrawn;

    /** The number of commands that have been sent for this one, including itself. */
    private int cost;

    /** The number of redirections to another server. */
    private int redirects;

    public Command(CommandType type) {
        this.type = type;
    }

    /** Is this other command from now on. Only for the thread that has received a reply, which sends it again. */
    protected final void become(CommandType other) {
        type = other;
    }

    /** The arguments. */
    public abstract byte[][] arguments();

    /** Called when the server has replied, with a result or an error, even if no caller waits any more. */
    protected abstract void replyReceived();

    /** Called with a reply that is not an error. */
    protected abstract void onReply(Reply answer);

    /** Called with a reply that is this error. */
    protected abstract void onError(String error);

    /** Notes the server that the command is being sent to. */
    public final void sentTo(Node to) {
        node = to;
        cost++;
    }

    /** The server that the command was last sent to; null if it has not been sent. */
    public final @Nullable Node node() {
        return node;
    }

    /**
     * Notes the connection that the command is about to be written to. False if the caller has withdrawn the command:
     * then it must not be written.
     */
    public boolean writtenTo(RedisChannelHandler<?, ?> on) {
        synchronized (this) {
            // Wins against withdraw(), or sees it.
            if (!withdrawn) {
                connection = on;
            }
            return !withdrawn;
        }
    }

    @Override
    public boolean withdraw() {
        boolean unsent;
        synchronized (this) {
            withdrawn = connection == null && (!isDone() || isCompletedExceptionally());
            unsent = withdrawn;
        }
        // One that was sent is given up, too: it is not sent again.
        cancel(false);
        return unsent;
    }

    /** The connection that the command was last written to; null if it has not been written. */
    public final @Nullable RedisChannelHandler<?, ?> connection() {
        return connection;
    }

    /** Counts another command that is sent for this one. */
    public final void countExtraCommand() {
        cost++;
    }

    /** The number of commands that have been sent for this one, including itself. */
    public final int commandCount() {
        return cost;
    }

    /** Counts a redirection to another server. */
    public final void countRedirect() {
        redirects++;
    }

    /** The number of redirections to another server. */
    public final int redirects() {
        return redirects;
    }

    /** The slot of the key that the command is about; -1 if it is about none. */
    public int slot() {
        return -1;
    }

    /** Empties the reply, so that the command can be sent again. */
    public final void reset() {
        reply = new Reply();
    }

    @Override
    public final void complete() {
        replyComplete(reply);
    }

    /** Evaluates a complete reply. */
    void replyComplete(Reply answer) {
        replyReceived();
        try {
            String error = answer.getError();
            if (error == null) {
                onReply(answer);
            } else {
                onError(error);
            }
        } catch (RuntimeException e) {
            // A reply that cannot be understood must not leave the caller waiting.
            completeExceptionally(e);
        }
    }

    /**
     * Lettuce fails a command on a connection that breaks, or whose channel is closed already, before it closes the
     * connection. Whoever repeats the command at once must not meet that connection again, so it is closed here.
     */
    @Override
    public boolean completeExceptionally(Throwable failure) {
        RedisChannelHandler<?, ?> broken = connection;
        if (broken != null && !broken.isClosed() && isOfTheConnection(failure)) {
            var unused = broken.closeAsync();
        }
        return super.completeExceptionally(failure);
    }

    /**
     * Lettuce has its own exception for a channel that is closed; that of an error which a server replied is another.
     */
    private static boolean isOfTheConnection(Throwable failure) {
        return failure instanceof IOException
                || (failure instanceof RedisException && !(failure instanceof RedisCommandExecutionException));
    }

    /** Called by Lettuce when the connection is gone. Whether the server has executed the command is unknown. */
    @Override
    public final void cancel() {
        completeExceptionally(Failures.disconnected());
    }

    @Override
    public final void encode(ByteBuf out) {
        byte[][] arguments = arguments();
        header(out, '*', arguments.length + 1);
        bulkString(out, type.getBytes());
        for (byte[] argument : arguments) {
            bulkString(out, argument);
        }
    }

    private static void bulkString(ByteBuf out, byte[] argument) {
        header(out, '$', argument.length);
        out.writeBytes(argument).writeBytes(CRLF);
    }

    private static void header(ByteBuf out, char kind, int number) {
        out.writeByte(kind);
        if (number < DIGITS) {
            out.writeByte('0' + number);
        } else if (number < DIGITS * DIGITS) {
            out.writeByte('0' + number / DIGITS).writeByte('0' + number % DIGITS);
        } else {
            out.writeBytes(Integer.toString(number).getBytes(US_ASCII));
        }
        out.writeBytes(CRLF);
    }

    @Override
    @SuppressWarnings("unchecked") // Nothing uses the type of the output: onReply() takes the reply as it is.
    public final CommandOutput<byte[], byte[], T> getOutput() {
        return (CommandOutput<byte[], byte[], T>) (CommandOutput<byte[], byte[], ?>) reply;
    }

    @Override
    public final void setOutput(CommandOutput<byte[], byte[], T> output) {
        throw new UnsupportedOperationException("A command belongs to no transaction");
    }

    @Override
    public final @Nullable CommandArgs<byte[], byte[]> getArgs() {
        return null;
    }

    @Override
    public final ProtocolKeyword getType() {
        return type;
    }

    @Override
    public final void onComplete(Consumer<? super T> action) {
        var unused = thenAccept(action);
    }

    @Override
    public final void onComplete(BiConsumer<? super T, Throwable> action) {
        var unused = whenComplete(action);
    }
}
