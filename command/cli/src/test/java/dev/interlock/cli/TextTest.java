package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.StoreUnavailableException;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.Durations;
import dev.interlock.cli.common.Table;
import dev.interlock.console.Json;
import dev.interlock.spi.Printable;
import dev.interlock.testkit.JsonReader;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms that text takes on its way in and out. */
final class TextTest {

    private static final String NASTY =
            "a\"b\\c\n\t\u0000\u001b[31mred\u007f\u009b\u2028\u202e \u00e9 \ud83d\ude00 \ud800 \udc00";

    @Test
    void json_isReadBackAsItWas() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put(NASTY, List.of("", NASTY, 1L, -5L, Long.MAX_VALUE, true, false, List.of(), Map.of()));

        assertThat(JsonReader.read(Json.of(value))).isEqualTo(value);
    }

    @Test
    void json_hasNoControlCharacter() {
        assertThat(Json.of(NASTY).codePoints().filter(Printable::isUnsafe)).isEmpty();
    }

    @Test
    void json_refusesWhatItHasNoFormFor() {
        assertThatThrownBy(() -> Json.of(1.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Double");
    }

    @Test
    void plain_showsControlCharactersAndKeepsTheRest() {
        assertThat(Printable.of("tea \u00e9 \ud83d\ude00")).isEqualTo("tea \u00e9 \ud83d\ude00");
        assertThat(Printable.of("a\nb\u001b[2Jc\u202ed\r\t\ud800"))
                .isEqualTo("a\\nb\\u{1B}[2Jc\\u{202E}d\\r\\t\\u{D800}");
    }

    @Test
    void table_alignsAndIsSafe() {
        Table table = new Table("NAME", "N");
        table.row("a\u001bb", "1");
        table.row("\ud83d\ude00", "22");

        assertThat(table.text()).isEqualTo("NAME      N\na\\u{1B}b  1\n\ud83d\ude00         22\n");
    }

    /** Only the headings: what others have written is escaped, and gets none. */
    @Test
    void table_inColours_isTheSameText() {
        Table table = new Table("NAME", "N");
        table.row("a\u001bb", "1");

        assertThat(table.text(Colours.ON)).isEqualTo("\u001b[1mNAME      N\u001b[0m\na\\u{1B}b  1\n");
        assertThat(table.text(Colours.OFF)).isEqualTo(table.text()).doesNotContain("\u001b");
    }

    @Test
    void table_isNoWiderThanANameMayBe() {
        Table table = new Table("NAME", "HOST");
        table.row("a", "\ud83d\ude00".repeat(1_000_000));
        table.row("n".repeat(512), "h");

        assertThat(table.text().lines())
                .allSatisfy(line -> assertThat(line.codePoints().count()).isLessThan(1100));
        assertThat(table.text()).contains("n".repeat(512) + " ", "\ud83d\ude00…\n");
    }

    /** As PostgreSQL's errors with a context have several lines, and their store one. */
    @Test
    void cause_thatTheMessageHasInOneLine_isNotRepeated() {
        Exception cause = new IllegalStateException("ERROR: refused\n  Where: function late()");

        assertThat(ErrorReporter.withCause(
                        new StoreUnavailableException("no lock (ERROR: refused Where: function late())", cause)))
                .isEqualTo("no lock (ERROR: refused Where: function late())");
        assertThat(ErrorReporter.withCause(new StoreUnavailableException("no lock", cause)))
                .endsWith("no lock (ERROR: refused\n  Where: function late())");
    }

    @ParameterizedTest
    @CsvSource({
        "500ms,PT0.5S",
        "5s,PT5S",
        "2m,PT2M",
        "1h,PT1H",
        "3d,PT72H",
        "0s,PT0S",
        "PT1M30S,PT1M30S",
        "5S,PT5S",
        "pt2s,PT2S"
    })
    void durations_asPeopleWriteThem(String text, String expected) {
        assertThat(Durations.parse(text)).isEqualTo(Duration.parse(expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "5", "s", "5x", "-5s", "1.5s", "5 s", "PT-1S", "999999999999999h", "9999999999999999999s"})
    void durations_refused(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("500ms");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0.25S,250 ms",
        "PT12.34S,12.3 s",
        "PT4M10S,4 min 10 s",
        "PT3H5M1S,3 h 5 min",
        "PT52H,2 d 4 h",
        "PT-1S,0 ms"
    })
    void durations_forPeople(String duration, String expected) {
        assertThat(Durations.text(Duration.parse(duration))).isEqualTo(expected);
    }
}
