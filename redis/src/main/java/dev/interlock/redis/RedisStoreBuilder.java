package dev.interlock.redis;

import java.time.Duration;
import java.util.function.Supplier;

/** Builds a store. What is set is copied at {@link #build()}; the builder is not thread-safe. */
public final class RedisStoreBuilder {

    private final Supplier<Connector> connector;
    private Settings settings;

    RedisStoreBuilder(Supplier<Connector> connector, Settings settings) {
        this.connector = connector;
        this.settings = settings;
    }

    /**
     * How long the last fence of a name is kept after its last use, at least; a lease that is long in comparison keeps it for three leases. Two minutes by
     * default. It should exceed the largest step back that the server's clock may make, also that of a replica that takes over.
     */
    public RedisStoreBuilder fenceLife(Duration life) {
        settings = new Settings(Settings.checkedFenceLife(life), settings.redissonInterop());
        return this;
    }

    /**
     * Whether clients of Redisson that wait are told of our releases, and ours of theirs. Off by default: then both still exclude each other, but a waiting
     * client finds out by asking, and a release of which nobody wants to know publishes nothing.
     */
    public RedisStoreBuilder redissonInterop(boolean on) {
        settings = new Settings(settings.fenceLife(), on);
        return this;
    }

    /** Builds the store, without any I/O. */
    public RedisStore build() {
        return new RedisStore(connector.get(), settings);
    }
}
