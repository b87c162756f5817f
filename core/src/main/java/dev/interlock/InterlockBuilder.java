package dev.interlock;

import dev.interlock.engine.Engine;
import dev.interlock.engine.EngineConfig;
import dev.interlock.spi.ClientClock;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Configures and builds one client. Not thread-safe. */
public final class InterlockBuilder {

    private final LockStore store;
    private final List<LockObserver> observers = new ArrayList<>();
    private final List<Consumer<? super Interlock>> whenBuilt = new ArrayList<>();
    private String application = "";
    private String namePrefix = "";
    private Duration storeTimeout = Duration.ofSeconds(30);
    private Duration attemptTimeout = Duration.ofSeconds(2);
    private @Nullable Duration pollCap;
    private Duration closeTimeout = Duration.ofSeconds(5);
    private LockOptions options = LockOptions.defaults();
    private @Nullable Executor callbackExecutor;
    private @Nullable ClientClock clock;
    private boolean built;

    InterlockBuilder(LockStore store) {
        this.store = store;
    }

    /**
     * Sets the name of the application, which is shown to people who look at a lock. Empty by default.
     *
     * @param name the name; not null
     * @return this builder
     */
    public InterlockBuilder application(String name) {
        this.application = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets a text with which the names of all locks of this client begin in the store, so that applications that share
     * a store cannot meet by accident. Empty by default. The application knows the names without it: the client adds it
     * to each name that it sends, leaves it out of all that it returns or reports, and lists only names that begin with
     * it. A client without a prefix sees the same lock under the whole name. Messages of the store itself name what the
     * store knows.
     *
     * @param prefix the text, with a separator at its end if you want one; a name and the prefix together must not
     *     exceed the length of a name
     * @return this builder
     * @throws IllegalArgumentException if no name can begin with {@code prefix}
     */
    public InterlockBuilder namePrefix(String prefix) {
        try {
            LockId.lock(Objects.requireNonNull(prefix, "prefix") + "n");
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("No lock name can begin with this prefix: " + e.getMessage(), e);
        }
        this.namePrefix = prefix;
        return this;
    }

    /**
     * Sets how long a call waits while the store does not answer at all, if its own time is not over before. 30 s by
     * default.
     *
     * @param timeout positive, at most 365 days
     * @return this builder
     * @throws IllegalArgumentException if {@code timeout} is out of range
     */
    public InterlockBuilder storeTimeout(Duration timeout) {
        this.storeTimeout = positive("storeTimeout", timeout);
        return this;
    }

    /**
     * Sets the time without an answer after which the outcome of one request counts as unknown: the client takes the
     * request back and tries again. 2 s by default, and never more than {@code storeTimeout}.
     *
     * @param timeout positive, at most 365 days
     * @return this builder
     * @throws IllegalArgumentException if {@code timeout} is out of range
     */
    public InterlockBuilder attemptTimeout(Duration timeout) {
        this.attemptTimeout = positive("attemptTimeout", timeout);
        return this;
    }

    /**
     * Sets the longest sleep of a waiter that is not woken, which is the worst latency if every wake is lost. The
     * default comes from the store: 1 s, on SQL 2 s.
     *
     * @param cap positive, at most 365 days
     * @return this builder
     * @throws IllegalArgumentException if {@code cap} is out of range
     */
    public InterlockBuilder pollCap(Duration cap) {
        this.pollCap = positive("pollCap", cap);
        return this;
    }

    /**
     * Sets how long {@link Interlock#close()} waits, for candidates and other code that runs under leases to end and
     * for the store to confirm releases, together. 5 s by default.
     *
     * @param timeout positive, at most 365 days
     * @return this builder
     * @throws IllegalArgumentException if {@code timeout} is out of range
     */
    public InterlockBuilder closeTimeout(Duration timeout) {
        this.closeTimeout = positive("closeTimeout", timeout);
        return this;
    }

    /**
     * Sets the options of locks that are created without options. {@link LockOptions#defaults()} by default. They are
     * for all kinds: where a kind lacks one, as a semaphore lacks {@link LockOptions.Builder#reentrant}, it is left out
     * silently, whereas a semaphore that is created with that option is refused.
     *
     * @param defaults the default options
     * @return this builder
     */
    public InterlockBuilder lockOptions(LockOptions defaults) {
        this.options = Objects.requireNonNull(defaults, "defaults");
        return this;
    }

    /**
     * Changes the options of locks that are created without options, as {@link #lockOptions(LockOptions)}.
     *
     * @param changes changes those that were set before, or {@link LockOptions#defaults()}; called once, at once
     * @return this builder
     * @throws IllegalArgumentException if an option breaks a rule
     */
    public InterlockBuilder lockOptions(Consumer<LockOptions.Builder> changes) {
        LockOptions.Builder changed = options.toBuilder();
        Objects.requireNonNull(changes, "changes").accept(changed);
        this.options = changed.build();
        return this;
    }

    /**
     * Sets the executor that runs callbacks and completions of futures. By default the client has daemon threads of its
     * own, virtual ones where the JVM has them. {@link Interlock#close()} does not shut down an executor that is set
     * here.
     *
     * @param executor the executor
     * @return this builder
     */
    public InterlockBuilder callbackExecutor(Executor executor) {
        this.callbackExecutor = Objects.requireNonNull(executor, "executor");
        return this;
    }

    /**
     * Sets the clock of the client, for tests, such as that of {@code interlock-test}. By default it is the monotonic
     * clock of the machine. Leases, renewals, waits and time-outs go by it. A call that only asks the store, as
     * {@link DistributedLock#inspect()}, is bounded by the machine's clock besides. With a clock the client begins its
     * thread in {@link #build}.
     *
     * @param source the clock
     * @return this builder
     */
    public InterlockBuilder clock(ClientClock source) {
        this.clock = Objects.requireNonNull(source, "source");
        return this;
    }

    /**
     * Adds an observer, which is called directly: see {@link LockObserver} for what it must not do. A client may have
     * several.
     *
     * @param observer the observer
     * @return this builder
     */
    public InterlockBuilder observer(LockObserver observer) {
        observers.add(Objects.requireNonNull(observer, "observer"));
        return this;
    }

    /**
     * Adds an action that {@link #build} runs with the new client before it returns, after the observers have been told
     * that it is open: for an extension that both observes a client and uses it. Actions run in the order in which they
     * were added. What one throws, {@code build} throws, and the client is closed.
     *
     * @param action the action; no I/O
     * @return this builder
     */
    public InterlockBuilder whenBuilt(Consumer<? super Interlock> action) {
        whenBuilt.add(Objects.requireNonNull(action, "action"));
        return this;
    }

    /**
     * Builds the client, without any I/O. What an {@linkplain #observer observer} throws when it is told of the client,
     * or an {@linkplain #whenBuilt action}, ends the client and closes the store.
     *
     * @return the client
     * @throws IllegalStateException if this builder has built a client already: the store belongs to that client, which
     *     receives its wakes and closes it
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
                List.copyOf(observers),
                callbackExecutor);
        built = true;
        Engine engine = clock == null
                ? Engine.start(store, namePrefix, config)
                : Engine.start(store, namePrefix, config, clock);
        Interlock client = new Interlock(engine, namePrefix, options, config);
        try {
            engine.opened();
            whenBuilt.forEach(action -> action.accept(client));
        } catch (Throwable e) {
            client.close();
            throw e;
        }
        return client;
    }

    private static Duration positive(String what, Duration value) {
        if (Objects.requireNonNull(value, what).isNegative() || value.isZero() || value.compareTo(LeaseTerm.MAX) > 0) {
            throw new IllegalArgumentException(what + " must be positive and at most " + LeaseTerm.MAX + ": " + value);
        }
        return value;
    }
}
