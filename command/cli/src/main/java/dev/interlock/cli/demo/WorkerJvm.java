package dev.interlock.cli.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a worker's JVM: the same as that of this one. */
final class WorkerJvm {

    /** Properties that the launcher sets for this JVM and that a worker needs, too. */
    private static final List<String> INHERITED = List.of("org.sqlite.lib.path", "org.sqlite.lib.name");

    private static final String ARCHIVE = "interlock.archive";

    private WorkerJvm() {}

    static List<String> command(Path temporary, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                // A killed JVM would leave its file of performance data, and its other temporary files.
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + temporary));
        String archive = System.getProperty(ARCHIVE);
        if (archive != null) {
            command.addAll(List.of("-Xlog:disable", "-Xshare:auto", "-XX:SharedArchiveFile=" + archive));
        }
        for (String property : INHERITED) {
            String value = System.getProperty(property);
            if (value != null) {
                command.add("-D" + property + "=" + value);
            }
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), WorkerMain.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
