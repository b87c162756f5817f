package dev.interlock.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A worker's JVM. It prints {@code ready}, answers each line {@code <milliseconds>} with one line {@code done
 * <outcome>}, and ends with its input, so that it never outlives the process that started it.
 */
final class WorkerMain {

    private WorkerMain() {}

    public static void main(String[] arguments) {
        PrintStream answers = System.out;
        // Whatever a library prints must not end up among the answers.
        System.setOut(System.err);
        int status = 0;
        try (Worker worker = new LocalWorker(Work.parse(arguments))) {
            serve(worker, answers);
        } catch (IOException | RuntimeException e) {
            e.printStackTrace();
            status = 1;
        }
        // A peer's thread that is no daemon must not keep the process.
        Runtime.getRuntime().halt(status);
    }

    private static void serve(Worker worker, PrintStream answers) throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        answers.println("ready");
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            Duration time = Duration.ofMillis(Long.parseLong(order));
            answers.println("done " + worker.run(time).join().format());
        }
    }
}
