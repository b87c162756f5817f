package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Lease;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store that is asked more at once than it answers within the time of one attempt. Criterion P12. */
// A caller that is never told would hang in join(), which no interrupt ends: so in a thread of its own.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineCongestionTest {

    /** One answer in a millisecond: the last one comes after several times the timeout of an attempt. */
    private static final int NAMES = 1_200;

    private final Simulation one = Simulation.start();

    /**
     * What is asked again while its answer is still to come makes the line longer, and is answered too late in turn,
     * for ever.
     */
    @Test
    void P12_moreThanTheStoreAnswersInTime_areNotAskedAgainAndAgain() {
        one.store.road(Road.KEEP_REQUESTS);
        List<CompletableFuture<Lease>> asked =
                IntStream.range(0, NAMES).mapToObj(i -> one.acquire("n" + i)).toList();
        for (int millis = 0; millis < NAMES; millis++) {
            one.store.letGo(1);
            one.advance(Duration.ofMillis(1));
        }

        assertThat(asked).allSatisfy(lease -> assertThat(lease).isCompleted());
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(NAMES);
    }

    /** A store that has been slow and falls silent is given up all the same. */
    @Test
    void P12_patienceWithASlowStoreEnds() {
        one.store.road(Road.KEEP_REQUESTS);
        CompletableFuture<Lease> slow = one.acquire("slow");
        one.advance(Simulation.ATTEMPT_TIMEOUT.minusMillis(1));
        one.store.letGo();
        assertThat(slow).isCompleted();
        CompletableFuture<Lease> silent = one.acquire("silent");

        one.advance(Simulation.ATTEMPT_TIMEOUT.plusMillis(1));
        assertThat(one.store.count(Verb.ACQUIRE)).isEqualTo(2);
        one.advance(Simulation.STORE_TIMEOUT.dividedBy(2));
        assertThat(one.store.count(Verb.ACQUIRE)).isGreaterThan(2);
        assertThat(silent).isNotDone();
    }
}
