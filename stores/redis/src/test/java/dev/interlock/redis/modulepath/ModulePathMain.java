package dev.interlock.redis.modulepath;

import dev.interlock.Interlock;
import dev.interlock.redis.RedisStore;
import java.time.Duration;

/** Takes and releases a lock, and prints the module that the store is in. Argument: the store's URI. */
final class ModulePathMain {

    private ModulePathMain() {}

    public static void main(String[] arguments) {
        Duration patience = Duration.ofMinutes(5);
        try (Interlock client = Interlock.builder(arguments[0])
                .attemptTimeout(patience)
                .storeTimeout(patience)
                .build()) {
            client.lock("on the module path").run(() -> {});
        }
        System.out.println("locked by module " + RedisStore.class.getModule().getName());
    }
}
