package dev.interlock.bench;

import java.util.List;

/**
 * A row of the table, measured.
 *
 * @param title what was measured
 * @param lines the figures, in Markdown
 * @param verdicts the targets
 */
record Section(String title, List<String> lines, List<Verdict> verdicts) {}
