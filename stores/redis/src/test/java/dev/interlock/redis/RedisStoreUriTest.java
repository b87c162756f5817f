package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.support.Host;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisStoreUriTest {

    @Test
    void aHostIsEnough() {
        RedisStoreUri uri = RedisStoreUri.parse("redis://example");

        assertThat(uri.server().getHost()).isEqualTo("example");
        assertThat(uri.server().getPort()).isEqualTo(6379);
        assertThat(uri.server().getDatabase()).isZero();
        assertThat(uri.server().isSsl()).isFalse();
        assertThat(credentials(uri.server()).hasPassword()).isFalse();
        assertThat(uri.settings()).isEqualTo(Settings.DEFAULTS);
    }

    @Test
    void everyPartIsRead() {
        RedisStoreUri uri =
                RedisStoreUri.parse("rediss://us%65r:p%40ss%2Fw+rd@[::1]:7000/3?redissonInterop=true&fenceLife=PT5M");

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
        RedisStoreUri uri =
                RedisStoreUri.parse("rediss-sentinel://u:p%40@one,[::2]:7000,three/my%2Fmaster?db=2&fenceLife=PT9M");

        assertThat(uri.hosts())
                .containsExactly(new Host("one", 26_379), new Host("::2", 7000), new Host("three", 26_379));
        assertThat(uri.master()).isEqualTo("my/master");
        assertThat(uri.server().getDatabase()).isEqualTo(2);
        assertThat(uri.server().isSsl()).isTrue();
        assertThat(new String(credentials(uri.server()).getPassword())).isEqualTo("p@");
        assertThat(uri.settings().fenceLife()).isEqualTo(Duration.ofMinutes(9));
        assertThat(RedisStore.at("redis-sentinel://u:secret@one,two:7/m"))
                .hasToString("RedisStore[redis-sentinel://one:26379,two:7/m]");
    }

    /** As other clients want it: whether there is a cluster is found out from the server. */
    @ParameterizedTest
    @CsvSource({"redis-cluster, false", "rediss-cluster, true", "REDIS-Cluster, false"})
    void theSchemesOfAClusterMeanTheSameAsThoseOfAServer(String scheme, boolean tls) {
        RedisStoreUri uri = RedisStoreUri.parse(scheme + "://u:secret@one,two:7000?fenceLife=PT9M");

        assertThat(uri.hosts()).containsExactly(new Host("one", 6379), new Host("two", 7000));
        assertThat(uri.master()).isNull();
        assertThat(uri.server().isSsl()).isEqualTo(tls);
        assertThat(new RedisStoreProvider().schemes()).contains("redis-cluster", "rediss-cluster");
    }

    @Test
    void severalHostsAreSeedsOfACluster() {
        RedisStoreUri uri = RedisStoreUri.parse("redis://one,two:7000");

        assertThat(uri.hosts()).containsExactly(new Host("one", 6379), new Host("two", 7000));
        assertThat(uri.master()).isNull();
        assertThat(RedisStore.at("redis://one,two:7000")).hasToString("RedisStore[redis://one:6379,two:7000]");
    }

    @Test
    void aPasswordNeedsNoUser() {
        RedisURI server = RedisStoreUri.parse("redis://:secret@example/").server();

        assertThat(credentials(server).hasUsername()).isFalse();
        assertThat(new String(credentials(server).getPassword())).isEqualTo("secret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://example|must begin with redis:// or rediss://",
                "redis:example|must begin with redis:// or rediss://",
                "redis://|must be host or host:port",
                "redis://:7000|must be host or host:port",
                "redis://example#x|must be host or host:port",
                "redis://a b:c:d|must be host or host:port",
                "redis://example:x|with ports from 1 to 65535; after user:password there must be @host",
                "redis://example:|with ports from 1 to 65535; after user:password there must be @host",
                "redis://example:0|with ports from 1 to 65535; after user:password there must be @host",
                "redis://example:65536|with ports from 1 to 65535; after user:password there must be @host",
                "redis://u:p@example:65536|with ports from 1 to 65535",
                "redis://example/x|The database of a Redis URI must be a number, 0 or more: 'x'",
                "redis://example/-1|The database of a Redis URI must be a number, 0 or more: '-1'",
                "redis://example/1/2|The database of a Redis URI must be a number, 0 or more: '1/2'",
                "redis://one,,two|must be host or host:port",
                "redis-sentinel://one,two|must end with the master's name",
                "redis-sentinel://one,two/|must end with the master's name",
                "redis-sentinel://one/%zz|The master's name of a Redis URI must be percent-encoded",
                "redis-sentinel://one/m?db=x|db must be a number, 0 or more: 'x'",
                "redis://one?db=1|The options of a Redis URI are",
                "redis://example?x=1|are redissonInterop, fenceLife, trust, cert, key, replicas, replicaTimeout, not",
                "redis://example?redissonInterop|redissonInterop must be true or false: ''",
                "redis://example?fenceLife=5x|fenceLife must be a duration such as 15s, 500ms or PT15S: '5x'",
                "redis://example?fenceLife=PT0S|fenceLife must be positive: PT0S",
            })
    void whatIsWrongIsNamed(String uri, String message) {
        assertThatThrownBy(() -> RedisStoreUri.parse(uri))
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
