package dev.interlock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreUriTest {

    private static final UriForm PLAIN =
            new UriForm("a Test URI", List.of("test", "tests"), "test://[user:password@]host[:port][/path]", 99);
    private static final UriForm GROUP = new UriForm("a Test URI", List.of("test-group"), "test-group://host/group", 0);

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "test://h test h:99 ''",
                "TESTS://h/ tests h:99 ''",
                "test://h:1/a test h:1 a",
                "test://h:65535/a/b#c%20?x=1 test h:65535 a/b#c%20",
                "test://h?x=1/2 test h:99 ''",
                "test://[::1] test [::1]:99 ''",
                "test://[fe80::1%eth0]:7,h2,10.0.0.1:5/p test [fe80::1%eth0]:7,h2:99,10.0.0.1:5 p",
                "test://u:p@h:1/a test h:1 a",
                "test-group://h,i:2/g test-group h,i:2 g",
                "test-group://%2Ftmp%2Fsocket/g test-group %2Ftmp%2Fsocket g",
            })
    void legalUri_isParsed(String text, String scheme, String hosts, String path) {
        StoreUri uri = parse(text);

        assertThat(uri.scheme()).isEqualTo(scheme);
        assertThat(uri.hosts().stream().map(Host::toString)).containsExactly(hosts.split(","));
        assertThat(uri.path()).isEqualTo(path);
    }

    @Test
    void addressInBrackets_losesThem() {
        assertThat(parse("test://[::1]:7").hosts()).containsExactly(new Host("::1", 7));
    }

    @ParameterizedTest
    @CsvSource({
        "test://us%65r:p%40ss%2Fw+rd%25@h, user, p@ss/w+rd%",
        "test://u:a:b#c d@h, u, a:b#c d",
        "test://:p@h, '', p",
        "test://u:@h, u, ''",
        "test://u@h, u,",
        "test://@h, '',",
        "test://%C3%A4:%E2%82%AC@h, ä, €",
    })
    void credentials_areDecoded(String text, String user, @Nullable String password) {
        Credentials credentials = parse(text).credentials();

        assertThat(credentials).isEqualTo(new Credentials(user, password));
        assertThat(parse("test://" + (credentials == null ? "" : credentials.encoded()) + "@h")
                        .credentials())
                .isEqualTo(credentials);
    }

    @Test
    void credentials_mayBeMissing() {
        assertThat(parse("test://h").credentials()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://h|A Test URI must begin with test:// or tests://, as in "
                        + "test://[user:password@]host[:port][/path]; or with test-group://, as in "
                        + "test-group://host/group",
                "test:h|A Test URI must begin with test://",
                "|A Test URI must begin with test://",
                "test://|The hosts of a Test URI must be host or host:port, separated by commas, with ports from 1 "
                        + "to 65535; after user:password there must be @host, as in test://[user:",
                "test://:7|The hosts of",
                "test://h,|The hosts of",
                "test://h,,i|The hosts of",
                "test://a b|The hosts of",
                "test://a#b|The hosts of",
                "test://h:|The hosts of",
                "test://h:0|The hosts of",
                "test://h:65536|The hosts of",
                "test://u:p@h:65536|with ports from 1 to 65535: '65536', as in test://[user",
                "test://u:p@h:0,i|with ports from 1 to 65535: '0', as in",
                "test://h:000001|The hosts of",
                "test://h:-1|The hosts of",
                "test://h:+1|The hosts of",
                "test://h:1:2|The hosts of",
                "test://[::1|The hosts of",
                "test://[]|The hosts of",
                "test://[::1]7|The hosts of",
                "test://[::g]|The hosts of",
                "test://[::1%[]|The hosts of",
                "test://h]|The hosts of",
                "test://u:p@|The hosts of",
                "test://u:p%@h|User and password of a Test URI must be percent-encoded: two hexadecimal digits must "
                        + "follow a %; write %25 for itself",
                "test://u:p%4@h|two hexadecimal digits must follow a %",
                "test://u:p%-1@h|two hexadecimal digits must follow a %",
                "test://u%zz:p@h|two hexadecimal digits must follow a %",
                "test://u:%FF@h|User and password of a Test URI must be percent-encoded UTF-8",
                "test://u:a/b@h|User and password of a Test URI must be percent-encoded: '/' as %2F, '?' as %3F, '@' "
                        + "as %40, '%' as %25",
                "test://u:a?b@h|must be percent-encoded: '/' as %2F",
                "test://u:a@b@h|must be percent-encoded: '/' as %2F",
            })
    void illegalUri_isRefusedByItsRule(@Nullable String text, String message) {
        assertThatThrownBy(() -> parse(text == null ? "" : text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "test://user:secret",
                "test://user:secret/",
                "test://user:secret?x=1",
                "test://h:1,user:secret/x",
                "test://user:p@h:secret",
                "test://user:[secret]",
                "test://user:0secret:7",
                "test://:secret",
                "test://secret secret",
                "test://user:sec%ret@secret h",
                "test://user:secret%@h",
                "test://user:se/secret@h",
                "test://user:se@secret@h",
                "test://user:secret@h?x=@y",
                "test://user:12/secret",
                "test://user:12/s?secret",
                "test://user:12?secret=1",
                "test://user:12?flag=secret",
                "http://user:secret@h",
                "secret",
            })
    void message_hasNoPassword(String text) {
        assertThatThrownBy(() -> {
                    StoreUri uri = parse(text);
                    assertThat(uri.toString() + uri.options()).doesNotContain("secret");
                    uri.options().only("flag").flag("flag", false);
                    throw uri.invalidPath("The path must be empty");
                })
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .message()
                .doesNotContain("secret");
    }

    @Test
    void toString_hasNoPassword_andNoOption() {
        StoreUri uri = parse("test://user:secret@h/path?password=secret");

        assertThat(uri).hasToString("test://h:99/path");
        assertThat(uri.credentials()).hasToString("user:***");
        assertThat(uri.options()).hasToString("[password]");
    }

    @Test
    void pathOfALegalUri_isQuoted_shortAndWithoutControlCharacters() {
        assertThat(parse("test://u:1@h/a\nb").invalidPath("The path must be x"))
                .hasMessage("The path must be x: 'a?b'");
        assertThat(parse("test://u:1@h/" + "a".repeat(101)).invalidPath("The path must be x"))
                .hasMessage("The path must be x: '" + "a".repeat(100) + "…'");
        assertThat(parse("test://u:1/a").invalidPath("The path must be x"))
                .hasMessage("The path must be x; after user:password there must be @host");
    }

    /** In the order of the square of the length each would take hours; with a frame for each character, the stack. */
    @ParameterizedTest
    @ValueSource(
            strings = {"/", "x", "//a:b", ":", "@", ",", "[", "a:1,", "%", "%41", "&", "=", "x=&", "\\", "(", "\n", "?"
            })
    @Timeout(value = 5, unit = java.util.concurrent.TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void overlongPart_costsNoTime_andIsNotQuotedWhole(String part) {
        String text = part.repeat(200_000);
        for (String uri : List.of(
                "test://" + text,
                "test://" + text + "@h",
                "test://h/" + text,
                "test://h?" + text,
                "test://h?x=" + text,
                text)) {
            assertThatThrownBy(() -> {
                        StoreUri parsed = parse(uri);
                        parsed.options().only("x").number("x", 0, 0);
                        throw parsed.invalidPath("The path must be x");
                    })
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .hasSizeLessThan(400);
        }
    }

    // ---- options

    @Test
    void options_areTyped() {
        UriOptions options =
                parse("test://h?on=TRUE&n=7&text=a%2Fb+c&d=PT1M&text2=").options();

        assertThat(options.only("on", "n", "text", "d", "text2")).isSameAs(options);
        assertThat(options.flag("on", false)).isTrue();
        assertThat(options.number("n", 0, 1)).isEqualTo(7);
        assertThat(options.text("text")).isEqualTo("a/b+c");
        assertThat(options.text("text2")).isEmpty();
        assertThat(options.duration("d", Duration.ZERO)).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void missingOption_hasItsDefault() {
        UriOptions options = parse("test://h?").options().only();

        assertThat(options.flag("on", true)).isTrue();
        assertThat(options.number("n", 5, 1)).isEqualTo(1);
        assertThat(options.text("text")).isNull();
        assertThat(options.duration("d", Duration.ZERO)).isZero();
    }

    @Test
    void optionThatStandsTwice_hasItsLastValue() {
        assertThat(parse("test://h?n=1&n=2").options().number("n", 0, 0)).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"15s, PT15S", "500MS, PT0.5S", "2m, PT2M", "1h, PT1H", "0s, PT0S", "-PT1S, PT-1S"})
    void durations(String text, Duration duration) {
        assertThat(parse("test://h?d=" + text).options().duration("d", Duration.ofDays(1)))
                .isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "5d", "5 s", "soon", "99999999999999999999s", "9223372036854775807h", "-5s"})
    void wrongDuration_isRefused(String text) {
        assertThatThrownBy(() -> parse("test://h?d=" + text).options().duration("d", Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("d must be a duration such as 15s, 500ms or PT15S: '" + text + "'");
    }

    @Test
    void wrongFlagOrNumber_isRefused() {
        UriOptions options = parse("test://h?on&n=1x&few=2").options();

        assertThatThrownBy(() -> options.flag("on", true)).hasMessage("on must be true or false: ''");
        assertThatThrownBy(() -> options.number("n", 0, 0)).hasMessage("n must be a number, 0 or more: '1x'");
        assertThatThrownBy(() -> options.number("few", 3, 3)).hasMessage("few must be a number, 3 or more: '2'");
        assertThat(options.invalid("few", "must be odd")).hasMessage("few must be odd: '2'");
    }

    @Test
    void wrongEncodingOfAnOption_isRefused() {
        assertThatThrownBy(() -> parse("test://h?text=%2").options().text("text"))
                .hasMessage(
                        "text must be percent-encoded: two hexadecimal digits must follow a %; write %25 for itself");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"x=1 | x", "a=1&x | x", "a=1& | ''", "A=1 | A", "=1 | ''"})
    void unknownOption_isRefused(String query, String name) {
        UriOptions options = UriOptions.parse("an Example URI", query);

        assertThatThrownBy(() -> options.only("a"))
                .hasMessage("The only option of an Example URI is a, not '" + name + "'");
        assertThatThrownBy(() -> options.only("a", "b"))
                .hasMessage("The options of an Example URI are a, b, not '" + name + "'");
    }

    /** Behind any other port it may be the rest of a password, whose host has been forgotten. */
    @Test
    void unknownOptionBehindTheUsualPort_isNamed() {
        assertThatThrownBy(() -> parse("test://h:99/?foo=bar").options().only("a"))
                .hasMessage("The only option of a Test URI is a, not 'foo'");
        assertThatThrownBy(() -> parse("test://h:1/?foo=bar").options().only("a"))
                .hasMessage("The only option of a Test URI is a; after user:password there must be @host");
    }

    @Test
    void optionsOfADriver_keepTheirOrderAndForm() {
        assertThat(parse("test://h?r=1&own=x&r=2&&s=%20&t").options().without("own"))
                .isEqualTo("r=1&r=2&s=%20&t=");
        assertThat(parse("test://h?own=x").options().without("own")).isEmpty();
    }

    private static StoreUri parse(String uri) {
        return StoreUri.parse(uri, PLAIN, GROUP);
    }
}
