package dev.interlock.evidence;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.LogManager;

/** The command: prints a table of outages, a row for each library on its store. */
final class OutageTable {

    private static final String HELP =
            """
            usage: lab/evidence/outages [--subject S,...] [--fault F,...] [--at-once N]

            subject  %s; all by default
            fault    %s; all by default
            at-once  how many rows are measured side by side; 3 by default
            """
                    .formatted(OutageSubject.ids(), OutageFault.ids());

    private OutageTable() {}

    public static void main(String[] arguments) throws Exception {
        LogManager.getLogManager().reset();
        List<OutageSubject> subjects = List.of(OutageSubject.values());
        List<OutageFault> faults = List.of(OutageFault.values());
        int atOnce = 3;
        if (List.of(arguments).contains("--help") || arguments.length % 2 != 0) {
            System.out.print(HELP);
            return;
        }
        for (int i = 0; i < arguments.length; i += 2) {
            List<String> values = List.of(arguments[i + 1].split(",", -1));
            switch (arguments[i]) {
                case "--subject" ->
                    subjects = values.stream().map(OutageSubject::of).toList();
                case "--fault" -> faults = values.stream().map(OutageFault::of).toList();
                case "--at-once" -> atOnce = Integer.parseInt(values.get(0));
                default -> throw new IllegalArgumentException("Unknown option: " + arguments[i] + "\n" + HELP);
            }
        }
        print(subjects, faults, atOnce);
        System.exit(0);
    }

    private static void print(List<OutageSubject> subjects, List<OutageFault> faults, int atOnce) throws Exception {
        System.out.println(Machine.describe() + ", load at the start " + Machine.load() + "\n");
        StringBuilder head = new StringBuilder("| store |");
        StringBuilder rule = new StringBuilder("|---|");
        for (OutageFault fault : faults) {
            head.append(' ').append(fault.id()).append(" |");
            rule.append("---|");
        }
        System.out.println(head + "\n" + rule);
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        List<Future<Map<OutageFault, String>>> rows = new ArrayList<>();
        for (OutageSubject subject : subjects) {
            rows.add(threads.submit(() -> row(subject, faults)));
        }
        for (int i = 0; i < rows.size(); i++) {
            StringBuilder line = new StringBuilder("| " + subjects.get(i).title() + " |");
            rows.get(i).get().values().forEach(cell -> line.append(' ')
                    .append(cell)
                    .append(" |"));
            System.out.println(line);
        }
        System.out.println("\nload at the end " + Machine.load());
    }

    private static Map<OutageFault, String> row(OutageSubject subject, List<OutageFault> faults) {
        Map<OutageFault, String> cells = new EnumMap<>(OutageFault.class);
        try (Site site = subject.start()) {
            for (OutageFault fault : faults) {
                String cell = cell(subject, site, fault);
                System.err.println(subject.id() + " " + fault.id() + ": " + cell);
                cells.put(fault, cell);
            }
        }
        return cells;
    }

    private static String cell(OutageSubject subject, Site site, OutageFault fault) {
        try {
            OutageTrial.Outcome outcome = OutageTrial.run(subject::open, site, fault);
            return seconds(outcome.next()) + " / " + seconds(outcome.given())
                    + (outcome.loss().isEmpty() ? "" : ", " + outcome.loss())
                    + (outcome.overlaps() == 0 ? "" : ", " + outcome.overlaps() + " overlaps");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        } catch (Exception e) {
            e.printStackTrace();
            return "failed: " + e.getClass().getSimpleName();
        }
    }

    private static String seconds(double value) {
        return Double.isNaN(value) ? "never" : String.format(Locale.ROOT, "%.1f", value);
    }
}
