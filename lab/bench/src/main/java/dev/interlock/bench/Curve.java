package dev.interlock.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Figures that are measured again while a number grows.
 *
 * @param id where it stands in the page
 * @param number what grows
 * @param columns what is measured
 */
record Curve(String id, String number, List<String> columns, List<Point> points) {

    /** The figures at one number, in the order of the columns. */
    record Point(long number, List<Double> figures) {}

    /** A table with a row for each point. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("| " + number + " | " + String.join(" | ", columns) + " |");
        lines.add("|--:".repeat(columns.size() + 1) + "|");
        for (Point point : points) {
            lines.add("| " + Verdict.number((double) point.number) + " | "
                    + point.figures.stream().map(Verdict::number).collect(Collectors.joining(" | ")) + " |");
        }
        return lines;
    }
}
