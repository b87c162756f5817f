package dev.interlock.redis;

import dev.interlock.testkit.arch.ArchitectureRules;
import java.util.Set;

class RedisArchitectureTest extends ArchitectureRules {

    RedisArchitectureTest() {
        super(RedisStore.class);
    }

    /** Two pairs know each other: a command the server that it was sent to, and a builder what it builds. */
    @Override
    protected Set<Set<String>> cycles() {
        return Set.of(Set.of("Command", "Node"), Set.of("RedisStore", "RedisStoreBuilder"));
    }
}
