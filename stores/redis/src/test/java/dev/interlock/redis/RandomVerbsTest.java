package dev.interlock.redis;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockKind;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random verbs of several clients, with the memory store as the model. */
@Tag(Effort.SCALED)
@Tag("wide")
class RandomVerbsTest {

    private static final int CLIENTS = 3;

    private static RedisServer server;
    private static List<String> ids;
    private static ModelRun run;
    private static List<AutoCloseable> stores;

    @BeforeAll
    static void open() {
        server = RedisServer.start();
        MemoryStore model = new MemoryStore();
        run = new ModelRun();
        ids = new ArrayList<>();
        stores = new ArrayList<>(List.of(server));
        for (int i = 0; i < CLIENTS; i++) {
            RedisStore store = RedisStore.at(server.uri());
            ModelRun.Client client = new ModelRun.Client(UUID.randomUUID().toString(), store, model.session());
            run.join(client);
            ids.add(client.id());
            stores.add(0, store);
        }
        run.warm();
    }

    @AfterAll
    static void close() throws Exception {
        for (AutoCloseable store : stores) {
            store.close();
        }
    }

    @ParameterizedTest
    @EnumSource(LockKind.class)
    void P17_randomVerbsDoOnRedisWhatTheyDoInMemory(LockKind kind) throws Exception {
        int rounds = Effort.pick(15, 6250);
        for (int round = 0; round < rounds; round++) {
            long seed = Effort.pick((long) round, System.nanoTime());
            Patience.inTime(() -> play(kind, seed));
        }
    }

    /** Empty if the machine has held it up. */
    private static Optional<Long> play(LockKind kind, long seed) {
        long start = System.nanoTime();
        try {
            new RandomVerbs(run, ids, kind, seed).play();
            return Optional.of(seed);
        } catch (AssertionError e) {
            if (System.nanoTime() - start < ModelRun.QUICK.toNanos()) {
                throw new AssertionError("Redis and the model differ: kind=" + kind + ", seed=" + seed, e);
            }
            return Optional.empty();
        }
    }
}
