package dev.interlock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@Tag("drivers")
class RedisServerTest {

    @Test
    void answersCountsAndLeavesNothing() {
        long pid;
        int port;
        try (RedisServer server = RedisServer.start()) {
            pid = server.pid();
            port = server.port();
            server.command("SET", "k", "v w");
            assertThat(server.command("GET", "k")).isEqualTo("v w");
            assertThat(server.list("MGET", "k", "k")).containsExactly("v w", "v w");
            assertThat(server.list("GET", "absent")).isEmpty();
            assertThat(server.calls("get")).isEqualTo(2);
            assertThatThrownBy(() -> server.command("LPUSH", "k", "x")).hasMessageStartingWith("WRONGTYPE");
        }
        assertThat(ProcessHandle.of(pid)).isEmpty();
        assertThat(RedisBinary.target()
                        .resolve("servers")
                        .toFile()
                        .list((dir, name) -> name.contains("-" + port + "-")))
                .isEmpty();
    }

    @Test
    void isStoppedWhenItSaysSo() {
        try (RedisServer server = RedisServer.start()) {
            server.stop();
            assertThat(server.state()).isEqualTo('T');
            server.cont();
            assertThat(server.state()).isNotEqualTo('T');
            assertThat(server.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void startsAgainEmptyOnTheSamePortWithTheSameSettings() {
        try (RedisServer server = RedisServer.builder()
                .password("se:cret")
                .config("maxmemory-policy allkeys-lru")
                .start()) {
            server.command("SET", "k", "v");
            long pid = server.pid();
            server.restart();
            assertThat(server.pid()).isNotEqualTo(pid);
            assertThat(server.list("GET", "k")).isEmpty();
            assertThat(server.list("CONFIG", "GET", "maxmemory-policy")).contains("allkeys-lru");
            assertThat(server.uri()).isEqualTo("redis://:se%3Acret@127.0.0.1:" + server.port());
        }
    }

    @Test
    void saysWhyItDidNotStart() {
        assertThatThrownBy(() ->
                        RedisServer.builder().config("no-such-directive 1").start())
                .hasStackTraceContaining("no-such-directive");
    }

    @Test
    void runsTheServerThatIsExecutableOrRefuses() {
        assertThat(Files.isExecutable(RedisBinary.locate())).isTrue();
        String before = System.getProperty("redis.bin", "");
        System.setProperty("redis.bin", Path.of("no", "such", "server").toString());
        try {
            assertThatThrownBy(RedisBinary::locate).hasMessageContaining("redis.bin=no/such/server");
        } finally {
            System.setProperty("redis.bin", before);
        }
    }
}
