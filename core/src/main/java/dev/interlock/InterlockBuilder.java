package dev.interlock;

import dev.interlock.engine.Engine;
import dev.interlock.engine.EngineConfig;
import dev.interlock.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Builds a client. It builds one; not thread-safe. */
public final class InterlockBuilder {

    private final LockStore store;
    private final List<LockListener> listeners = new ArrayList<>();
    private String application = "";
    private Duration storeTimeout = Duration.ofSeconds(30);
    private Duration attemptTimeout = Duration.ofSeconds(2);
    private @Nullable Duration pollCap;
    private Duration closeTimeout = Duration.ofSeconds(5);
    private LockOptions options = LockOptions.defaults();
    private @Nullable Executor callbackExecutor;
    private boolean built;

    InterlockBuilder(LockStore store) {
        this.store = store;
    }

    /** The name of the application, shown to people who look at a lock. Empty by default. */
    public InterlockBuilder application(String name) {
        this.application = name;
        return this;
    }

    /**
     * For how long a call waits while the store does not answer at all, if its own time is not over before. 30 s by
     * default.
     */
    public InterlockBuilder storeTimeout(Duration timeout) {
        this.storeTimeout = positive("storeTimeout", timeout);
        return this;
    }

    /**
     * After this time without an answer the outcome of one request counts as unknown: it is taken back and tried again.
     * 2 s by default, and never more than {@code storeTimeout}.
     */
    public InterlockBuilder attemptTimeout(Duration timeout) {
        this.attemptTimeout = positive("attemptTimeout", timeout);
        return this;
    }

    /**
     * The longest sleep of a waiter that is not woken: the worst latency if every wake is lost. By default what the
     * store says: 1 s, on SQL 2 s.
     */
    public InterlockBuilder pollCap(Duration cap) {
        this.pollCap = positive("pollCap", cap);
        return this;
    }

    /** How long {@link Interlock#close()} waits for the store to confirm releases. 5 s by default. */
    public InterlockBuilder closeTimeout(Duration timeout) {
        this.closeTimeout = positive("closeTimeout", timeout);
        return this;
    }

    /** The options of locks that are given none. */
    public InterlockBuilder lockOptions(LockOptions defaults) {
        this.options = defaults;
        return this;
    }

    /**
     * Where callbacks, listeners and completions of futures run. By default own daemon threads, virtual ones where the
     * JVM has them. A given executor is not shut down by {@link Interlock#close()}.
     */
    public InterlockBuilder callbackExecutor(Executor executor) {
        this.callbackExecutor = executor;
        return this;
    }

    /** Adds a listener. */
    public InterlockBuilder listener(LockListener listener) {
        listeners.add(listener);
        return this;
    }

    /**
     * Builds the client, without any I/O.
     *
     * @throws IllegalStateException if it has built one: the store is that client's, which listens to it and closes it
     */
    public Interlock build() {
        if (built) {
            throw new IllegalStateException("A store has one client: use the one that was built, or another store");
        }
        EngineConfig config = new EngineConfig(
                application,
                storeTimeout,
                attemptTimeout,
                pollCap == null ? store.pollCap() : pollCap,
                closeTimeout,
                List.copyOf(listeners),
                callbackExecutor);
        Interlock client = new Interlock(Engine.start(store, config), options);
        built = true;
        return client;
    }

    private static Duration positive(String what, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(LeaseTerm.MAX) > 0) {
            throw new IllegalArgumentException(what + " must be positive and at most " + LeaseTerm.MAX + ": " + value);
        }
        return value;
    }
}
