package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.interlock.annotation.spi.MethodRaces;
import dev.interlock.election.CandidacyRaces;
import dev.interlock.group.LossWatchRaces;
import dev.interlock.quorum.PendingReleaseRaces;
import dev.interlock.support.SerialExecutorRaces;
import dev.interlock.support.SessionTetherRaces;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs the races of this module with jcstress, in a process of its own: for seconds by default, longer with
 * {@code interlock.effort=long}. The exit code is 0 only if no forbidden outcome was seen.
 */
@Tag("scaled")
@Tag("wide")
class RacesTest {

    private static final boolean LONG =
            System.getProperty("interlock.effort", "short").equals("long");

    @Test
    void nothingForbiddenIsObserved() throws Exception {
        assumeThat(Runtime.getRuntime().availableProcessors())
                .as("processors: jcstress runs no race of two threads on one")
                .isGreaterThan(1);
        Path directory = Path.of(System.getProperty("interlock.target", "target"))
                .resolve("jcstress")
                .toAbsolutePath();
        Files.createDirectories(directory);
        File log = directory.resolve("log.txt").toFile();
        Process process = new ProcessBuilder(command())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        try {
            assertThat(process.waitFor(LONG ? 30 : 10, TimeUnit.MINUTES))
                    .as("jcstress ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String output = Files.readString(log.toPath());
        assertThat(process.exitValue()).as(output).isZero();
        for (Class<?> race : List.of(
                DeadlineRaces.ReaderAgainstRenewal.class,
                HoldRaces.LeavingAndEnding.class,
                HoldRaces.ReenteringAndEnding.class,
                DeadlineRaces.LaterReader.class,
                DeadlineRaces.TwoRenewals.class,
                OutcomeRaces.HandOver.class,
                ArmRaces.TwoMoments.class,
                WithdrawalRaces.SendingAndWithdrawing.class,
                SerialExecutorRaces.ClosingAtTheFirstRequest.class,
                SessionTetherRaces.EndAgainstAnswer.class,
                SessionTetherRaces.TwoLooks.class,
                CandidacyRaces.LeavingAtTheBegin.class,
                CandidacyRaces.TwoEnds.class,
                PendingReleaseRaces.TwoReleases.class,
                MethodRaces.BeginningAtTheEnd.class,
                MethodRaces.LossAtTheEnd.class,
                MethodRaces.TakingAtTheEnd.class,
                MethodRaces.CompletionAtTheEnd.class,
                LossWatchRaces.LossAtTheEnd.class)) {
            assertThat(directory.resolve("results/" + race.getName().replace('$', '.') + ".html"))
                    .as("the report of a race that has run")
                    .exists();
        }
    }

    private static List<String> command() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> common = List.of(
                java, "-cp", System.getProperty("java.class.path"), "org.openjdk.jcstress.Main", "-t", "dev.interlock");
        List<String> effort = LONG
                ? List.of("-m", "quick")
                : List.of(
                        "-m",
                        "sanity",
                        "-time",
                        "100",
                        "-iters",
                        "2",
                        "-strideSize",
                        "16",
                        "-strideCount",
                        "1",
                        "-sc",
                        "false",
                        "-jvmArgs",
                        "-Xmx256m");
        return Stream.of(common, effort).flatMap(List::stream).toList();
    }
}
