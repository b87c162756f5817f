package dev.interlock.micronaut;

import dev.interlock.memory.MemoryStore;
import io.micronaut.context.ApplicationContext;
import java.util.HashMap;
import java.util.Map;

/** Applications of the tests. */
final class Applications {

    /** What one of the beans needs. */
    static final Map<String, Object> PREFIX = Map.of("orders.prefix", "order");

    private Applications() {}

    /** One that shares a store with others. */
    static ApplicationContext on(MemoryStore store, Map<String, Object> properties, Object... beans) {
        return ApplicationContext.builder()
                .properties(PREFIX)
                .properties(properties)
                .singletons(store.session())
                .singletons(beans)
                .start();
    }

    /** One with a store of its own, and these properties, each with its value behind it. */
    static ApplicationContext with(String... properties) {
        Map<String, Object> all = new HashMap<>(PREFIX);
        all.put("interlock.uri", "memory:");
        for (int i = 0; i < properties.length; i += 2) {
            all.put(properties[i], properties[i + 1]);
        }
        return ApplicationContext.run(all);
    }
}
