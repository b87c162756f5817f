package dev.interlock.redis;

import dev.interlock.support.OldDriver;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.CommandType;

/** The least version of Lettuce that the store works with: the first with sharded channels. */
final class Lettuce {

    private static final String LEAST = "6.4.0.RELEASE";

    private Lettuce() {}

    /**
     * Checks that Lettuce is new enough, before anything of it is used.
     *
     * @throws IllegalStateException if it is too old
     */
    static void require() {
        try {
            var unused = CommandType.SSUBSCRIBE;
        } catch (NoSuchFieldError e) {
            throw OldDriver.refused("io.lettuce:lettuce-core", LEAST, "lettuce.version", RedisURI.class, e);
        }
    }
}
