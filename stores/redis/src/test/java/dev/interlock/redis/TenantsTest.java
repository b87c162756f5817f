package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.fence.FenceVerdict;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.server.RedisServer;
import dev.interlock.testkit.store.BlockingClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two applications on one server, each with the rights of docs/redis.md for its own names. */
class TenantsTest {

    private RedisServer server;
    private Probe ours;
    private Probe theirs;

    @BeforeEach
    void open() {
        server = RedisServer.builder().password("admin").start();
        LeastRights.grant(server, "app", documented());
        LeastRights.grant(server, "shop", documented().replace("app:", "shop:"));
        ours = new Probe(LeastRights.uri("app", server.port()));
        theirs = new Probe(LeastRights.uri("shop", server.port()));
    }

    @AfterEach
    void close() {
        ours.close();
        theirs.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource(LockKind.class)
    void allKindsWork_underItsOwnNames(LockKind kind) {
        for (Mode mode : modes(kind)) {
            Claim held = ours.claim("app:n", kind, mode);
            use(ours, held);
            if (kind != LockKind.LATCH) {
                assertThat(ours.renew(held)).isEqualTo(Renewal.HELD);
                Claim waiting = ours.claim("app:n", kind, alone(kind)).waiting(Duration.ZERO);
                ours.busy(waiting);
                ours.wakes.clear();
                assertThat(ours.release(held)).isTrue();
                await().until(() -> ours.wakes.contains(waiting.id()));
                ours.granted(waiting);
                assertThat(ours.release(waiting.byForce())).isTrue();
            }
            LockStatus status = Probe.answer(ours.store.inspect(held.id()));
            assertThat(status.name()).isEqualTo("app:n");
        }
        assertThat(refusals()).isEmpty();
    }

    @Test
    void itsGuardsWork() {
        LeastRights.grant(server, "app", documented() + " +eval");
        withConnection(connection -> {
            FencedRedis fenced = FencedRedis.over(connection.async());
            FenceVerdict verdict = Probe.answer(fenced.set("app:k", "v", 7));
            assertThat(verdict.accepted()).isTrue();
            assertThat(Probe.failure(fenced.set("shop:k", "v", 7)).getMessage()).contains("NOPERM");
        });
    }

    /** Each verb is refused by the server, and says so. */
    @ParameterizedTest
    @EnumSource(LockKind.class)
    void theNamesOfOthers_areRefused(LockKind kind) {
        for (Mode mode : modes(kind)) {
            Claim held = theirs.claim("shop:n", kind, mode);
            use(theirs, held);
            Claim ask = ours.claim("shop:n", kind, mode);
            assertRefused(() -> Probe.answer(ours.store.acquire(ask)));
            assertRefused(() -> Probe.answer(ours.store.acquire(ask.waiting(Duration.ZERO))));
            assertRefused(() -> Probe.answer(ours.store.inspect(ask.id())));
            assertRefused(() -> Probe.answer(ours.store.release(held.byForce())));
            assertRefused(() -> Probe.answer(ours.store.release(ask)));
            if (kind == LockKind.LATCH) {
                assertRefused(() -> Probe.answer(ours.store.execute(ours.command("shop:n", new Command.CountDown()))));
            } else {
                assertThat(ours.store.renew(List.of(held)).toCompletableFuture())
                        .failsWithin(Duration.ofMinutes(1));
                assertThat(theirs.renew(held)).isEqualTo(Renewal.HELD);
                assertThat(theirs.release(held)).isTrue();
            }
        }
        assertRefused(() -> Probe.answer(ours.store.list("", 10)));
        assertThat(refusals()).isNotEmpty();
    }

    /** Whatever the other has stored, in whatever way one may try to read, change or remove it. */
    @Test
    void theKeysOfOthers_areRefused() {
        for (LockKind kind : LockKind.values()) {
            use(theirs, theirs.claim("shop:" + kind, kind, modes(kind).get(0)));
            if (kind != LockKind.LATCH) {
                theirs.busy(theirs.claim("shop:" + kind, kind, alone(kind)).waiting(Duration.ZERO));
            }
            Claim forced = theirs.claim("shop:f" + kind, kind, modes(kind).get(0));
            use(theirs, forced);
            theirs.release(forced.byForce());
        }
        server.command("SET", "interlock_guard:{shop:k}", "7 ");
        List<String> keys = server.list("KEYS", "*");
        assertThat(keys).hasSizeGreaterThan(15).allMatch(key -> key.contains("shop:"));
        withConnection(connection -> {
            RedisCommands<String, String> commands = connection.sync();
            for (String key : keys) {
                for (ThrowingCallable attempt : attempts(commands, key)) {
                    assertThatThrownBy(attempt)
                            .as(key)
                            .isInstanceOf(RedisCommandExecutionException.class)
                            .hasMessageMatching("(?s).*(NOPERM|ACL failure|can't access|permissions to access).*");
                }
            }
            for (ThrowingCallable look : List.<ThrowingCallable>of(
                    () -> commands.keys("*"),
                    () -> commands.scan(),
                    () -> commands.pubsubChannels(),
                    () -> commands.flushall(),
                    () -> commands.configGet("*"))) {
                assertThatThrownBy(look).hasMessageContaining("NOPERM");
            }
        });
        assertThat(lasting(server.list("KEYS", "*"))).containsExactlyInAnyOrderElementsOf(lasting(keys));
    }

    /** A claim that waits, and does not ask again, is listed for seconds. */
    private static List<String> lasting(List<String> keys) {
        return keys.stream().filter(key -> !key.contains("waiters:")).toList();
    }

    private static List<ThrowingCallable> attempts(RedisCommands<String, String> commands, String key) {
        String script = "return redis.call(ARGV[1], ARGV[2])";
        return List.of(
                () -> commands.get(key),
                () -> commands.set(key, "x"),
                () -> commands.del(key),
                () -> commands.exists(key),
                () -> commands.pexpire(key, 1),
                () -> commands.pttl(key),
                () -> commands.hget(key, "x"),
                () -> commands.hset(key, "x", "x"),
                () -> commands.hdel(key, "x"),
                () -> commands.hgetall(key),
                () -> commands.hlen(key),
                () -> commands.hexists(key, "x"),
                () -> commands.evalsha(commands.scriptLoad(script), ScriptOutputType.VALUE, new String[0], "del", key),
                () -> commands.evalsha(
                        commands.scriptLoad(script), ScriptOutputType.VALUE, new String[] {key}, "del", key));
    }

    private interface Use {
        void with(StatefulRedisConnection<String, String> connection);
    }

    private void withConnection(Use use) {
        RedisClient client = RedisClient.create(LeastRights.uri("app", server.port()));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            use.with(connection);
        } finally {
            client.shutdown();
        }
    }

    private static void assertRefused(ThrowingCallable request) {
        assertThatThrownBy(request).hasStackTraceContaining("The Redis user lacks a right");
    }

    /** What the server has refused, but for INFO, without which the store does. */
    private List<String> refusals() {
        List<String> words = server.list("ACL", "LOG");
        List<String> refused = new ArrayList<>();
        for (int i = 0; i + 1 < words.size(); i++) {
            if (words.get(i).equals("object") && !words.get(i + 1).equals("info")) {
                refused.add(words.get(i + 1));
            }
        }
        return refused;
    }

    /** A latch stands in the server when it has a count. */
    private static void use(Probe probe, Claim claim) {
        if (claim.id().kind() == LockKind.LATCH) {
            probe.executed(BlockingClient.command(claim, new Command.SetCount(1)));
        } else {
            probe.granted(claim);
        }
    }

    private static List<Mode> modes(LockKind kind) {
        return switch (kind) {
            case LOCK -> List.of(Mode.exclusive(), Mode.fair());
            case READ_WRITE -> List.of(Mode.shared(), Mode.fair());
            case SEMAPHORE -> List.of(new Mode.Permits(2, 2));
            case LATCH -> List.of(new Mode.AwaitZero());
        };
    }

    private static Mode alone(LockKind kind) {
        return kind == LockKind.SEMAPHORE ? new Mode.Permits(1, 2) : Mode.fair();
    }

    /** What stands behind the password in the document's line for one of several applications. */
    private static String documented() {
        try {
            String line = Files.readAllLines(Path.of("..", "..", "docs", "redis.md")).stream()
                    .filter(candidate -> candidate.startsWith("ACL SETUSER app "))
                    .findFirst()
                    .orElseThrow();
            return line.substring(line.indexOf(">secret ") + ">secret ".length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
