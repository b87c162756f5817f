package dev.interlock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of a quorum of servers, of which one suffers: some seeds, and those that have failed once. */
class QuorumSeedsTest {

    private static final int SEEDS = 150;

    @Test
    void aQuorum_keepsTheRules() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            assertPasses(seed);
        }
    }

    /**
     * A claim was passed on in its process while its own acquire was on its way to one server (8), or while one server
     * refused that of its successor (607): it stayed there for its lease, where nobody had it.
     */
    @ParameterizedTest
    @ValueSource(longs = {8, 607, 17960806610000884L})
    void aClaimThatIsPassedOn_staysInNoServer(long seed) {
        assertPasses(seed);
    }

    /** A server that is away does not keep the others from a majority; one that has lost its data stays away. */
    @Test
    void faultsOfServers_strikeOneOfThem() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Plan plan = Plan.of(seed, Setting.Kind.QUORUM);
            List<Integer> struck = plan.steps().stream()
                    .filter(step -> step instanceof Fault fault && fault.kind().isOfServer())
                    .map(step -> ((Fault) step).server())
                    .distinct()
                    .toList();

            assertThat(struck).isSubsetOf(plan.setting().sick());
        }
    }

    private static void assertPasses(long seed) {
        Plan plan = Plan.of(seed, Setting.Kind.QUORUM);
        Optional<Violation> violation = Checker.check(plan, World.run(plan));

        assertThat(violation.map(broken -> Search.headline(new Search.Failure(plan, broken))))
                .isEmpty();
    }
}
