package dev.interlock.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A worker's own JVM. It says {@code ready}, answers each line {@code <milliseconds>} with one line {@code done <outcome>}, and ends with its input, so
 * that it never outlives who started it.
 */
final class WorkerMain {

    private WorkerMain() {}

    public static void main(String[] arguments) throws IOException {
        PrintStream answers = System.out;
        // Whatever a library prints must not end up among the answers.
        System.setOut(System.err);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Worker worker = new LocalWorker(Work.parse(arguments))) {
            answers.println("ready");
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                Duration time = Duration.ofMillis(Long.parseLong(order));
                answers.println("done " + worker.run(time).join().format());
            }
        } finally {
            // A peer's non-daemon thread must not keep the process.
            Runtime.getRuntime().halt(0);
        }
    }
}
