package dev.interlock.redis;

import dev.interlock.testkit.arch.ArchitectureRules;

/** The rules of the house for this module. */
class RedisArchitectureTest extends ArchitectureRules {

    RedisArchitectureTest() {
        super(RedisStore.class, false);
    }
}
