package dev.interlock.cli;

import dev.interlock.LockStatus;
import dev.interlock.cli.StatusView.Entry;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.Colours.Role;
import dev.interlock.cli.common.Table;
import dev.interlock.cli.screen.Key;
import dev.interlock.cli.screen.Size;
import dev.interlock.spi.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What {@code top} shows: the order, the filter and the place in the list, which keys change; and the lines for a
 * screen of a given size. It does no I/O. For one thread.
 */
final class TopView {

    private static final String HELP = "q quit  s sort  r reverse  / filter  arrows and pages scroll";

    /** The lines above the list and below: a title, the order, the headings; the help. */
    private static final int FRAME = 4;

    /** In this order they make room on a narrow screen. What the list can be sorted by stays. */
    private static final List<String> EXPENDABLE = List.of("TOKEN", "SINCE", "PROCESS", "APPLICATION", "KIND", "HOST");

    private static final int SHORTEST_NAME = 10;

    private final Colours colours;
    private TopOrder order;
    private boolean reversed;
    private String filter = "";

    /** Whether keys are letters of the filter. */
    private boolean typing;

    private int from;
    /** Whether the store has more than are shown. */
    private boolean goesOn;

    private List<Entry> all = List.of();
    private List<Entry> shown = List.of();

    /** The number of entries on the last screen, by which a page scrolls. */
    private int page = 1;

    TopView(TopOrder order, Colours colours) {
        this.order = order;
        this.colours = colours;
    }

    /** Shows these locks from now on. */
    void show(Listing listing) {
        goesOn = listing.goesOn();
        all = listing.locks().stream()
                .flatMap(lock -> StatusView.entries(lock).stream())
                .toList();
        arrange();
    }

    /**
     * Does what the key means.
     *
     * @return false if it ends the display
     */
    boolean press(Key key) {
        if (typing) {
            type(key);
        } else if (key.is('q')) {
            return false;
        } else {
            command(key);
        }
        arrange();
        return true;
    }

    private void type(Key key) {
        switch (key.name()) {
            case CHARACTER -> filter += Character.toString(key.character());
            case BACKSPACE ->
                filter =
                        filter.isEmpty() ? filter : filter.substring(0, filter.offsetByCodePoints(filter.length(), -1));
            case ENTER -> typing = false;
            case ESCAPE -> {
                typing = false;
                filter = "";
            }
            default -> {
                // Scrolling can wait until the filter is written.
            }
        }
        from = 0;
    }

    private void command(Key key) {
        switch (key.name()) {
            case UP -> from--;
            case DOWN -> from++;
            case PAGE_UP -> from -= page;
            case PAGE_DOWN -> from += page;
            case HOME -> from = 0;
            case END -> from = all.size();
            case ESCAPE -> filter = "";
            case CHARACTER -> {
                if (key.is('/')) {
                    typing = true;
                } else if (key.is('s')) {
                    order = order.next();
                } else if (key.is('r')) {
                    reversed = !reversed;
                }
            }
            default -> {
                // No meaning.
            }
        }
    }

    private void arrange() {
        String wanted = filter.toLowerCase(Locale.ROOT);
        shown = all.stream()
                .filter(entry -> matches(entry, wanted))
                .sorted(reversed ? order.comparator().reversed() : order.comparator())
                .toList();
    }

    private static boolean matches(Entry entry, String wanted) {
        return String.join("\n", entry.cells()).toLowerCase(Locale.ROOT).contains(wanted);
    }

    /**
     * The lines of a screen of this size.
     *
     * @param title what is shown: the store, and what is wrong with it
     */
    List<String> lines(String title, Size size) {
        page = Math.max(1, size.rows() - FRAME);
        from = Math.max(0, Math.min(from, shown.size() - page));
        List<Entry> visible = shown.subList(from, Math.min(shown.size(), from + page));
        List<String> rows = rows(visible, size.columns());

        List<String> lines = new ArrayList<>();
        String shortTitle = shortened(Printable.of(title), size.columns() - counts().length() - 4);
        lines.add(colours.paint(Role.REVERSE, " " + shortTitle + "  " + counts() + " "));
        lines.add("sorted by " + order.label() + (reversed ? ", reversed" : "")
                + (typing || !filter.isEmpty() ? "   filter: " + Printable.of(filter) : "") + (typing ? "_" : ""));
        lines.add(colours.paint(Role.HEADING, rows.get(0)));
        lines.addAll(rows.subList(1, rows.size()));
        while (lines.size() < size.rows() - 1) {
            lines.add("");
        }
        lines.add(HELP + "   " + range(visible.size()));
        return lines.subList(0, Math.min(lines.size(), size.rows()));
    }

    /** The headings and the entries, without the columns that a line has no room for. */
    private static List<String> rows(List<Entry> visible, int columns) {
        List<String> headings = new ArrayList<>(StatusView.HEADINGS);
        List<String> rows = rows(visible, headings, Integer.MAX_VALUE);
        for (String expendable : EXPENDABLE) {
            if (longest(rows) <= columns) {
                return rows;
            }
            headings.remove(expendable);
            rows = rows(visible, headings, Integer.MAX_VALUE);
        }
        int name = visible.stream()
                .mapToInt(entry -> length(Printable.of(entry.lock().name())))
                .max()
                .orElse(0);
        return rows(visible, headings, Math.max(SHORTEST_NAME, name - Math.max(0, longest(rows) - columns)));
    }

    private static List<String> rows(List<Entry> visible, List<String> headings, int longestName) {
        Table table = new Table(headings.toArray(String[]::new));
        for (Entry entry : visible) {
            String[] cells = entry.cells();
            cells[0] = shortened(Printable.of(cells[0]), longestName);
            table.row(headings.stream()
                    .map(heading -> cells[StatusView.HEADINGS.indexOf(heading)])
                    .toArray(String[]::new));
        }
        return table.lines();
    }

    private static int longest(List<String> rows) {
        return rows.stream().mapToInt(TopView::length).max().orElse(0);
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    static String shortened(String text, int length) {
        return length(text) <= length
                ? text
                : text.substring(0, text.offsetByCodePoints(0, Math.max(0, length - 1))) + "…";
    }

    /** All of them as a table, for output that is no terminal. */
    String table(Listing locks, String title) {
        show(locks);
        Table table = StatusView.table();
        shown.forEach(entry -> table.row(entry.cells()));
        return title + "  " + counts() + "\n" + table.text() + locks.rest();
    }

    /** The number of names and of claims that wait for them: a name may have several entries. */
    private String counts() {
        List<LockStatus> locks = all.stream().map(Entry::lock).distinct().toList();
        int waiting = locks.stream().mapToInt(lock -> lock.waiters().size()).sum();
        return (goesOn ? "first " : "") + locks.size() + (goesOn ? " of more" : "") + " in use, " + waiting
                + " waiting";
    }

    private String range(int visible) {
        return visible == 0 ? "nothing to show" : (from + 1) + " to " + (from + visible) + " of " + shown.size();
    }
}
