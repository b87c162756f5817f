package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.store.FarStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that try a free lock over a majority of stores at the same time: one of them gets it. */
class QuorumTriesTest {

    /** As many callers as try at the same time. */
    private static final int MOST = 10;

    private final List<Interlock> clients = new ArrayList<>();

    @AfterEach
    void closeClients() {
        clients.forEach(Interlock::close);
    }

    /** Two to ten callers, each as far from each store as chance will have it: exactly one wins. */
    @Tag(Effort.SCALED)
    @ParameterizedTest
    @CsvSource({"3, 1000", "5, 3000"})
    void P19_ofCallersThatTryAtOnce_oneWins(int stores, int mostMicros) throws Exception {
        Random random = new Random(stores);
        try (MemoryNodes nodes = MemoryNodes.of(stores)) {
            for (int client = 0; client < MOST; client++) {
                List<LockStore> far = nodes.sessions(
                        store -> new FarStore(store, Duration.ofNanos(1_000L * random.nextInt(mostMicros))));
                clients.add(Interlock.builder(QuorumStore.over(far)).build());
            }
            for (int round = 0; round < Effort.pick(20, 1_000); round++) {
                assertThat(winners("once-" + round, 2 + round % (MOST - 1)))
                        .as("winners of round %s", round)
                        .isEqualTo(1);
            }
        }
    }

    /** Lets so many callers try at the same time. Who wins holds until all have an answer. */
    private long winners(String name, int callers) {
        CyclicBarrier together = new CyclicBarrier(callers);
        List<Caller<Boolean>> trying = new ArrayList<>();
        for (int number = 0; number < callers; number++) {
            DistributedLock lock = clients.get(number).lock(name);
            trying.add(Caller.start(() -> {
                together.await(Patience.seconds(), TimeUnit.SECONDS);
                Optional<Lease> lease = lock.tryAcquire();
                together.await(Patience.seconds(), TimeUnit.SECONDS);
                lease.ifPresent(Lease::close);
                return lease.isPresent();
            }));
        }
        return trying.stream().filter(Caller::result).count();
    }
}
