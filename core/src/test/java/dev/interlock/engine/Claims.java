package dev.interlock.engine;

import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Tether;
import java.time.Duration;

/** Claims for tests, and the life of one in any state. */
final class Claims {

    /** Of a life that only one thread knows. */
    static final ClaimLife.Guard GUARD = () -> true;

    static final Duration LEASE = Duration.ofSeconds(30);

    private Claims() {}

    static Claim claim(long sequence, Duration lease) {
        return Claim.of(LockId.lock("orders:42"), OwnerId.of("client", sequence), lease, Party.UNKNOWN);
    }

    /** A life in this state, brought there at moment 1 by the shortest way. */
    static ClaimLife in(ClaimState state) {
        ClaimLife life = new ClaimLife(claim(1, LEASE), Duration.ZERO, null, GUARD);
        switch (state) {
            case NEW -> {}
            case ASKING -> life.ask(life.claim(), 1);
            case WAITING -> {
                life.ask(life.claim(), 1);
                life.busy(true);
            }
            case HELD -> {
                life.ask(life.claim(), 1);
                life.granted(7, Tether.NONE, 1);
            }
            case AT_RISK -> {
                life = in(ClaimState.HELD);
                life.renewalFailed(1);
            }
            case RELEASING -> {
                life = in(ClaimState.HELD);
                life.releasing();
            }
            case RELEASED -> {
                life = in(ClaimState.RELEASING);
                life.released();
            }
            case LOST -> {
                life = in(ClaimState.HELD);
                life.renewalAnswered(Renewal.TAKEN, LEASE, 1, 1);
            }
            case RESOLVING -> {
                life = in(ClaimState.ASKING);
                life.unknown("no answer");
            }
        }
        return life;
    }

    /** A held life whose request was sent at this moment and granted {@code roundTrip} later. */
    static ClaimLife held(Duration lease, long sentNanos, Duration roundTrip, boolean renewing) {
        ClaimLife life = new ClaimLife(claim(1, lease), Duration.ZERO, null, GUARD);
        life.ask(life.claim(), sentNanos);
        life.granted(7, Tether.NONE, sentNanos + roundTrip.toNanos());
        life.renewing(renewing);
        return life;
    }
}
