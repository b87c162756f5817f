package dev.interlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.support.Credentials;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdUriTest {

    @ParameterizedTest
    @CsvSource({
        "etcd://h1, [http://h1:2379], interlock, PT15S",
        "'etcd://h1:1,h2,[::1]:3/app/locks', '[http://h1:1, http://h2:2379, http://[::1]:3]', app/locks, PT15S",
        "etcds://h1/a?session=20s, [https://h1:2379], a, PT20S",
        "etcds://h1/a?session=PT1H&trust=%2Fca.pem, [https://h1:2379], a, PT1H",
    })
    void forms(String uri, String members, String path, Duration session) {
        EtcdUri parsed = EtcdUri.parse(uri);

        assertThat(parsed.members()).hasToString(members);
        assertThat(parsed.path()).isEqualTo(path);
        assertThat(parsed.session()).isEqualTo(session);
    }

    @Test
    void credentials_areDecoded_andInNoText() {
        String uri = "etcd://us%40er:p%3Aw+d@h1/app";

        assertThat(EtcdUri.parse(uri).credentials()).isEqualTo(new Credentials("us@er", "p:w+d"));

        assertThat(EtcdUri.parse(uri)).asString().doesNotContain("w+d").contains("h1:2379", "app");
        try (EtcdStore store = EtcdStore.at(uri)) {
            assertThat(store).hasToString("EtcdStore[[http://h1:2379]/app]");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd:h1",
                "etcd://",
                "etcd://h1,,h2",
                "etcd://h1:70000",
                "etcd://h1/a//b",
                "etcd://h1/a/",
                "etcd://h1/a%2Fb",
                "etcd://h1/%",
                "etcd://user:secret@h1/ /",
                "etcd://user:sec/ret@h1/a",
                "etcd://user:secret%@h1/a",
                "etcd://user:secret@h1/a?sesion=9s",
                "etcd://user:secret@h1/a?session=soon",
                "etcd://user:secret@h1/a?session=1s",
                "etcd://user:secret@h1/a?session=2h",
                "etcd://user:secret@h1/a?trust=/ca.pem",
            })
    void wrongOnes_areRefused_withoutThePassword(String uri) {
        assertThatThrownBy(() -> EtcdStore.at(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret")
                .hasMessageNotContaining("sec/ret")
                .hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "a%", "a b"})
    void wrongPathsAndSessions_areRefused(String path) {
        assertThatThrownBy(() -> EtcdUri.path(path)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EtcdUri.session(Duration.ofMillis(1_999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT1.999S");
    }
}
