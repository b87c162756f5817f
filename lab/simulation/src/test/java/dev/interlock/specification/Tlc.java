package dev.interlock.specification;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tlc2.TLC;

/**
 * The model checker, in a JVM of its own: it keeps what it knows of a model in static fields. It has one worker, so
 * that the promise that it refutes first is the same each time.
 */
final class Tlc {

    private static final Pattern REFUTED = Pattern.compile("(?:Invariant|Action property) (\\w+) is violated");
    private static final Pattern STATES = Pattern.compile("(\\d+) states generated, (\\d+) distinct states found, 0 ");

    private static final Path TARGET =
            Path.of(System.getProperty("interlock.target")).toAbsolutePath();
    /** The specification. */
    static final Path SPECIFICATION = TARGET.resolveSibling("specification/Claims.tla");

    private Tlc() {}

    /**
     * What TLC says of a model.
     *
     * @param refuted the promise that the model breaks; empty if it breaks none
     * @param states how many distinct states it has; 0 if not all were walked through
     * @param output all of it
     */
    record Verdict(String refuted, long states, String output) {}

    /** Walks through all states of the model, or as far as to one that breaks a promise. */
    static Verdict check(Model model) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(Files.createDirectories(TARGET.resolve("tlc")), "model");
        Path specification = Files.copy(SPECIFICATION, folder.resolve("Claims.tla"));
        Path configuration = Files.writeString(folder.resolve("Claims.cfg"), model.configuration());
        Process started = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx2g",
                        "-Duser.home=" + folder,
                        // TLC unpacks its own modules there and deletes them at the end: another run on this machine
                        // would lose them while it reads them.
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        jar().toString(),
                        TLC.class.getName(),
                        "-deadlock",
                        "-metadir",
                        folder.resolve("states").toString(),
                        "-config",
                        configuration.toString(),
                        specification.toString()))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!started.waitFor(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("TLC does not end:\n" + output);
            }
            return verdict(started.exitValue(), output);
        } finally {
            started.destroyForcibly();
        }
    }

    private static Verdict verdict(int exit, String output) {
        Matcher refuted = REFUTED.matcher(output);
        Matcher states = STATES.matcher(output);
        if (exit == 0 && states.find()) {
            return new Verdict("", Long.parseLong(states.group(2)), output);
        }
        if (exit != 0 && refuted.find()) {
            return new Verdict(refuted.group(1), 0, output);
        }
        throw new IllegalStateException("TLC has ended with " + exit + ":\n" + output);
    }

    private static Path jar() {
        try {
            return Path.of(TLC.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
