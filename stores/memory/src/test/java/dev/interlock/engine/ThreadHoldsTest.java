package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LeaseTerm;
import dev.interlock.spi.LockId;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which locks a thread holds, and how often. */
@Timeout(300)
class ThreadHoldsTest {

    private static final LockId ONE = LockId.lock("one");
    private static final LockId OTHER = LockId.lock("other");
    private static final LeaseTerm MINUTE = LeaseTerm.fixed(Duration.ofMinutes(1));

    private final Simulation client = Simulation.start();
    private final ThreadHolds holds = new ThreadHolds();

    @Test
    void holdsAreCounted_andTheLastOneEndsThem() {
        ThreadHolds.Hold hold = added(ONE);
        assertThat(hold.count()).isEqualTo(1);
        hold.reenter();
        assertThat(hold.count()).isEqualTo(2);

        assertThat(holds.leave(ONE, hold)).isFalse();
        assertThat(holds.find(ONE)).isSameAs(hold);
        assertThat(hold.count()).isEqualTo(1);

        assertThat(holds.leave(ONE, hold)).isTrue();
        assertThat(holds.find(ONE)).isNull();
    }

    @Test
    void aSharedHold_isReleasedByWhoEndsLast_whoeverThatIs() {
        ThreadHolds.Hold byThread = added(ONE);
        var ofAnother = byThread.share();
        byThread.reenter();
        assertThat(byThread.count()).isEqualTo(3);
        assertThat(ofAnother.get()).as("the thread still holds it").isNull();
        assertThat(ofAnother.get()).as("ends once").isNull();
        assertThat(byThread.count()).isEqualTo(2);
        assertThat(holds.leave(ONE, byThread)).isFalse();
        assertThat(holds.leave(ONE, byThread)).isTrue();

        ThreadHolds.Hold byShare = added(OTHER);
        var last = byShare.share();
        assertThat(holds.leave(OTHER, byShare)).isFalse();
        assertThat(byShare.count()).isEqualTo(1);
        assertThat(last.get()).isSameAs(byShare.lease());
        assertThat(byShare.count()).isZero();
        assertThat(holds.find(OTHER)).isNull();
    }

    @Test
    void aThreadThatLeftOnlyAShare_reenters_untilThatEnds() {
        ThreadHolds.Hold hold = added(ONE);
        var share = hold.share();
        assertThat(holds.leave(ONE, hold)).isFalse();

        assertThat(hold.reenter()).isTrue();
        assertThat(hold.count()).isEqualTo(2);
        assertThat(share.get()).isNull();
        assertThat(holds.leave(ONE, hold)).isTrue();

        assertThat(hold.reenter()).as("over").isFalse();
        assertThat(hold.share().get()).as("over").isNull();
        assertThat(hold.count()).isZero();
    }

    @Test
    void theEndOfOneHold_leavesThatOfAnotherLock() {
        ThreadHolds.Hold one = added(ONE);
        ThreadHolds.Hold other = added(OTHER);

        holds.leave(ONE, one);

        assertThat(holds.find(ONE)).isNull();
        assertThat(holds.find(OTHER)).isSameAs(other);
    }

    @Test
    void anotherThreadHasHoldsOfItsOwn() {
        ThreadHolds.Hold hold = added(ONE);

        var seen = CompletableFuture.supplyAsync(() -> holds.find(ONE) == null, work -> new Thread(work).start());

        assertThat(seen.join()).isTrue();
        assertThat(holds.find(ONE)).isSameAs(hold);
    }

    @Test
    void onlyWhatIsLostIsForgotten() {
        holds.forgetLost(ONE);
        assertThat(holds.find(ONE)).isNull();
        ThreadHolds.Hold hold = added(ONE);
        ThreadHolds.Hold released = added(OTHER);
        released.lease().close();

        holds.forgetLost(ONE);
        holds.forgetLost(OTHER);

        assertThat(holds.find(ONE)).isSameAs(hold);
        assertThat(holds.find(OTHER)).as("its thread has still to unlock it").isSameAs(released);

        client.advance(Duration.ofMinutes(2));
        holds.forgetLost(ONE);

        assertThat(holds.find(ONE)).isNull();
    }

    private ThreadHolds.Hold added(LockId id) {
        holds.add(id, (EngineLease) client.acquire(id.name(), MINUTE).join());
        return Objects.requireNonNull(holds.find(id), "was not added");
    }
}
