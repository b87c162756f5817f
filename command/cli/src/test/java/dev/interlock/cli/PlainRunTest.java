package dev.interlock.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The short way to read a command line of {@code run} comes to what picocli comes to, or is not taken. */
final class PlainRunTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run job true",
                "run job -- sh -c x",
                "run -n job true -n --help -- -v",
                "run --no-wait -v job true",
                "run --verbose -w 5s job true",
                "run --wait=PT1.5S --store=sqlite:/a=b job true",
                "run --store redis://h:1 --lease 10s --wait 2m job true",
                "run --lease=1d --fair job -- -- true",
                "run --shared job true",
                "run --exclusive --fair job true",
                "run --permits 2/3 --shared job true",
                "run --permits=x job true",
                "run -n -w 1s job true"
            })
    void aPlainCommandLine_isReadAsPicocliReadsIt(String line) {
        String[] args = line.split(" ");
        CommandLine picocli = CommandLines.parser("run");
        picocli.parseArgs(args);
        RunCommand expected =
                requireNonNull(picocli.getSubcommands().get("run")).getCommand();

        assertThat(PlainRun.parse(args)).usingRecursiveComparison().isEqualTo(expected);
    }

    /** Wrong ones, requests for help, and forms that are rare. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls",
                "lead job true",
                "run",
                "run job",
                "run --help",
                "run -h job true",
                "run -n",
                "run -w",
                "run -w job true",
                "run -w 5 job true",
                "run -w5s job true",
                "run -w -5s job true",
                "run --wait= job true",
                "run -nv job true",
                "run -n -n job true",
                "run -n --no-wait job true",
                "run -v --verbose job true",
                "run -w 1s --wait=1s job true",
                "run --lease 1s --lease 1s job true",
                "run --store a --store=a job true",
                "run --permits 1/2 --permits 1/2 job true",
                "run --fair --fair job true",
                "run -E 3 job true",
                "run --fair=true job true",
                "run --nowait job true",
                "run -- job true",
                "run - true"
            })
    void everyOther_isLeftToPicocli(String line) {
        assertThat(PlainRun.parse(line.split(" "))).isNull();
    }

    @Test
    void emptyWords_areNoNamesAndNoValues() {
        assertThat(PlainRun.parse()).isNull();
        assertThat(PlainRun.parse("run", "", "true")).isNull();
        assertThat(PlainRun.parse("run", "--store", "", "job", "true")).isNull();
        assertThat(PlainRun.parse("run", "job", "", "x")).isNotNull();
    }
}
