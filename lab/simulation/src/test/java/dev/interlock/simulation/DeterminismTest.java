package dev.interlock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One seed, one run: in one JVM and in another, whatever addresses and identity hashes its objects have. */
@Tag("wide")
class DeterminismTest {

    private static final int SEEDS = 100;

    /** The program of another JVM: prints the hash of all runs. */
    static final class Hashes {

        private Hashes() {}

        public static void main(String[] arguments) {
            System.out.println(hash());
        }
    }

    @Test
    void aSeed_givesTheSameHistoryTwice() {
        Plan plan = Plan.of(4711, Setting.Kind.LOCK);
        History once = World.run(plan);

        assertThat(once.events()).isNotEmpty();
        assertThat(World.run(plan).events()).isEqualTo(once.events());
        assertThat(World.run(Plan.of(4712, Setting.Kind.LOCK)).hash()).isNotEqualTo(once.hash());
    }

    /** Identity hashes are numbered there; here they are random. */
    @Test
    void anotherJvm_givesTheSameHistories() throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Program other = new Program(List.of(
                java.toString(),
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:hashCode=3",
                "-cp",
                System.getProperty("java.class.path"),
                Hashes.class.getName()));

        assertThat(other.output()).isEqualTo(Long.toString(hash()));
    }

    private static long hash() {
        long hash = 0;
        for (Setting.Kind kind : Setting.Kind.values()) {
            for (long seed = 1; seed <= SEEDS; seed++) {
                hash = 31 * hash + World.run(Plan.of(seed, kind)).hash();
            }
        }
        return hash;
    }

    /** A program, and what it prints. */
    private record Program(List<String> command) {

        String output() throws IOException, InterruptedException {
            Process started = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try {
                String output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(started.waitFor()).isZero();
                return output.strip();
            } finally {
                started.destroyForcibly();
            }
        }
    }
}
