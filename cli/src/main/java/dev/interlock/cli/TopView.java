package dev.interlock.cli;

import dev.interlock.LockStatus;
import dev.interlock.cli.StatusView.Entry;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.Colours.Role;
import dev.interlock.cli.common.Table;
import dev.interlock.cli.common.TerminalText;
import dev.interlock.cli.screen.Key;
import dev.interlock.cli.screen.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What {@code top} shows: the order, the filter and the place in the list, which keys change; and the lines for a
 * screen of a given size. It does no I/O. For one thread.
 */
final class TopView {

    private static final String HELP = "q quit  s sort  r reverse  / filter  arrows, page up and down scroll";

    /** The lines above the list and below: a title, the order, the headings; the help. */
    private static final int FRAME = 4;

    private final Colours colours;
    private TopOrder order;
    private boolean reversed;
    private String filter = "";

    /** Whether keys are letters of the filter. */
    private boolean typing;

    private int from;
    private List<Entry> all = List.of();
    private List<Entry> shown = List.of();

    /** The number of entries on the last screen, by which a page scrolls. */
    private int page = 1;

    TopView(TopOrder order, Colours colours) {
        this.order = order;
        this.colours = colours;
    }

    /** Shows these locks from now on. */
    void show(List<LockStatus> locks) {
        all = locks.stream().flatMap(lock -> StatusView.entries(lock).stream()).toList();
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
        Table table = StatusView.table();
        visible.forEach(entry -> table.row(entry.cells()));
        List<String> rows = table.lines();

        List<String> lines = new ArrayList<>();
        lines.add(colours.paint(Role.REVERSE, " " + TerminalText.of(title) + "  " + counts() + " "));
        lines.add("sorted by " + order.label() + (reversed ? ", reversed" : "")
                + (typing || !filter.isEmpty() ? "   filter: " + TerminalText.of(filter) : "") + (typing ? "_" : ""));
        lines.add(colours.paint(Role.HEADING, rows.get(0)));
        lines.addAll(rows.subList(1, rows.size()));
        while (lines.size() < size.rows() - 1) {
            lines.add("");
        }
        lines.add(HELP + "   " + range(visible.size()));
        return lines.subList(0, Math.min(lines.size(), size.rows()));
    }

    /** All of them as a table, for output that is no terminal. */
    String table(List<LockStatus> locks, String title) {
        show(locks);
        Table table = StatusView.table();
        shown.forEach(entry -> table.row(entry.cells()));
        return title + "  " + counts() + "\n" + table.text();
    }

    /** The number of names and of claims that wait for them: a name may have several entries. */
    private String counts() {
        List<LockStatus> locks = all.stream().map(Entry::lock).distinct().toList();
        int waiting = locks.stream().mapToInt(lock -> lock.waiters().size()).sum();
        return locks.size() + " in use, " + waiting + " waiting";
    }

    private String range(int visible) {
        return visible == 0 ? "nothing to show" : (from + 1) + " to " + (from + visible) + " of " + shown.size();
    }
}
