package dev.interlock.bench;

import java.util.List;

/**
 * A row of the table, measured.
 *
 * @param title the title of the row
 * @param lines the figures, in Markdown
 * @param verdicts the targets
 * @param failed whether it could not be measured
 */
record Section(String title, List<String> lines, List<Verdict> verdicts, boolean failed) {

    Section(String title, List<String> lines, List<Verdict> verdicts) {
        this(title, lines, verdicts, false);
    }

    /** A row that could not be measured, or in which exclusion was broken. */
    static Section failure(String row, Exception cause) {
        String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return new Section(row, List.of("Failed: " + message), List.of(new Verdict(row, "-", "failed", false)), true);
    }
}
