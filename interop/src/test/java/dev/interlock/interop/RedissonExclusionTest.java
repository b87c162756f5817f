package dev.interlock.interop;

import dev.interlock.testkit.Effort;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two clients of ours and two of Redisson on one name (I2): never two inside, and everybody gets a share. */
class RedissonExclusionTest {

    private static final String NAME = "interop:shared";

    @Tag(Effort.SCALED)
    @Test
    void twoOfEachExcludeEachOtherAndNobodyStarves() {
        try (Clients clients = new Clients()) {
            new Competition(NAME, Effort.pick(5_000, 20_000))
                    .run(List.of(
                            clients.interlock(true).lock(NAME),
                            clients.redisson().getLock(NAME),
                            clients.interlock(true).lock(NAME),
                            clients.redisson().getLock(NAME)));
        }
    }
}
