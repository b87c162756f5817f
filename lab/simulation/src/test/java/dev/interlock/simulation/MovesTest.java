package dev.interlock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The loader that counts the moves of the state machines. */
class MovesTest {

    @Test
    void moves_areCountedInItsClasses() {
        Object table = new EngineLoader(null).call(Counted.class, "moves", new Class<?>[0]);

        assertThat((String) table)
                .containsPattern("ClaimState NEW -> ASKING +[1-9]")
                .containsPattern("ClaimState HELD -> RELEASING +[1-9]")
                .containsPattern("ReleaseState NEW -> RELEASING +[1-9]")
                .contains("RetentionState IN_USE -> IDLE");
    }

    /** In so few runs no release that somebody waits for remains without a reply. */
    @Test
    void aMoveThatIsNotMade_isNamed() {
        Object unseen = new EngineLoader(null).call(Counted.class, "unseen", new Class<?>[0]);

        assertThat((String) unseen)
                .contains("ClaimState RELEASING -> RESOLVING")
                .doesNotContain("ClaimState NEW -> ASKING");
    }

    @Test
    void withoutTheLoader_nothingIsCounted() {
        assertThat(Counted.moves()).isEmpty();
    }

    /** Some runs, with the classes of the loader. */
    public static final class Counted {

        private Counted() {}

        /** The table of what was counted. */
        public static String moves() {
            run();
            return Transitions.describe();
        }

        /** The legal moves that were not made. */
        public static String unseen() {
            run();
            return Transitions.unseen().toString();
        }

        private static void run() {
            for (long seed = 1; seed <= 20; seed++) {
                var unused = World.run(Plan.of(seed, Setting.Kind.LOCK));
            }
        }
    }
}
