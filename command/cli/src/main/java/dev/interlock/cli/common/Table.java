package dev.interlock.cli.common;

import dev.interlock.cli.common.Colours.Role;
import dev.interlock.spi.Printable;
import java.util.ArrayList;
import java.util.List;

/** Text in columns, for people. */
public final class Table {

    private static final String GAP = "  ";

    /**
     * The length of the longest name. Texts of other clients may be longer, and the widest cell sets the width of all.
     */
    private static final int WIDEST = 512;

    private final List<List<String>> rows = new ArrayList<>();

    /** A table with these headings. */
    public Table(String... headings) {
        row(headings);
    }

    /** Adds a row with as many cells as there are headings; control characters in them are escaped. */
    public void row(String... cells) {
        List<String> row = new ArrayList<>();
        for (String cell : cells) {
            row.add(Printable.of(
                    length(cell) > WIDEST ? cell.substring(0, cell.offsetByCodePoints(0, WIDEST)) + "…" : cell));
        }
        rows.add(row);
    }

    /** The lines of the table, each ended by a line break. */
    public String text() {
        return text(Colours.OFF);
    }

    /** The same, with the headings in their colour. */
    public String text(Colours colours) {
        List<String> lines = lines();
        StringBuilder out = new StringBuilder(colours.paint(Role.HEADING, lines.get(0))).append('\n');
        lines.subList(1, lines.size()).forEach(line -> out.append(line).append('\n'));
        return out.toString();
    }

    /** The headings and the rows, without line breaks. */
    public List<String> lines() {
        int[] widths = widths();
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                String cell = row.get(i);
                line.append(cell).append(" ".repeat(widths[i] - length(cell))).append(GAP);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private int[] widths() {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], length(row.get(i)));
            }
        }
        return widths;
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
