package dev.interlock.testkit.contract.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.store.BlockingClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No poll makes up for a wake that is lost (P11, I5). A claim waits, and its client sends requests: each of them in
 * turn is late, is lost with its connection, or is answered in vain. A claim that the store has let sleep after that is
 * woken by the release, for it asks no more by itself.
 */
public interface WakeWalkContract {

    /** So many points at the same time: they mostly wait. */
    int ABREAST = 6;

    /** After so many points at which no request was sent, the wait has no more of them. */
    int BEYOND = 2;

    int WAITERS = 3;

    /** The port of the server on this machine. */
    int serverPort();

    /** A new client whose server is at this port. */
    LockStore openAt(int port);

    /**
     * Whether the client of this proxy hears what it is told. A store that watches again by itself always does; others
     * do when a claim has asked again.
     */
    default boolean isHeard(FaultProxy proxy) {
        return true;
    }

    /** Whether the store watches again by itself after its connections were cut. */
    default boolean watchesAgain() {
        return true;
    }

    /** The name is released between any two requests of a claim that begins to wait. */
    @Test
    default void P11_releaseBetweenTwoRequests_isNotMissed() {
        walk(WakePoint.Fault.LATE);
    }

    /** Each kind has its own way to say what a claim waits for. */
    @Test
    default void P11_releaseBetweenTwoRequests_isNotMissed_forPermits() {
        walk(WakePoint.Wanted.PERMITS, WakePoint.Fault.LATE);
    }

    @Test
    default void P11_releaseBetweenTwoRequests_isNotMissed_byAReader() {
        walk(WakePoint.Wanted.SHARE, WakePoint.Fault.LATE);
    }

    /** The claim before it in the line gives up between any two requests of one that begins to wait. */
    @Test
    default void P11_claimBeforeGivesUp_theReleaseWakes() {
        walk(WakePoint.Wanted.LOCK, WakePoint.Fault.BEHIND);
    }

    @Test
    default void P11_claimBeforeGivesUp_theReleaseWakes_forPermits() {
        walk(WakePoint.Wanted.PERMITS, WakePoint.Fault.BEHIND);
    }

    @Test
    default void P11_connectionCutBeforeAnyRequest_theReleaseWakes() {
        walk(WakePoint.Fault.LOST);
    }

    @Tag("wide")
    @Test
    default void P11_connectionCutBeforeAnyAnswer_theReleaseWakes() {
        walk(WakePoint.Fault.UNANSWERED);
    }

    /** All connections of the waiting client are cut while its claims sleep: then each release wakes the next. */
    @Test
    default void P11_connectionsCutWhileAllSleep_eachReleaseWakesTheNext() {
        try (BlockingClient holder = new BlockingClient(openAt(serverPort()))) {
            boolean isPassed;
            do {
                try (WakePoint point = new WakePoint(this, WakePoint.Wanted.LOCK, holder, WakePoint.Fault.LATE, 0)) {
                    for (int i = 0; i < WAITERS; i++) {
                        point.sleeps();
                    }
                    point.cutAll();
                    isPassed = !point.isLate() && point.passesOn();
                }
            } while (!isPassed);
        }
    }

    /**
     * When the connections were cut, one of the requests by which the client comes back, or looks again, is lost. For
     * stores that send some, and not one after the other until they are told of changes again.
     */
    default void requestsLostAfterACut() {
        walk("lost after a cut", (holder, at) -> WakePoint.passAfterACut(this, holder, at));
    }

    private void walk(WakePoint.Fault fault) {
        walk(WakePoint.Wanted.LOCK, fault);
    }

    private void walk(WakePoint.Wanted wanted, WakePoint.Fault fault) {
        walk(fault.toString(), (holder, at) -> WakePoint.pass(this, wanted, holder, fault, at));
    }

    /** @param point whether the request with this number was sent */
    private void walk(String what, BiPredicate<BlockingClient, Integer> point) {
        AtomicInteger next = new AtomicInteger();
        AtomicInteger missed = new AtomicInteger();
        AtomicInteger struck = new AtomicInteger();
        List<Caller<Boolean>> callers = new ArrayList<>();
        try (BlockingClient holder = new BlockingClient(openAt(serverPort()))) {
            for (int i = 0; i < ABREAST; i++) {
                callers.add(Caller.startAction(() -> {
                    while (missed.get() < BEYOND) {
                        (point.test(holder, next.incrementAndGet()) ? struck : missed).incrementAndGet();
                    }
                }));
            }
            callers.forEach(Caller::result);
        }
        assertThat(struck.get()).as("requests that were %s", what).isGreaterThan(2);
    }
}
