package dev.interlock.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What stores are asked while nothing happens: the table of idle costs in docs/internals/design.md, for what has
 * threads and pauses of its own. Only upper bounds: a busy machine asks less often, never more. Not thread-safe.
 */
public final class IdleCosts {

    private static final Duration TIME = Duration.ofSeconds(10);

    private final Map<String, CountingStore> stores = new LinkedHashMap<>();
    private final Map<String, Double> mostASecond = new HashMap<>();

    /**
     * This store is to be asked so often within a second, on average.
     *
     * @param what who asks
     * @param mostASecond the most requests; a few are added for what does not begin and end with the measurement
     */
    public CountingStore expect(String what, double mostASecond, CountingStore store) {
        stores.put(what, store);
        this.mostASecond.put(what, mostASecond);
        return store;
    }

    /** Counts for some seconds, for all of them at once. */
    public void measure() throws InterruptedException {
        Map<String, Long> before = new HashMap<>();
        stores.forEach((what, store) -> before.put(what, store.requests()));
        long startNanos = System.nanoTime();
        Thread.sleep(TIME.toMillis());
        assertThat(stores).allSatisfy((what, store) -> {
            long asked = store.requests() - before.getOrDefault(what, 0L);
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            double most = mostASecond.getOrDefault(what, 0.0);
            assertThat((double) asked)
                    .as("%s: requests in %.1f s, of %s", what, seconds, store)
                    .isLessThanOrEqualTo(most == 0 ? 0 : most * seconds + 2);
        });
    }
}
