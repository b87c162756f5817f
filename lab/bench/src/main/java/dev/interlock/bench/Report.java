package dev.interlock.bench;

import java.util.ArrayList;
import java.util.List;

/** The results as a page of Markdown. */
final class Report {

    private Report() {}

    /** The whole page. */
    static String page(String machine, Settings settings, List<Section> sections) {
        List<String> lines = new ArrayList<>(List.of(
                "# Results of the bench",
                "",
                machine + ".",
                "",
                "Written by `lab/bench/run`. All peers work against the same server in the same run, in turn; figures "
                        + "are medians of "
                        + settings.rounds() + " rounds of " + settings.time().toMillis() + " ms after "
                        + settings.warmUp().toMillis() + " ms of warming up, or up to " + Fleet.MOST_WARM_UPS
                        + " times that until a peer has done " + settings.warmOperations()
                        + " pairs. Exclusion was checked in every acquisition; a script counts as one command.",
                "",
                "## Targets",
                ""));
        lines.addAll(verdicts(sections));
        for (Section section : sections) {
            lines.addAll(List.of("", "## " + section.title(), ""));
            lines.addAll(section.lines());
        }
        return String.join("\n", lines) + "\n";
    }

    private static List<String> verdicts(List<Section> sections) {
        List<String> lines = new ArrayList<>(List.of("| | target | measured | |", "|---|---|---|---|"));
        for (Section section : sections) {
            for (Verdict verdict : section.verdicts()) {
                lines.add("| " + verdict.row() + " | " + verdict.target() + " | " + verdict.measured() + " | "
                        + (verdict.reached() ? "reached" : "**missed**") + " |");
            }
        }
        return lines;
    }
}
