package dev.interlock.redis;

import dev.interlock.testkit.fuzz.UriFuzz;
import org.junit.jupiter.api.Test;

class RedisUriFuzzTest {

    @Test
    void uri() {
        UriFuzz.run(
                "redis URI",
                RedisStoreUri::parse,
                "redis://host",
                "redis://user:s3cr3t@host:6379/1",
                "rediss://us%65r:s3cr3t@[::1]:7000/3?redissonInterop=true&fenceLife=PT5M&replicas=1",
                "redis-sentinel://:s3cr3t@one,[::2]:7000,three/my%2Fmaster?db=2&replicaTimeout=100ms&trust=%2Fca.pem");
    }
}
