package dev.interlock.redis.modulepath;

import dev.interlock.Interlock;
import dev.interlock.redis.RedisStore;

/** Takes and releases a lock, and prints the module that the store is in. Argument: the store's URI. */
final class ModulePathMain {

    private ModulePathMain() {}

    public static void main(String[] arguments) {
        try (Interlock client = Interlock.connect(arguments[0])) {
            client.lock("on the module path").run(() -> {});
        }
        System.out.println("locked by module " + RedisStore.class.getModule().getName());
    }
}
