package dev.interlock.cli.common;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.LockStoreProvider;
import java.time.Duration;
import java.util.Locale;
import java.util.ServiceLoader;

/** Opens clients of the library with the settings that suit a command. */
public final class Client {

    /**
     * Longer than the library's default, because the first connection of a new JVM on a busy machine takes seconds.
     * Only a store that is silent lets the user wait for so long: a refused connection is reported at once.
     */
    private static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(15);

    private Client() {}

    /**
     * A client of the store, without any I/O.
     *
     * @param application the name of the holder or waiter for other clients
     */
    public static Interlock open(StoreUri uri, String application) {
        try {
            return built(Interlock.builder(uri.value()), application);
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitCode.USAGE, "the store URI is not valid: " + e.getMessage(), e);
        } catch (IllegalStateException e) {
            throw new CommandException(ExitCode.USAGE, "the store cannot be used here: " + e.getMessage(), e);
        }
    }

    /** A client of this store. */
    public static Interlock of(LockStore store, String application) {
        return built(Interlock.builder(store), application);
    }

    /** The store itself, of a URI that {@link #open} has accepted. */
    public static LockStore store(StoreUri uri) {
        String scheme = uri.value().substring(0, uri.value().indexOf(':')).toLowerCase(Locale.ROOT);
        for (LockStoreProvider provider : ServiceLoader.load(LockStoreProvider.class)) {
            if (provider.schemes().contains(scheme)) {
                return provider.create(uri.value());
            }
        }
        throw new IllegalStateException("No store for " + scheme);
    }

    private static Interlock built(InterlockBuilder builder, String application) {
        return builder.application(application).attemptTimeout(ATTEMPT_TIMEOUT).build();
    }
}
