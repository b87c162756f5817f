package dev.interlock.bench;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link LocalCosts}. */
final class OneThread {

    private static final TimeValue SECOND = TimeValue.seconds(1);

    private OneThread() {}

    static Section run() throws RunnerException {
        OptionsBuilder options = new OptionsBuilder();
        options.include(LocalCosts.class.getName())
                .forks(1)
                .warmupIterations(3)
                .warmupTime(SECOND)
                .measurementIterations(5)
                .measurementTime(SECOND)
                .verbosity(VerboseMode.SILENT);
        List<String> lines = new ArrayList<>(List.of("| | ns |", "|---|--:|"));
        for (RunResult result : new Runner(options.build()).run()) {
            lines.add("| " + result.getPrimaryResult().getLabel() + " | "
                    + Verdict.number(result.getPrimaryResult().getScore()) + " ± "
                    + Verdict.number(result.getPrimaryResult().getScoreError()) + " |");
        }
        return new Section("One thread, store in memory (JMH)", lines, List.of());
    }
}
