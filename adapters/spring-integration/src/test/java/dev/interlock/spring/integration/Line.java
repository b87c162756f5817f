package dev.interlock.spring.integration;

import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import java.time.Duration;
import java.util.function.Consumer;
import org.springframework.integration.support.locks.LockRegistry;

/** The line of Spring Integration that the tests run on, and the registry for it. */
final class Line {

    static final boolean IS_7 =
            System.getProperty("spring.integration.version", "7").startsWith("7");

    private Line() {}

    static AbstractRegistry<?> registry(Interlock client) {
        return IS_7 ? Of7.registry(client) : new InterlockRegistry6(client);
    }

    static AbstractRegistry<?> registry(Interlock client, String registryKey) {
        return IS_7 ? Of7.registry(client, registryKey) : new InterlockRegistry6(client, registryKey);
    }

    static AbstractRegistry<?> registry(Interlock client, String registryKey, Duration expireAfter) {
        return IS_7
                ? Of7.registry(client, registryKey, expireAfter)
                : new InterlockRegistry6(client, registryKey, expireAfter);
    }

    static AbstractRegistry<?> registry(Interlock client, String registryKey, LockOptions options) {
        return IS_7 ? Of7.registry(client, registryKey, options) : new InterlockRegistry6(client, registryKey, options);
    }

    static AbstractRegistry<?> registry(Interlock client, String registryKey, Consumer<LockOptions.Builder> changes) {
        return IS_7 ? Of7.registry(client, registryKey, changes) : new InterlockRegistry6(client, registryKey, changes);
    }

    /** The same object, as the type that both lines have. */
    static LockRegistry<?> asLockRegistry(AbstractRegistry<?> registry) {
        return (LockRegistry<?>) registry;
    }

    /** A class of its own, which version 6 cannot load. */
    private static final class Of7 {

        static AbstractRegistry<?> registry(Interlock client) {
            return new InterlockRegistry(client);
        }

        static AbstractRegistry<?> registry(Interlock client, String registryKey) {
            return new InterlockRegistry(client, registryKey);
        }

        static AbstractRegistry<?> registry(Interlock client, String registryKey, Duration expireAfter) {
            return new InterlockRegistry(client, registryKey, expireAfter);
        }

        static AbstractRegistry<?> registry(Interlock client, String registryKey, LockOptions options) {
            return new InterlockRegistry(client, registryKey, options);
        }

        static AbstractRegistry<?> registry(
                Interlock client, String registryKey, Consumer<LockOptions.Builder> changes) {
            return new InterlockRegistry(client, registryKey, changes);
        }
    }
}
