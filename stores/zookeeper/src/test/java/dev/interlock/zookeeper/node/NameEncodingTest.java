package dev.interlock.zookeeper.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameEncodingTest {

    @ParameterizedTest
    @CsvSource({
        "orders:42, orders:42",
        "a/b, a%2Fb",
        "100%, 100%25",
        ".., %2E%2E",
        "., %2E",
        "..., ...",
        "zookeeper, %7Aookeeper",
        "zookeepers, zookeepers",
        "\u00fc\u20ac, \u00fc\u20ac",
        "\ud83d\udd12, %F0%9F%94%92",
    })
    void encoding_isReversible(String name, String encoded) {
        assertThat(NameEncoding.encode(name)).isEqualTo(encoded);
        assertThat(NameEncoding.decode(encoded)).isEqualTo(name);
    }

    /** Any text is one part of a path that ZooKeeper takes, and comes back. */
    @Test
    void encoding_ofAnyText_isOnePartOfAPath() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            String name = random.ints(1 + random.nextInt(6), 1, 0x11000)
                    .map(point -> point >= 0xd800 && point <= 0xdfff ? 0x1f512 : point)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            String encoded = NameEncoding.encode(name);
            assertThat(encoded).doesNotContain("/");
            PathUtils.validatePath("/base/" + encoded);
            assertThat(NameEncoding.decode(encoded)).isEqualTo(name);
        }
    }

    /** The store's own nodes, and what this encoding would not write. */
    @ParameterizedTest
    @ValueSource(strings = {"%forced", "%clock-1", "%2f", "%41", "a%", "a%2", "zookeeper"})
    void decoding_ofAnythingElse_isNoName(String encoded) {
        assertThat(NameEncoding.decode(encoded)).isNull();
    }
}
