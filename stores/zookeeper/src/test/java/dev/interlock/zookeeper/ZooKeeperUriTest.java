package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZooKeeperUriTest {

    @ParameterizedTest
    @CsvSource({
        "zk://h1, h1:2181, '', PT15S",
        "zk://h1:2182/, h1:2182, '', PT15S",
        "'zk://h1:1,h2:2,[::1]:3/app/locks', 'h1:1,h2:2,[::1]:3', /app/locks, PT15S",
        "'zk://h1,h2:65535,[fe80::1]/app', 'h1:2181,h2:65535,[fe80::1]:2181', /app, PT15S",
        "ZK://h1/app/?session=20s, h1:2181, /app, PT20S",
        "zk://h1?session=500ms, h1:2181, '', PT0.5S",
        "zk://h1?session=PT1M, h1:2181, '', PT1M",
    })
    void forms(String uri, String servers, String base, Duration session) {
        Settings settings = ZooKeeperUri.parse(uri);
        assertThat(settings.servers()).isEqualTo(servers);
        assertThat(settings.base()).isEqualTo(base);
        assertThat(settings.session()).isEqualTo(session);
    }

    @Test
    void recipe_isOneOfTwoOfCurators() {
        assertThat(ZooKeeperUri.parse("zk://h1/app").leaderLatch()).isFalse();
        assertThat(ZooKeeperUri.parse("zk://h1/app?recipe=InterProcessMutex").leaderLatch())
                .isFalse();
        assertThat(ZooKeeperUri.parse("zk://u:p@h1/app?recipe=LeaderLatch&session=20s")
                        .leaderLatch())
                .isTrue();
        assertThatThrownBy(() -> ZooKeeperUri.parse("zk://h1/app?recipe=LeaderSelector"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("recipe must be InterProcessMutex or LeaderLatch");
    }

    @Test
    void credentials_areADigest_andInNoText() {
        Settings settings = ZooKeeperUri.parse("zk://us%40er:p%3Aw+d@h1/app");
        assertThat(settings.credentials()).hasSize(1);
        assertThat(settings.credentials().get(0).getScheme()).isEqualTo("digest");
        assertThat(new String(settings.credentials().get(0).getAuth(), StandardCharsets.UTF_8))
                .isEqualTo("us@er:p:w+d");
        assertThat(settings.acl()).isSameAs(Settings.OF_CREATOR);
        assertThat(settings.toString()).doesNotContain("p:w").contains("h1:2181/app");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zk:h1",
                "http://h1",
                "zk://",
                "zk://h1,,h2",
                "zk://h1:70000",
                "zk://h 1",
                "zk://secret@h1",
                "zk://user:secret%@h1",
                "zk://user:sec/ret@h1//x",
                "zk://user:secret@h1/../x",
                "zk://user:secret@h1?sesion=1s",
                "zk://user:secret@h1?session=soon",
                "zk://user:secret@h1?session=1ms",
                "zk://user:secret@h1?session=2h",
                "zk://app:secret",
                "zk://app:secret/x",
                "zk://app:secret?session=1s",
                "zk://app:secret:2181/x",
                "zk://h1:2181,app:secret/x",
                "zk://user:p@h1:secret",
                "zk://app:[secret]/x",
                "zk://app:se/secret",
                "zk://app:12/secret/../x",
                "zk://app:12?secret",
                "zk://app:12?session=secret",
            })
    void wrongInput_isNamed_withoutThePassword(String uri) {
        assertThatThrownBy(() -> ZooKeeperStore.at(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(?s).*(ZooKeeper|session).*")
                .satisfies(failure -> {
                    StringWriter trace = new StringWriter();
                    failure.printStackTrace(new PrintWriter(trace));
                    assertThat(trace.toString()).doesNotContain("secret");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65536", "99999", "123456"})
    void portOutOfRange_isRefused_unquoted(String port) {
        assertThatThrownBy(() -> ZooKeeperUri.parse("zk://app:" + port + "/x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("after user:password there must be @host")
                .message()
                .doesNotContain("'", ":" + port);
    }
}
