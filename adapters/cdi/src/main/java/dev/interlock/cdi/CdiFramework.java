package dev.interlock.cdi;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.annotation.SkipObserver;
import dev.interlock.annotation.spi.Framework;
import dev.interlock.annotation.spi.LockedCalls;
import dev.interlock.annotation.spi.ParameterExpressions;
import dev.interlock.annotation.spi.ResultForms;
import dev.interlock.annotation.spi.RunningMethods;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Log;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.BeforeDestroyed;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a container has for locked methods, from its start to its end. Thread-safe. */
@Singleton
public class CdiFramework implements Framework {

    private static final System.Logger LOG = Log.of(CdiFramework.class);

    private final Instance<Interlock> clients;
    private final Instance<LockStore> stores;
    private final Instance<LockObserver> observers;
    private final Instance<SkipObserver> skipObservers;
    private final LockedTypes types;

    private final Settings settings = Settings.ofTheApplication();
    private final LockedMethods methods =
            new LockedMethods(new ParameterExpressions(settings::resolve), new ResultForms(new CdiResultTypes()));
    private final RunningMethods running = new RunningMethods();
    private final LockedCalls calls = new LockedCalls(this);

    /** By the names of annotations: to look one up takes long, and a bean without a scope would be made each time. */
    private final Map<String, Interlock> known = new ConcurrentHashMap<>();

    /** For the container. */
    @Inject
    public CdiFramework(
            @Any Instance<Interlock> clients,
            Instance<LockStore> stores,
            @Any Instance<LockObserver> observers,
            @Any Instance<SkipObserver> skipObservers,
            LockedTypes types) {
        this.clients = clients;
        this.stores = stores;
        this.observers = observers;
        this.skipObservers = skipObservers;
        this.types = types;
    }

    LockedMethods methods() {
        return methods;
    }

    LockedCalls calls() {
        return calls;
    }

    // ---- clients

    /** That of an application which has none of its own. */
    Interlock makeClient() {
        InterlockBuilder builder;
        if (stores.isResolvable()) {
            builder = Interlock.builder(stores.get());
        } else {
            builder = Interlock.builder(settings.uri());
        }
        settings.apply(builder);
        observers.forEach(builder::observer);
        return builder.build();
    }

    @Override
    public Interlock client(String name) {
        return known.computeIfAbsent(name, unknown -> beans(unknown).get());
    }

    private Instance<Interlock> beans(String name) {
        Instance<Interlock> named = clients.select(name.isEmpty() ? Default.Literal.INSTANCE : NamedLiteral.of(name));
        if (named.isResolvable()) {
            return named;
        }
        // The only one may have a qualifier.
        if (name.isEmpty() && clients.isResolvable()) {
            return clients;
        }
        throw new IllegalStateException(
                name.isEmpty()
                        ? "of several beans of type Interlock none is @Default: name one, as @Locked(client = \"...\")"
                        : "no bean of type Interlock is @Named(\"" + name + "\")");
    }

    @Override
    public LockOptions options(String name) {
        return client("").lockOptions();
    }

    @Override
    public RunningMethods running() {
        return running;
    }

    @Override
    public void skipped(String method) {
        skipObservers.forEach(observer -> observer.skipped(method));
    }

    // ---- the start and the end

    /** Refuses to let the application start with a method that could not be locked, or a client that cannot be made. */
    void check(@Observes Startup start) {
        types.types().forEach(type -> methods.check(type, this::client));
    }

    /** After what else ends then, such as schedulers, and before the client is closed. */
    void end(@Observes @Priority(Integer.MAX_VALUE) @BeforeDestroyed(ApplicationScoped.class) Object event) {
        try {
            running.end().get(settings.closeTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // What is left is said.
        }
        List<String> left = running.running();
        if (!left.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "Methods with @Locked still run after interlock.close-timeout, and the application closes: their"
                            + " locks stay until they end, or the leases do: " + left);
        }
    }
}
