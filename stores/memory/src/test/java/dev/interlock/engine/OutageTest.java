package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LeaseTerm;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the log says of a store that is silent: one line when it begins, one when it is over. */
class OutageTest {

    /** Kept: the log manager holds loggers weakly. */
    private final Logger logger = Logger.getLogger("dev.interlock");

    private final List<String> lines = new ArrayList<>();
    private final Handler watch = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private final Simulation one = Simulation.start();

    @BeforeEach
    void watchTheLog() {
        watch.setLevel(Level.INFO);
        logger.addHandler(watch);
    }

    @AfterEach
    void leaveTheLog() {
        logger.removeHandler(watch);
    }

    private void hold(int leases) {
        for (int i = 0; i < leases; i++) {
            one.acquire("n" + i, LeaseTerm.renewing(Duration.ofSeconds(30))).join();
        }
        one.advance(Duration.ofSeconds(1));
    }

    private void outage(Road road) {
        one.store.road(road);
        one.advance(Duration.ofSeconds(15));
        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("WARNING The store has been unavailable for ")
                .contains("200 leases are at risk")
                .contains("TransitStore");
        one.store.road(Road.OPEN);
        one.advance(Duration.ofSeconds(15));
        assertThat(lines).hasSize(2).last().asString().startsWith("INFO The store answers again after ");
    }

    @Test
    void anOutageIsTwoLines_ifRequestsFail() {
        hold(200);
        outage(Road.REFUSE);
        assertThat(lines.get(0)).contains("The road to the store is closed");
    }

    @Test
    void anOutageIsTwoLines_ifRequestsAreLost() {
        hold(200);
        outage(Road.LOSE_REQUESTS);
        assertThat(lines.get(0)).contains("it does not answer");
    }

    /** A server or a proxy may have ended a connection that was idle. */
    @Test
    void aFailureThatPassesIsNoOutage() {
        hold(1);
        one.store.road(Road.REFUSE_ONCE);
        one.advance(Duration.ofMinutes(2));
        assertThat(lines).isEmpty();
    }

    /** At the rate of one a minute, however often it comes and goes. */
    @Test
    void aStoreThatComesAndGoesIsReportedOnceAMinute() {
        hold(1);
        for (int i = 0; i < 9; i++) {
            one.store.road(Road.REFUSE);
            var unused = one.acquire("other" + i);
            one.advance(Duration.ofSeconds(2));
            one.store.road(Road.OPEN);
            one.advance(Duration.ofSeconds(2));
        }
        assertThat(lines).hasSize(2);
    }

    /** Of ten thousand leases whose renewals fail while the store answers others, one line in a minute says it all. */
    @Test
    void renewalsThatFailAgainAreOneLineAMinute() {
        hold(200);
        one.store.road(Road.REFUSE, Verb.RENEW);
        for (int i = 0; i < 140; i++) {
            one.acquire("other").join().close();
            one.advance(Duration.ofMillis(100));
        }
        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("WARNING ")
                .contains(" renewals have failed more than once; each is tried again")
                .contains("Could not renew 200 claims, such as lock 'n")
                .contains("The road to the store is closed");
    }

    @Test
    void theLinesHaveNoControlCharacters() {
        hold(1);
        one.store.failsWith("x\nERROR forged");
        one.store.road(Road.REFUSE);
        var unused = one.acquire("other");
        one.advance(Duration.ofSeconds(3));
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("x\\nERROR forged")
                .doesNotContain("\n");
    }
}
