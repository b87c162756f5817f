package dev.interlock.evidence;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.LogManager;

/** The command: strikes the libraries, prints what their histories show, and writes it. */
final class Evidence {

    private static final int WRONG_ARGUMENTS = 64;

    private Evidence() {}

    public static void main(String[] arguments) throws Exception {
        LogManager.getLogManager().reset();
        if (List.of(arguments).contains("--help")) {
            System.out.print(Options.HELP);
            return;
        }
        try {
            System.exit(run(Options.parse(List.of(arguments)), String.join(" ", arguments)));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println("lab/evidence/run --help explains the options");
            System.exit(WRONG_ARGUMENTS);
        }
    }

    private static int run(Options options, String arguments) throws Exception {
        if (!options.cases().isEmpty()) {
            return show(options.cases());
        }
        String machine = Machine.describe();
        List<Result> results = results(options);
        String page = Page.of(machine, ("lab/evidence/run " + arguments).strip(), results);
        System.out.print(page);
        if (options.out() != null) {
            Files.writeString(options.out(), page);
        }
        return results.stream().allMatch(result -> result.objection().isEmpty()) ? 0 : 1;
    }

    private static int show(List<Case> cases) throws Exception {
        boolean all = true;
        for (Case one : cases) {
            all &= one.isShown(System.out::println);
        }
        return all ? 0 : 1;
    }

    private static List<Result> results(Options options) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(options.atOnce());
        try {
            List<Future<Result>> futures = new ArrayList<>();
            for (Fault fault : options.faults()) {
                for (Subject subject : options.struckBy(fault)) {
                    futures.add(threads.submit(() -> result(subject, fault, options)));
                }
            }
            List<Result> results = new ArrayList<>();
            for (Future<Result> future : futures) {
                results.add(future.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Result result(Subject subject, Fault fault, Options options) {
        System.err.println(fault.id() + ": " + subject.id() + " ...");
        Path folder = Path.of(System.getProperty("interlock.target", "target"), "histories");
        try {
            Findings findings = Trial.run(subject, fault, options.strikes(), options.time(), folder);
            System.err.println(fault.id() + ": " + subject.id() + " " + findings);
            return new Result(subject, fault, findings, "", Machine.load());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result(subject, fault, null, "interrupted", Machine.load());
        } catch (Exception | AssertionError e) {
            e.printStackTrace();
            String failure = e.toString().lines().findFirst().orElse("failed");
            return new Result(subject, fault, null, failure, Machine.load());
        }
    }
}
