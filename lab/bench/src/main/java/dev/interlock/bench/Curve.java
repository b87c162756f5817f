package dev.interlock.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Figures that are measured again while a number grows.
 *
 * @param id where it stands in the page
 * @param number what grows
 * @param columns what is measured; the first {@code drawn} of them are drawn
 */
record Curve(String id, String number, List<String> columns, int drawn, List<Point> points) {

    /** The figures at one number, in the order of the columns. */
    record Point(long number, List<Double> figures) {}

    /** A table, and a chart for each column that is drawn. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("| " + number + " | " + String.join(" | ", columns) + " |");
        lines.add("|--:".repeat(columns.size() + 1) + "|");
        for (Point point : points) {
            lines.add("| " + Verdict.number((double) point.number) + " | "
                    + point.figures.stream().map(Verdict::number).collect(Collectors.joining(" | ")) + " |");
        }
        for (int column = 0; column < drawn; column++) {
            lines.add("");
            lines.addAll(chart(column));
        }
        return lines;
    }

    private List<String> chart(int column) {
        String numbers = points.stream()
                .map(point -> "\"" + Verdict.number((double) point.number) + "\"")
                .collect(Collectors.joining(", "));
        String figures = points.stream()
                .map(point -> Double.toString(Math.round(point.figures.get(column) * 1_000) / 1_000.0))
                .collect(Collectors.joining(", "));
        return List.of(
                "```mermaid",
                "xychart-beta",
                "    title \"" + columns.get(column) + "\"",
                "    x-axis \"" + number + "\" [" + numbers + "]",
                "    y-axis \"" + columns.get(column) + "\" 0 --> " + top(column),
                "    line [" + figures + "]",
                "```");
    }

    /** The smallest number with one digit that is above all figures. */
    private String top(int column) {
        double most = points.stream()
                .mapToDouble(point -> point.figures.get(column))
                .max()
                .orElse(1);
        double unit = Math.pow(10, Math.floor(Math.log10(Math.max(most, 0.001))));
        return Double.toString(Math.round(Math.ceil(most / unit + 0.01) * unit * 1_000) / 1_000.0);
    }
}
