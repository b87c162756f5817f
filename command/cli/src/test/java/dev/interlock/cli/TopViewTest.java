package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.LockStatus.Holder;
import dev.interlock.LockStatus.Waiter;
import dev.interlock.Party;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.screen.Key;
import dev.interlock.cli.screen.Key.Name;
import dev.interlock.cli.screen.Size;
import dev.interlock.spi.LockKind;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code top} shows for which keys. */
final class TopViewTest {

    private static final Size SIZE = new Size(10, 80);

    private TopView view = new TopView(TopOrder.HELD, Colours.OFF);

    @BeforeEach
    void newView() {
        view = new TopView(TopOrder.HELD, Colours.OFF);
    }

    @Test
    void s_sortsByTheNextOrder_andRReverses() {
        show(List.of(lock("a", 5, 30, 2), lock("b", 9, 20, 0), lock("c", 7, 10, 1)));

        assertThat(names()).containsExactly("b", "c", "a");
        press("s");
        assertThat(names()).containsExactly("a", "c", "b");
        press("s");
        assertThat(names()).containsExactly("c", "b", "a");
        press("s");
        assertThat(names()).containsExactly("a", "b", "c");
        press("r");
        assertThat(names()).containsExactly("c", "b", "a");
        press("s");
        assertThat(names()).containsExactly("a", "c", "b");
    }

    @Test
    void slash_filtersByATextInAnyColumn() {
        show(List.of(lock("nightly", 3, 1, 0), lock("q-report", 2, 1, 0), lock("other", 1, 1, 0)));

        press("/R-q");
        assertThat(names()).isEmpty();
        assertThat(lines().get(1)).contains("filter: R-q_");
        assertThat(lines().get(SIZE.rows() - 1)).endsWith("nothing to show");

        view.press(key(Name.BACKSPACE));
        view.press(key(Name.BACKSPACE));
        view.press(key(Name.BACKSPACE));
        press("Q");
        assertThat(names()).containsExactly("q-report");
        view.press(key(Name.ENTER));
        assertThat(lines().get(1)).endsWith("filter: Q");
        assertThat(view.press(Key.of('q'))).isFalse();

        view.press(key(Name.ESCAPE));
        assertThat(names()).hasSize(3);
        // The host and the application, too.
        press("/HOST-OF-OTHER");
        assertThat(names()).containsExactly("other");
    }

    @Test
    void q_endsTheDisplay_unlessItIsTyped() {
        assertThat(view.press(Key.of('/'))).isTrue();
        assertThat(view.press(Key.of('q'))).isTrue();
        assertThat(view.press(key(Name.ESCAPE))).isTrue();
        assertThat(view.press(Key.of('q'))).isFalse();
    }

    @Test
    void arrowsAndPages_scrollWithinTheList() {
        show(IntStream.range(0, 20)
                .mapToObj(i -> lock("n" + (char) ('a' + i), 100 - i, 1, 0))
                .toList());

        assertThat(names()).startsWith("na").hasSize(6);
        assertThat(lines().get(9)).endsWith("1 to 6 of 20");
        view.press(key(Name.DOWN));
        assertThat(names()).startsWith("nb");
        view.press(key(Name.PAGE_DOWN));
        assertThat(names()).startsWith("nh");
        view.press(key(Name.END));
        assertThat(names()).endsWith("nt").hasSize(6);
        view.press(key(Name.DOWN));
        assertThat(names()).endsWith("nt").hasSize(6);
        view.press(key(Name.UP));
        assertThat(names()).endsWith("ns");
        view.press(key(Name.HOME));
        view.press(key(Name.UP));
        assertThat(names()).startsWith("na").hasSize(6);
        view.press(key(Name.PAGE_DOWN));
        view.press(key(Name.PAGE_UP));
        assertThat(names()).startsWith("na");
    }

    /** A list that has become shorter, a screen that has. */
    @Test
    void lines_areAsManyAsTheScreenHas() {
        show(IntStream.range(0, 30).mapToObj(i -> lock("n" + i, i, 1, 0)).toList());
        view.press(key(Name.END));
        for (int rows = 1; rows <= 40; rows++) {
            assertThat(view.lines("store", new Size(rows, 20))).hasSize(rows);
        }

        show(List.of(lock("left", 1, 1, 0)));

        assertThat(names()).containsExactly("left");
    }

    @Test
    void title_countsNamesAndWaiters_ofWhateverKind() {
        show(List.of(
                lock("a", 1, 1, 3),
                new LockStatus("s", LockKind.SEMAPHORE, List.of(holder("s", 1, 1), holder("s", 2, 1)), List.of(), 4),
                new LockStatus("l", LockKind.LATCH, List.of(), List.of(waiter()), 2)));

        assertThat(lines().get(0)).contains("3 in use, 4 waiting");
        assertThat(names()).containsExactlyInAnyOrder("a", "s", "s", "l");
    }

    @Test
    void whatOthersWrote_hasNoControlCharacters() {
        show(List.of(lock("evil\u001b[2J\n\u202e", 1, 1, 0)));
        view.press(Key.of('/'));
        view.press(Key.of('\u202e'));

        assertThat(String.join("", view.lines("redis://h\u001b]0;x", SIZE)))
                .doesNotContainPattern("[\\x00-\\x1f\u202e]");
        assertThat(names()).containsExactly("evil\\u{1B}[2J\\n\\u{202E}");
    }

    /** The columns that it sorts by are on a screen of 80 characters, whatever the names are. */
    @Test
    void aNarrowScreen_hasWhatIsSortedBy() {
        for (int length : List.of(1, 12, 40, 120)) {
            String name = "n".repeat(length);
            show(List.of(lock(name, 5, 30, 2), lock("b", 9, 20, 0)));
            List<String> lines = view.lines("redis-sentinel://user@" + "host,".repeat(30) + "/master  12:00:00", SIZE);

            assertThat(lines).as("name of %s", length).allSatisfy(line -> assertThat(line)
                    .hasSizeLessThanOrEqualTo(SIZE.columns()));
            assertThat(lines.get(0)).contains("2 in use, 2 waiting");
            assertThat(lines.get(1)).contains("sorted by time held");
            assertThat(lines.get(2))
                    .contains("HELD FOR", "LEASE LEFT", "WAITING")
                    .doesNotContain("TOKEN", "SINCE");
            assertThat(lines.get(4)).startsWith("n").endsWith(" 2");
        }
        assertThat(view.lines("store", new Size(10, 400)).get(2)).contains("TOKEN", "SINCE", "APPLICATION");
    }

    @Test
    void table_hasAllOfThem() {
        assertThat(view.table(Listing.of(List.of(lock("a", 5, 30, 2), lock("b", 9, 20, 0)), 2), "12:00:00"))
                .matches("(?s)12:00:00  2 in use, 2 waiting\nNAME .*\nb .*\na .* 2\n");
    }

    private void press(String keys) {
        keys.chars().forEach(key -> assertThat(view.press(Key.of((char) key))).isTrue());
    }

    private static Key key(Name name) {
        return new Key(name, 0);
    }

    private List<String> lines() {
        return view.lines("store", SIZE);
    }

    /** The first column between the headings and the last line. */
    private List<String> names() {
        return lines().subList(3, SIZE.rows() - 1).stream()
                .filter(line -> !line.isEmpty())
                .map(line -> line.substring(0, line.indexOf("  ")))
                .toList();
    }

    private static LockStatus lock(String name, int held, int left, int waiters) {
        return new LockStatus(
                name, List.of(holder(name, held, left)), java.util.Collections.nCopies(waiters, waiter()));
    }

    private static Holder holder(String name, int held, int left) {
        return new Holder("o:1", party("host-of-" + name), Duration.ofSeconds(held), Duration.ofSeconds(left), 7);
    }

    private static Waiter waiter() {
        return new Waiter("o:2", party("w"), Duration.ofSeconds(1));
    }

    private static Party party(String host) {
        return new Party(host, 1, "app", "main");
    }

    private void show(List<LockStatus> locks) {
        view.show(Listing.of(locks, Integer.MAX_VALUE));
    }

    @Test
    void aListThatGoesOn_saysSo() {
        Listing cut = Listing.of(List.of(lock("a", 5, 30, 2), lock("b", 9, 20, 0), lock("c", 7, 10, 1)), 2);
        view.show(cut);
        assertThat(view.lines("store", new Size(10, 100)).get(0)).contains("first 2 of more in use, 2 waiting");
        assertThat(view.table(cut, "store")).endsWith("the first 2, and there are more: see --limit\n");
        show(cut.locks());
        assertThat(view.lines("store", new Size(10, 100)).get(0)).contains(" 2 in use, 2 waiting");
    }
}
