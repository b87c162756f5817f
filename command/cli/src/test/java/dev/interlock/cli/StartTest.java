package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code run} leaves alone, because it would take a considerable part of its time; and what it must not. */
final class StartTest {

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void runWithNothingToLog_startsNoLogging_andLoadsNothingElse() {
        Path loaded = directory.resolve("loaded");

        new Cli(directory)
                .withJvmArgument("-Xlog:class+load:file=" + loaded)
                .run("run", "job", "true")
                .exited(0);

        List<String> classes = Arrays.stream(Cli.read(loaded).split("\\s+", -1)).toList();
        assertThat(classes)
                .contains(RunCommand.class.getName(), "org.slf4j.helpers.NOPLogger")
                .doesNotContain(
                        // the search for loggers, which opens each jar of the class path
                        "jdk.internal.logger.LoggerFinderLoader",
                        "java.util.logging.LogManager",
                        // the equals of a record
                        "java.lang.runtime.ObjectMethods",
                        "dev.interlock.cli.common.StoreUri$Patterns",
                        "picocli.CommandLine");
    }

    /** By SLF4J: Curator and ZooKeeper warn of each server that does not answer. */
    @Test
    void verbose_tellsWhatALibraryWarnsOf() {
        String[] onZooKeeper = {"show", "--store", "zk://127.0.0.1:1", "job"};
        String[] verbosely = {"show", "-v", "--store", "zk://127.0.0.1:1", "job"};
        Cli cli = new Cli(directory);

        assertThat(cli.run(onZooKeeper).exited(69).errorLines()).hasSize(1);
        assertThat(cli.run(verbosely).exited(69).errorLines())
                .anySatisfy(line -> assertThat(line).startsWith("interlock: Session 0x0 for server"))
                .noneSatisfy(line -> assertThat(line).contains("SLF4J"));
    }
}
