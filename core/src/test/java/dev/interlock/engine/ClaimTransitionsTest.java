package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.LossCause;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Tether;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every pair of states of a claim: what is legal happens, what is not throws and changes nothing. Invariants I4, I8:
 * nothing comes back to be held.
 */
class ClaimTransitionsTest {

    /** The table of the design, written a second time on purpose. */
    private static final Map<ClaimState, Set<ClaimState>> LEGAL = Map.of(
            ClaimState.NEW, EnumSet.of(ClaimState.ASKING),
            ClaimState.ASKING,
                    EnumSet.of(ClaimState.HELD, ClaimState.WAITING, ClaimState.RELEASED, ClaimState.RESOLVING),
            ClaimState.WAITING, EnumSet.of(ClaimState.ASKING, ClaimState.RELEASING),
            ClaimState.HELD, EnumSet.of(ClaimState.AT_RISK, ClaimState.RELEASING, ClaimState.LOST),
            ClaimState.AT_RISK, EnumSet.of(ClaimState.HELD, ClaimState.RELEASING, ClaimState.LOST),
            ClaimState.RELEASING, EnumSet.of(ClaimState.RELEASED, ClaimState.RESOLVING, ClaimState.LOST),
            ClaimState.RESOLVING, EnumSet.noneOf(ClaimState.class),
            ClaimState.RELEASED, EnumSet.noneOf(ClaimState.class),
            ClaimState.LOST, EnumSet.noneOf(ClaimState.class));

    @ParameterizedTest
    @EnumSource
    void theTableIsTheDesigns(ClaimState state) {
        assertThat(state.next()).isEqualTo(LEGAL.get(state));
        assertThat(state.isHeld()).isEqualTo(state == ClaimState.HELD || state == ClaimState.AT_RISK);
    }

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("pairs")
    void goesWhereTheTableAllowsAndNowhereElse(ClaimState from, ClaimState to) {
        ClaimLife life = Claims.in(from);
        assertThat(life.state()).isEqualTo(from);
        Consumer<ClaimLife> event = eventTo(from, to);
        if (allows(from, to)) {
            event.accept(life);
            assertThat(life.state()).isEqualTo(to);
        } else {
            assertThatThrownBy(() -> event.accept(life))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("from " + from + " to " + to)
                    .hasMessageContaining("orders:42");
            assertThat(life.state()).isEqualTo(from);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ClaimState.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"HELD", "AT_RISK"})
    void onlyAHeldClaimCanBeAtRisk(ClaimState state) {
        ClaimLife life = Claims.in(state);
        life.renewalFailed(2);
        assertThat(life.state()).isEqualTo(state);
        assertThat(life.wantsRenewal(Long.MAX_VALUE / 2, 0)).isFalse();
    }

    @Test
    void nothingLeadsBackToTheBeginning() {
        for (Set<ClaimState> next : LEGAL.values()) {
            assertThat(next).doesNotContain(ClaimState.NEW);
        }
    }

    /**
     * All pairs, but those to which no event leads: nothing makes a claim new, and a failed renewal matters to a held
     * one only (see above).
     */
    static List<Arguments> pairs() {
        List<Arguments> pairs = new ArrayList<>();
        for (ClaimState from : ClaimState.values()) {
            for (ClaimState to : ClaimState.values()) {
                if (to != ClaimState.NEW && (to != ClaimState.AT_RISK || from == ClaimState.HELD)) {
                    pairs.add(Arguments.of(from, to));
                }
            }
        }
        return pairs;
    }

    private static boolean allows(ClaimState from, ClaimState to) {
        Set<ClaimState> next = LEGAL.get(from);
        return next != null && next.contains(to);
    }

    private static Consumer<ClaimLife> eventTo(ClaimState from, ClaimState to) {
        return switch (to) {
            case NEW -> life -> {};
            case ASKING -> life -> life.ask(life.claim(), 2);
            case WAITING -> life -> life.busy(true);
            case HELD ->
                from == ClaimState.AT_RISK
                        ? life -> life.renewalAnswered(Renewal.HELD, Claims.LEASE, 2, 2)
                        : life -> life.granted(8, Tether.NONE, 2);
            case AT_RISK -> life -> life.renewalFailed(2);
            case RELEASING -> ClaimLife::releasing;
            case RELEASED -> from == ClaimState.ASKING ? life -> life.busy(false) : ClaimLife::released;
            case LOST -> life -> life.lose(LossCause.DELETED);
            case RESOLVING -> life -> life.unknown("no answer");
        };
    }
}
