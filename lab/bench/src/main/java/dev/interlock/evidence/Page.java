package dev.interlock.evidence;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The results as tables of Markdown: one for each fault. */
final class Page {

    private static final String HEAD =
            "| library | store | settings | struck | holds | overlaps | fenced | refused | told | late | never"
                    + " | phantom | stuck | outage s | left |";
    private static final String RULE = "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

    private Page() {}

    /** The whole of what the program writes. */
    static String of(String machine, String command, List<Result> results) {
        List<String> lines =
                new ArrayList<>(List.of(machine + ", versions: " + Versions.all() + ".", "", "    " + command, ""));
        Map<Fault, List<Result>> byFault =
                results.stream().collect(Collectors.groupingBy(Result::fault, LinkedHashMap::new, Collectors.toList()));
        byFault.forEach((fault, ofFault) -> {
            lines.addAll(List.of("### " + fault.id(), "", capitalized(fault.title()) + "."));
            lines.addAll(List.of("Load average: " + load(ofFault) + ".", "", HEAD, RULE));
            ofFault.forEach(result -> lines.add(row(result)));
            lines.add("");
        });
        List<String> objections = results.stream()
                .map(Result::objection)
                .filter(text -> !text.isEmpty())
                .toList();
        lines.add(
                objections.isEmpty()
                        ? "Every fault struck every library, and the checker convicted the controls."
                        : "**No evidence:** " + String.join("; ", objections) + ".");
        return String.join("\n", lines) + "\n";
    }

    private static String load(List<Result> results) {
        DoubleSummaryStatistics loads =
                results.stream().mapToDouble(Result::load).summaryStatistics();
        return String.format(Locale.ROOT, "%.0f to %.0f", loads.getMin(), loads.getMax());
    }

    private static String row(Result result) {
        Subject subject = result.subject();
        String begin = "| " + subject.library() + " | " + subject.store().title() + " | " + subject.settings() + " | ";
        Findings findings = result.findings();
        if (findings == null) {
            return begin + result.failure() + " | | | | | | | | | | | |";
        }
        return begin
                + String.join(
                        " | ",
                        Integer.toString(findings.strikes()),
                        Integer.toString(findings.holds()),
                        count(findings.overlaps()),
                        count(findings.fenced()),
                        count(findings.refused()),
                        Integer.toString(findings.toldInTime()),
                        count(findings.toldLate()),
                        count(findings.neverTold()),
                        count(findings.phantoms()),
                        count(findings.stuck()),
                        String.format(Locale.ROOT, "%.1f", findings.outageMillis() / 1_000.0),
                        Integer.toString(findings.leftovers().size()))
                + " |";
    }

    /** Bold, so that the eye finds it among the zeros. */
    private static String count(int number) {
        return number == 0 ? "0" : "**" + number + "**";
    }

    private static String capitalized(String text) {
        int first = text.startsWith("`") ? 1 : 0;
        return first == 1 ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
