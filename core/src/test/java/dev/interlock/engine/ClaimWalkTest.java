package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LossCause;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Tether;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A random walk over all events a claim can meet, in any order, on a clock that only goes forward. What must hold after
 * each step is in {@link #check}. Invariants I4 and I8.
 */
class ClaimWalkTest {

    private static final int STEPS = 100_000;
    private static final Set<ClaimState> NEVER_HELD_AGAIN =
            EnumSet.of(ClaimState.RELEASING, ClaimState.RELEASED, ClaimState.LOST, ClaimState.RESOLVING);

    private Random random = new Random();
    private long now = 1;
    private ClaimLife life = newLife();
    private boolean over;
    private long passedAt;
    private long earlierDeadline;
    private int held;
    private int revived;

    @ParameterizedTest
    @ValueSource(longs = {1, 20_261_121, -7})
    void nothingRevivesAClaim(long seed) {
        random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(40) == 0) {
                begin();
            }
            now += random.nextInt(4) == 0 ? random.nextInt(2_000_000_000) : random.nextInt(5_000_000);
            try {
                act(random.nextInt(13));
            } catch (IllegalStateException illegal) {
                assertThat(illegal).hasMessageContaining("A claim cannot go from " + life.state());
            }
            check(step);
        }
        assertThat(held).as("the walk must visit held claims").isGreaterThan(STEPS / 100);
        assertThat(revived).isZero();
    }

    private void begin() {
        life = newLife();
        over = false;
        passedAt = 0;
        earlierDeadline = 0;
    }

    private ClaimLife newLife() {
        return new ClaimLife(
                Claims.claim(1, Duration.ofMillis(50 + random.nextInt(10_000))), Duration.ZERO, null, Claims.GUARD);
    }

    private void act(int what) {
        Duration length = Duration.ofMillis(50 + random.nextInt(20_000));
        switch (what) {
            case 0, 1 -> life.ask(life.claim(), now);
            case 2, 3 -> {
                // The store answers an acquire once: no second grant can come while the claim is held.
                if (!life.state().isHeld()) {
                    life.granted(now, Tether.NONE, now);
                }
            }
            case 4 -> life.busy(random.nextBoolean());
            case 5 -> life.unknown("no answer");
            case 6 -> life.renewing(life.state().isHeld() && random.nextBoolean());
            case 7 -> life.renewalSent(length, now);
            case 8 -> {
                long sent = Math.max(1, now - random.nextInt(1_000_000_000));
                Renewal answer = random.nextInt(20) == 0 ? Renewal.TAKEN : Renewal.HELD;
                life.renewalSent(length, sent);
                life.renewalAnswered(answer, length, sent, now);
            }
            case 9 -> life.renewalFailed(now);
            case 10 -> life.expire(now);
            case 11 -> {
                if (random.nextInt(8) == 0) {
                    life.releasing();
                } else if (random.nextInt(8) == 0) {
                    life.lose(LossCause.FORCED);
                }
            }
            default -> {
                if (life.deadline().passed(now) && passedAt == 0 && life.grantedNanos() > 0) {
                    passedAt = life.deadline().nanos();
                }
            }
        }
    }

    private void check(int step) {
        ClaimState state = life.state();
        over |= NEVER_HELD_AGAIN.contains(state);
        if (state.isHeld()) {
            held++;
            revived += over ? 1 : 0;
            assertThat(life.deadline().nanos())
                    .as("the store must not forget it before we do, step " + step)
                    .isLessThanOrEqualTo(life.endsInStoreNanos());
            assertThat(life.deadline().nanos())
                    .as("a deadline never moves back, step " + step)
                    .isGreaterThanOrEqualTo(earlierDeadline);
            earlierDeadline = life.deadline().nanos();
        }
        if (passedAt != 0) {
            assertThat(life.deadline().nanos()).as("seen to pass, step " + step).isEqualTo(passedAt);
            assertThat(life.deadline().passed(1)).as("closed, step " + step).isTrue();
        }
        if (over) {
            assertThat(life.wantsRenewal(Long.MAX_VALUE / 2, 0))
                    .as("step " + step)
                    .isFalse();
        }
        if (state == ClaimState.LOST) {
            assertThat(life.lossCause()).as("step " + step).isNotNull();
        }
    }
}
