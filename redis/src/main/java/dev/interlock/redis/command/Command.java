package dev.interlock.redis.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.CompleteableCommand;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One command on its way, and at the same time the stage that the caller holds: nothing stands between the reply and
 * the caller. A caller that gives up cancels the stage; Lettuce does not write a command that is done, so what has not
 * been sent never is.
 *
 * <p>The same call may be sent again after a reply that was no answer yet. Only the thread that completes it does so.
 */
public abstract class Command<T> extends CompletableFuture<T>
        implements RedisCommand<byte[], byte[], T>, CompleteableCommand<T> {

    private static final byte[] CRLF = {'\r', '\n'};
    private static final int DIGITS = 10;

    private final CommandType type;
    private Reply reply = new Reply();

    /** Where it was sent to last. Written by the thread that sends it. */
    private volatile @Nullable Node node;

    /** The connection that it was written to last. */
    private volatile @Nullable RedisChannelHandler<?, ?> connection;

    /** How many commands have been written for it. */
    private int cost;

    /** How often a server has sent it to another. */
    private int redirects;

    public Command(CommandType type) {
        this.type = type;
    }

    /** The words after the command's own. */
    public abstract byte[][] words();

    /** The server has answered, whatever it is, and whether or not anybody waits for it. */
    protected abstract void replyReceived();

    /** The server has answered, without an error. */
    protected abstract void onReply(Reply answer);

    /** The server has answered with this error. */
    protected abstract void onError(String error);

    /** It goes to this server now. */
    public final void sentTo(Node to) {
        node = to;
        cost++;
    }

    /** Where it was sent to last; null if it has not been sent. */
    public final @Nullable Node node() {
        return node;
    }

    /** It goes out on this connection now. */
    public void writtenTo(RedisChannelHandler<?, ?> on) {
        connection = on;
    }

    /** The connection that it was written to last; null if it has not been written. */
    public final @Nullable RedisChannelHandler<?, ?> connection() {
        return connection;
    }

    /** Another command has been written for its sake. */
    public final void countExtraCommand() {
        cost++;
    }

    /** How many commands have been written for it. */
    public final int commandCount() {
        return cost;
    }

    /** A server has sent it to another. */
    public final void countRedirect() {
        redirects++;
    }

    /** How often a server has sent it to another. */
    public final int redirects() {
        return redirects;
    }

    /** The part of a cluster's keys that it is about; -1 if about none. */
    public int slot() {
        return -1;
    }

    /** Empties the reply, so that the call can be sent again. */
    public final void reset() {
        reply = new Reply();
    }

    @Override
    public final void complete() {
        replyComplete(reply);
    }

    /** The server's answer is here. */
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
            // What cannot be understood must not leave the caller without an answer.
            completeExceptionally(e);
        }
    }

    /** Lettuce gives it up: the connection is gone. Whether the server has executed it is unknown. */
    @Override
    public final void cancel() {
        completeExceptionally(Failures.disconnected());
    }

    @Override
    public final void encode(ByteBuf out) {
        byte[][] words = words();
        head(out, '*', words.length + 1);
        word(out, type.getBytes());
        for (byte[] word : words) {
            word(out, word);
        }
    }

    private static void word(ByteBuf out, byte[] word) {
        head(out, '$', word.length);
        out.writeBytes(word).writeBytes(CRLF);
    }

    private static void head(ByteBuf out, char kind, int number) {
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
    @SuppressWarnings("unchecked") // The output's own type is never asked for: answered() takes the reply as it is.
    public final CommandOutput<byte[], byte[], T> getOutput() {
        return (CommandOutput<byte[], byte[], T>) (CommandOutput<byte[], byte[], ?>) reply;
    }

    @Override
    public final void setOutput(CommandOutput<byte[], byte[], T> output) {
        throw new UnsupportedOperationException("A call belongs to no transaction");
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
