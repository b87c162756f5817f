package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.engine.TransitStore.Road;
import dev.interlock.engine.TransitStore.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** To listen for requests to let go, on the manual clock: what it costs, and that it changes no lease. */
class EngineRevocationTest {

    private static final LeaseTerm FIXED = LeaseTerm.fixed(Duration.ofMinutes(1));
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Simulation one = Simulation.start();
    private final List<String> told = new ArrayList<>();

    @Test
    void firstCallbackOfAClaim_costsOneRenewal_andLengthensNothing() {
        Lease lease = one.acquire("n", FIXED).join();
        one.advance(SECOND);
        assertThat(one.store.count(Verb.RENEW)).isZero();
        Duration before = lease.remaining();
        lease.onRevocationRequested(() -> told.add("first"));
        lease.onRevocationRequested(() -> told.add("second"));
        one.advance(SECOND);
        assertThat(one.store.count(Verb.RENEW)).isEqualTo(1);
        // But for rounding.
        assertThat(lease.remaining().minus(before.minus(SECOND))).isBetween(Duration.ofMillis(-1), Duration.ofNanos(1));
        one.advance(before);
        assertThat(one.store.count(Verb.RENEW)).isEqualTo(1);
        assertThat(lease.isValid()).isFalse();
        assertThat(told).isEmpty();
    }

    @Test
    void aStoreThatDoesNotAnswerIsToldAgain() {
        Lease lease = one.acquire("n", FIXED).join();
        one.store.road(Road.REFUSE, Verb.RENEW);
        lease.onRevocationRequested(() -> told.add("asked"));
        one.advance(SECOND);
        int tries = one.store.count(Verb.RENEW);
        assertThat(tries).isGreaterThan(3);
        one.store.road(Road.OPEN, Verb.RENEW);
        one.advance(Duration.ofSeconds(30));
        int answered = one.store.count(Verb.RENEW);
        assertThat(answered).isEqualTo(tries + 1);
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void aCallbackThatComesAfterTheRequestIsCalledAtOnce() {
        Lease lease = one.acquire("n").join();
        lease.onRevocationRequested(() -> told.add("before"));
        one.advance(SECOND);
        assertThat(one.neighbour().administration().requestRevocation("n")).isTrue();
        lease.onRevocationRequested(() -> told.add("after"));
        assertThat(told).containsExactly("before", "after");
        lease.close();
        lease.onRevocationRequested(() -> told.add("too late"));
        assertThat(told).hasSize(2);
    }

    @Test
    void whoHoldsNextIsListenedToAtNoCost() {
        Lease first = one.acquire("n").join();
        first.onRevocationRequested(() -> told.add("first"));
        var next = one.acquire("n");
        first.close();
        Lease second = next.join();
        second.onRevocationRequested(() -> told.add("second"));
        one.advance(SECOND);
        assertThat(one.store.count(Verb.RENEW)).isEqualTo(1);
        assertThat(one.neighbour().administration().requestRevocation("n")).isTrue();
        assertThat(told).containsExactly("second");
        second.close();
        one.advance(SECOND);
        assertThat(one.isAtRest()).isTrue();
    }
}
