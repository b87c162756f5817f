package dev.interlock.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.console.Json;
import dev.interlock.spi.Printable;
import dev.interlock.testkit.JsonReader;
import dev.interlock.testkit.fuzz.Fuzz;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people type, what is shown of it, and what is shown of what others have written. */
class TextFuzzTest {

    private static final String SECRET = "s3cr3t";

    /** A password that stands where a URI has one is neither shown nor told, whatever is behind it. */
    @Test
    void password() {
        Fuzz.of(
                        "password of a URI",
                        "host:6379/1?fenceLife=PT5M",
                        "h1:5432,h2:5433/db?ssl=true",
                        "&x=1",
                        ";USER=u",
                        ")")
                .words(
                        "://",
                        "@",
                        ":",
                        "/",
                        "?",
                        "&",
                        ";",
                        "=",
                        "(",
                        ")",
                        ",",
                        "[",
                        "]",
                        "\\;",
                        "password=",
                        "//",
                        "\n")
                .run(input -> {
                    for (String before : List.of(
                            "redis://user:s3cr3t@",
                            "mongodb://:s3cr3t@",
                            "jdbc:postgresql://user:s3cr3t@",
                            "jdbc:postgresql://db/orders?user=app&password=s3cr3t",
                            "jdbc:h2:tcp://host/db;PASSWORD=s3cr3t",
                            "jdbc:mysql://address=(host=h)(password=s3cr3t")) {
                        String uri = before + input;
                        assertThat(new StoreUri(uri).withoutPassword()).doesNotContain(SECRET);
                        assertThat(StoreUri.hidePasswords("cannot reach " + uri + ": refused", List.of(uri)))
                                .doesNotContain(SECRET);
                    }
                    return true;
                });
    }

    @Test
    void duration() {
        Fuzz.of("duration", "500ms", "5s", "2m", "1h", "3d", "PT1M30S", "P1DT2H3.5S")
                .words("ms", "s", "m", "h", "d", "PT", "P", "T", "H", "M", "S", ".", "-")
                .regressions("\u0130".repeat(20_000))
                .run(input -> Fuzz.refusal(IllegalArgumentException.class, () -> {
                            Duration duration = Durations.parse(input);
                            assertThat(duration.toNanos()).isNotNegative();
                            assertThat(Durations.text(duration)).isNotEmpty();
                        })
                        == null);
    }

    /** Nothing that is printed moves the cursor, begins a line, or changes the direction of writing. */
    @Test
    void terminal() {
        Fuzz.of("terminal", "orders:42", "\u001b[31mred", "a\nb\tc\u202e\ud83d\ude00", "\ud800 alone")
                .regressions("\ude00".repeat(20_000))
                .run(input -> {
                    String shown = Printable.of(input);
                    assertThat(shown.codePoints().anyMatch(Printable::isUnsafe)).isFalse();
                    Object read = JsonReader.read(Json.of(List.of(input)));
                    assertThat(read).isEqualTo(List.of(input));
                    assertThat(Json.of(input).codePoints().anyMatch(Printable::isUnsafe))
                            .isFalse();
                    return true;
                });
    }
}
