package dev.interlock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.LockObserver;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the health of an application says: of each client, and of each lease. */
class StoreHealthTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final LeaseWatch watch = new LeaseWatch();

    private void failed(String owner, Duration remaining) {
        watch.renewalFailed("name", owner, remaining, new StoreUnavailableException("silent", null));
    }

    /** Whichever it is, and in whichever order they are looked at. */
    @Test
    void oneClientThatDoesNotAnswer_isEnough() {
        for (int down = 0; down < 3; down++) {
            Map<String, Interlock> clients = new LinkedHashMap<>();
            for (int i = 0; i < 3; i++) {
                Interlock client = Interlock.inMemory();
                clients.put("client" + i, client);
                if (i == down) {
                    client.close();
                }
            }

            StoreHealth.Finding finding = new StoreHealth(clients, watch).look();

            assertThat(finding.up()).as("client" + down + " is closed").isFalse();
            assertThat(finding.details())
                    .containsKey("client" + down + ".error")
                    .hasSize(5);
            clients.values().forEach(Interlock::close);
        }
    }

    @Test
    void allClientsThatAnswer_areUp() {
        try (Interlock one = Interlock.inMemory();
                Interlock other = Interlock.inMemory()) {
            assertThat(new StoreHealth(Map.of("one", one, "other", other), watch)
                            .look()
                            .up())
                    .isTrue();
        }
    }

    @Test
    void aLease_isAtRisk_untilItIsRenewed() {
        failed("a:1", HOUR);
        failed("a:2", HOUR);
        failed("a:2", HOUR);
        assertThat(watch.atRisk()).isEqualTo(2);

        watch.renewed("name", "a:3");
        assertThat(watch.atRisk()).as("another was renewed").isEqualTo(2);
        watch.renewed("name", "a:1");
        assertThat(watch.atRisk()).isEqualTo(1);
        watch.renewed("name", "a:2");
        assertThat(watch.atRisk()).isZero();
    }

    @Test
    void aLease_isAtRisk_notLongerThanItLasts() {
        failed("a:1", Duration.ZERO);
        failed("a:2", HOUR);
        assertThat(watch.atRisk()).isEqualTo(1);
    }

    @Test
    void aLease_isLost_onlyIfItsEndIsALoss() {
        LockObserver.Acquisition acquisition = watch.acquiring("name", LockKind.LOCK, Mode.exclusive());
        for (ReleaseOutcome outcome :
                List.of(ReleaseOutcome.RELEASED, ReleaseOutcome.ALREADY_RELEASED, ReleaseOutcome.UNCONFIRMED)) {
            acquisition.ended(outcome, HOUR);
        }
        assertThat(watch.lost()).isZero();
        for (LossCause cause : LossCause.values()) {
            acquisition.ended(ReleaseOutcome.lost(cause), HOUR);
        }
        assertThat(watch.lost()).isEqualTo(LossCause.values().length);
    }
}
