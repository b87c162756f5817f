package dev.interlock.testkit.contract.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.fixture.StoreClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names are any text: no store mixes two of them up, cuts one off, or runs it as code. */
interface NamesContract extends StoreFixture {

    /** How hostile names begin; the rest makes them unique. */
    static Stream<String> beginnings() {
        return Stream.of(
                " ",
                "it's ",
                "\"quoted\" ",
                "two\nlines\r\n",
                "tab\tbell\u0007",
                "nul\u0000in",
                "\ud83d\udd12\ud83c\udf0d",
                "\u00e9\u0000\uffff",
                "{",
                "}",
                "}{",
                "{}",
                "{tag}",
                "a{b",
                "interlock:",
                "%",
                "_",
                "*",
                "[a-z]",
                "\\",
                "?^$.|",
                "'; DROP TABLE locks; --",
                "]] return redis.call('FLUSHALL') --[[",
                "\r\n*1\r\n$8\r\nFLUSHALL\r\n",
                "../../etc/passwd",
                "-",
                ":");
    }

    @ParameterizedTest
    @MethodSource("beginnings")
    default void names_ofAnyText_goThroughAllVerbs(String beginning) {
        StoreClient a = client();
        StoreClient b = client();
        LockId lock = LockId.lock(clients().unique(beginning));

        Claim held = a.hold(lock);
        Claim waiting = b.await(lock, Duration.ofSeconds(1));
        assertThat(a.renew(held)).isEqualTo(Renewal.HELD);
        assertThat(b.inspect(lock).name()).isEqualTo(lock.name());
        assertThat(b.holder(lock).owner()).isEqualTo(held.owner().value());
        assertThat(b.release(held.byForce())).isTrue();
        new Wakes(storeWakes(), wakesNobodyElse()).reach(b, lock);
        b.granted(waiting);

        assertThat(a.renew(held)).isEqualTo(Renewal.FORCED);
        assertThat(b.release(waiting)).isTrue();
        assertThat(a.inspect(lock).isLocked()).isFalse();
    }

    @Test
    default void names_of512Bytes_areHeldWhole() {
        StoreClient a = client();
        String common = "\u20ac".repeat(150) + clients().unique("");
        String filled = common + "x".repeat(LockId.MAX_NAME_BYTES - 1 - utf8Length(common));
        LockId one = LockId.lock(filled + "1");
        LockId two = LockId.lock(filled + "2");
        assertThat(utf8Length(one.name())).isEqualTo(LockId.MAX_NAME_BYTES);

        a.hold(one);

        assertThat(a.inspect(two).isLocked()).isFalse();
        a.hold(two);
        assertThat(a.inspect(one).name()).isEqualTo(one.name());
    }

    /** Names that differ only in what a store might fold, trim, cut or treat as a pattern. */
    @Test
    default void names_thatAreAlike_areDifferent() {
        StoreClient a = client();
        String base = clients().unique("alike-");
        List<String> names = List.of(
                base,
                base + " ",
                " " + base,
                base + "a",
                base + "A",
                base + "\u00e9",
                base + "e\u0301",
                base + "\u0000",
                base + "\u0000a",
                base + "\n",
                "{" + base + "}",
                "{" + base,
                base + "}",
                base + "%",
                base + "*",
                base + "%25",
                base + "\\",
                base + "\\\\");
        Map<String, Claim> held = new LinkedHashMap<>();
        names.forEach(name -> held.put(name, a.hold(LockId.lock(name))));

        assertThat(a.release(claimOf(held, base))).isTrue();

        names.stream().skip(1).forEach(name -> assertThat(a.renew(claimOf(held, name)))
                .as("renewal of '%s'", name)
                .isEqualTo(Renewal.HELD));
    }

    private static Claim claimOf(Map<String, Claim> held, String name) {
        return Objects.requireNonNull(held.get(name), name);
    }

    private static int utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
