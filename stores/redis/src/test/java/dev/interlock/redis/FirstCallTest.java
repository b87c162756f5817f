package dev.interlock.redis;

import dev.interlock.testkit.Effort;
import dev.interlock.testkit.process.FirstCall;
import dev.interlock.testkit.server.RedisServer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process whose first call of anything is {@code tryLock()}, on a busy machine. */
@Tag(Effort.TIMING)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FirstCallTest {

    @Test
    void firstTryLock_isGranted() throws Exception {
        try (RedisServer server = RedisServer.builder().password("secret").start()) {
            FirstCall.assertGranted("redis://:secret@127.0.0.1:" + server.port());
        }
    }
}
