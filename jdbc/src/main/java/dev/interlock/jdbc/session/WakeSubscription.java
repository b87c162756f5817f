package dev.interlock.jdbc.session;

import dev.interlock.jdbc.connection.ConnectionSource;
import dev.interlock.jdbc.dialect.Dialect;
import dev.interlock.jdbc.wake.WakeListener;
import dev.interlock.spi.Wake;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a store hears of wakes, if its database has clients tell each other: a {@link WakeListener}, for as long as the
 * connection is open. It begins when a claim has to wait for the first time. Without it claims poll: before it is
 * there, when it is refused what it needs, when it broke.
 *
 * <p>{@link #hear} is called by whoever sets up the store; all else by whoever has the turn of the {@link Worker}.
 */
public final class WakeSubscription {

    private static final System.Logger LOG = System.getLogger(WakeSubscription.class.getName());

    private final ConnectionSource connections;
    private final String prefix;
    private volatile @Nullable Consumer<Wake> hearer;
    private @Nullable WakeListener listener;
    private long notBeforeNanos = System.nanoTime();

    public WakeSubscription(ConnectionSource connections, String prefix) {
        this.connections = connections;
        this.prefix = prefix;
    }

    public void hear(Consumer<Wake> newHearer) {
        hearer = newHearer;
    }

    /** Where this client listens, or will in a moment; empty if it does not. */
    String channel() {
        WakeListener current = listener;
        return current != null && current.isOn() ? current.channel() : "";
    }

    /** Whether it listens now, so that nothing is missed any more. */
    boolean isListening() {
        WakeListener current = listener;
        return current != null && current.isListening();
    }

    /**
     * Begins to listen, if that has not been in vain of late, and does not wait for it: what is sent before it listens
     * is looked up then.
     */
    void begin(Dialect dialect) {
        Consumer<Wake> told = hearer;
        WakeListener current = listener;
        if (told == null || (current != null && current.isAlive()) || System.nanoTime() - notBeforeNanos < 0) {
            return;
        }
        if (current != null) {
            current.end();
        }
        current = dialect.listener(connections, prefix, told);
        listener = current;
        notBeforeNanos = System.nanoTime() + WakeListener.PAUSE.toNanos();
        if (current != null) {
            begin(current);
        }
    }

    /** Whatever keeps it from listening, the claim that has to wait is not to blame: it polls. */
    private static void begin(WakeListener listener) {
        try {
            listener.begin();
        } catch (Throwable e) {
            // Errors too: there may be too many threads.
            LOG.log(System.Logger.Level.DEBUG, "Listening failed: claims poll until it is tried again", e);
        }
    }

    /** Gives back what it has taken, and stops waiting for more: the only connection of a pool is needed elsewhere. */
    void end() {
        WakeListener current = listener;
        listener = null;
        notBeforeNanos = System.nanoTime();
        if (current != null) {
            current.end();
        }
    }
}
