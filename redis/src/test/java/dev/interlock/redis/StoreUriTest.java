package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreUriTest {

    @Test
    void aHostIsEnough() {
        StoreUri uri = StoreUri.parse("redis://example");

        assertThat(uri.server().getHost()).isEqualTo("example");
        assertThat(uri.server().getPort()).isEqualTo(6379);
        assertThat(uri.server().getDatabase()).isZero();
        assertThat(uri.server().isSsl()).isFalse();
        assertThat(credentials(uri.server()).hasPassword()).isFalse();
        assertThat(uri.settings()).isEqualTo(Settings.DEFAULTS);
    }

    @Test
    void everyPartIsRead() {
        StoreUri uri = StoreUri.parse("rediss://us%65r:p%40ss%2Fw+rd@[::1]:7000/3?redissonInterop=true&fenceLife=PT5M");

        assertThat(uri.server().getHost()).isEqualTo("::1");
        assertThat(uri.server().getPort()).isEqualTo(7000);
        assertThat(uri.server().getDatabase()).isEqualTo(3);
        assertThat(uri.server().isSsl()).isTrue();
        assertThat(credentials(uri.server()).getUsername()).isEqualTo("user");
        assertThat(new String(credentials(uri.server()).getPassword())).isEqualTo("p@ss/w+rd");
        assertThat(uri.settings())
                .isEqualTo(
                        Settings.DEFAULTS.withFenceLife(Duration.ofMinutes(5)).withRedissonInterop(true));
    }

    @Test
    void sentinelsAreAListOfHostsAndAMaster() {
        StoreUri uri = StoreUri.parse("rediss-sentinel://u:p%40@one,[::2]:7000,three/my%2Fmaster?db=2&fenceLife=PT9M");

        assertThat(uri.hosts())
                .containsExactly(new Address("one", 26_379), new Address("::2", 7000), new Address("three", 26_379));
        assertThat(uri.master()).isEqualTo("my/master");
        assertThat(uri.server().getDatabase()).isEqualTo(2);
        assertThat(uri.server().isSsl()).isTrue();
        assertThat(new String(credentials(uri.server()).getPassword())).isEqualTo("p@");
        assertThat(uri.settings().fenceLife()).isEqualTo(Duration.ofMinutes(9));
        assertThat(RedisStore.at("redis-sentinel://u:secret@one,two:7/m"))
                .hasToString("RedisStore[redis-sentinel://one:26379,two:7/m]");
    }

    @Test
    void severalHostsAreSeedsOfACluster() {
        StoreUri uri = StoreUri.parse("redis://one,two:7000");

        assertThat(uri.hosts()).containsExactly(new Address("one", 6379), new Address("two", 7000));
        assertThat(uri.master()).isNull();
        assertThat(RedisStore.at("redis://one,two:7000")).hasToString("RedisStore[redis://one:6379,two:7000]");
    }

    @Test
    void aPasswordNeedsNoUser() {
        RedisURI server = StoreUri.parse("redis://:secret@example/").server();

        assertThat(credentials(server).hasUsername()).isFalse();
        assertThat(new String(credentials(server).getPassword())).isEqualTo("secret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://example|must begin with redis:// or rediss://",
                "redis:example|must begin with redis:// or rediss://",
                "redis://|must have the form",
                "redis://:7000|must have the form",
                "redis://example#x|must have the form",
                "redis://a b:c:d|must have the form",
                "redis://example:x|The port of a Redis URI must be a number from 1 to 65535; behind a password stands @host",
                "redis://example:|The port of a Redis URI must be a number from 1 to 65535; behind a password stands @host",
                "redis://example:0|The port of a Redis URI must be a number from 1 to 65535; behind a password stands @host",
                "redis://example:65536|The port of a Redis URI must be a number from 1 to 65535; behind a password stands @host",
                "redis://u:p@example:65536|from 1 to 65535: '65536'",
                "redis://example/x|The database of a Redis URI must be a number, 0 or more: 'x'",
                "redis://example/-1|The database of a Redis URI must be a number, 0 or more: '-1'",
                "redis://example/1/2|The database of a Redis URI must be a number, 0 or more: '1/2'",
                "redis://one,,two|must have the form",
                "redis-sentinel://one,two|must end with the master's name",
                "redis-sentinel://one,two/|must end with the master's name",
                "redis-sentinel://one/%zz|The master's name of a Redis URI must be percent-encoded",
                "redis-sentinel://one/m?db=x|The database of a Redis URI must be a number, 0 or more: 'x'",
                "redis://one?db=1|The options of a Redis URI are",
                "redis://example?x=1|are redissonInterop, fenceLife, trust, replicas, replicaTimeout, and db with Sentinels, not 'x'",
                "redis://example?redissonInterop|redissonInterop must be true or false: ''",
                "redis://example?fenceLife=5m|fenceLife must be an ISO-8601 duration such as PT5M: '5m'",
                "redis://example?fenceLife=PT0S|fenceLife must be positive: PT0S",
            })
    void whatIsWrongIsNamed(String uri, String message) {
        assertThatThrownBy(() -> StoreUri.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://secret@example",
                "redis://user:sec/ret@example",
                "redis://user:sec?ret@example",
                "redis://user:sec@ret@example",
                "redis://user:sec%ret@example",
                "redis://user:sec%rretsecret@example",
                "redis://user:secret@example:x",
                "redis://user:secret",
                "redis://user:secret/",
                "redis://user:123/secret",
                "redis://user:secret?db=1",
                "redis://:secret",
                "redis://host,:secret",
                "redis://user:sec@x:ret",
                "redis://user:sec@:ret",
                "redis-sentinel://user:secret/master",
                "redis-sentinel://:secret",
                "redis://user:secret@",
                "redis://user:secret@example?secret=1@x",
                "http://user:secret@example",
                "redis://user:@example",
            })
    void noMessageHasAPassword(String uri) {
        assertThatThrownBy(() -> new RedisStoreProvider().create(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(e -> {
                    StringWriter all = new StringWriter();
                    e.printStackTrace(new PrintWriter(all));
                    assertThat(all.toString().lines().filter(line -> line.contains("Exception")))
                            .noneMatch(line -> line.contains("sec") || line.contains("ret@") || line.contains("ret'"));
                });
    }

    @Test
    void noStoreTellsItsPassword() {
        try (RedisStore store = RedisStore.at("redis://user:secret@example:7000/2")) {
            assertThat(store).hasToString("RedisStore[redis://example:7000/2]");
        }
    }

    private static RedisCredentials credentials(RedisURI uri) {
        RedisCredentials credentials =
                uri.getCredentialsProvider().resolveCredentials().block();
        assertThat(credentials).isNotNull();
        return credentials;
    }
}
