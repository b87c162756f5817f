package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a script costs the server by what others have stored, on every key that scripts read: a script that takes long
 * stops all names of all clients. A text that a pattern may match in several ways would take hours at these lengths, so
 * that each test ends shows that there is none.
 */
class HostileSizesTest {

    private static final String STAMP = "1 99999999999999999 ";
    private static final Duration LONGEST_COMMAND = Duration.ofSeconds(1);

    private static RedisServer server;
    private Probe probe;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        server.command("FLUSHALL");
        server.command(
                "CONFIG",
                "SET",
                "slowlog-log-slower-than",
                Long.toString(TimeUnit.NANOSECONDS.toMicros(LONGEST_COMMAND.toNanos())));
        server.command("SLOWLOG", "RESET");
        probe = new Probe(server.uri());
    }

    @AfterEach
    void close() {
        probe.close();
    }

    /** A single field in the hash of those that wait, which any user may write who may write that key. */
    @Test
    void aLongEntry_isPassedOver() {
        for (Mode mode : List.of(Mode.exclusive(), Mode.fair())) {
            Claim held = probe.claim("victim").inMode(mode);
            probe.granted(held);
            String entry = STAMP + "a b c " + "1".repeat(300_000);
            server.command("HSET", "interlock_waiters:{victim}", "evil:1", entry + " x", "evil:2", entry + " f" + "1x");
            assertThat(probe.release(held)).isTrue();
        }
        assertThat(probe.granted(probe.claim("other"))).isPositive();
    }

    @Test
    void longTextsInEveryPlace_holdNobodyUp() {
        int name = 0;
        for (String shape : shapes(50_000)) {
            useBeside("t" + name++, shape);
        }
        assertThat(probe.granted(probe.claim("other"))).isPositive();
    }

    /** More than a script reads: the list is dropped, and those that wait ask again. */
    @Test
    void manyThatWait_areDropped_andTheLockGoesOn() {
        Claim held = probe.claim("n").inMode(Mode.fair());
        probe.granted(held);
        fill("interlock_waiters:{n}", 10_001, "gone:%d", STAMP + "a 1 b c f");
        Claim waiting = probe.claim("n").inMode(Mode.fair()).waiting(Duration.ZERO);
        assertThat(Probe.answer(probe.store.inspect(LockId.lock("n"))).waiters())
                .as("too many to show")
                .isEmpty();
        assertThat(probe.release(held)).isTrue();
        assertThat(server.command("EXISTS", "interlock_waiters:{n}")).isEqualTo("0");
        assertThat(probe.granted(waiting)).isPositive();
    }

    @Test
    void manyHolders_areAnErrorOfThatNameAlone() {
        fill("interlock_semaphore:{n}", 10_001, "gone:%d", "17 " + STAMP + "a 1 b c p1");
        server.command("HSET", "n", "mode", "read");
        fill("n", 10_001, "reader:%d", "1000");
        for (LockKind kind : List.of(LockKind.SEMAPHORE, LockKind.READ_WRITE)) {
            Mode mode = kind == LockKind.SEMAPHORE ? new Mode.Permits(1, 2) : Mode.fair();
            Claim claim = probe.claim("n", kind, mode);
            for (CompletionStage<?> request :
                    List.of(probe.store.acquire(claim), probe.store.inspect(claim.id()), probe.store.release(claim))) {
                assertThat(Probe.failure(request)).hasMessageContaining("more than 10,000 fields");
            }
            probe.granted(probe.claim("m", kind, mode));
        }
    }

    /** Each of them may have a thousand holds, and each hold a key: only so many are looked at. */
    @Test
    void readersWithManyHolds_areBusy() {
        server.command("HSET", "n", "mode", "read");
        fill("n", 9_000, "reader:%d", "1000");
        fill("n", 500, "nobody:%d", "nan");
        server.command("PEXPIRE", "n", "300000");
        server.command("CONFIG", "RESETSTAT");
        probe.refused(probe.claim("n", LockKind.READ_WRITE, Mode.fair()));
        assertThat(server.calls("pttl")).isLessThan(20_000);
    }

    /** The name of a key of a hold has the whole name of its reader in it. */
    @Test
    void aReaderWithALongName_isBusy_andItsKeysAreNotRead() {
        server.command("HSET", "n", "mode", "read", "r".repeat(100_000), "1000");
        server.command("PEXPIRE", "n", "300000");
        server.command("CONFIG", "RESETSTAT");
        Claim writer = probe.claim("n", LockKind.READ_WRITE, Mode.fair());
        probe.refused(writer);
        assertThat(server.calls("pttl")).isLessThan(20);
        assertThat(Probe.answer(probe.store.inspect(writer.id())).holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.owner()).hasSize(32_768));
    }

    @Test
    void aWaitingClaimWithALongName_isDropped() {
        Mode mode = new Mode.Permits(1, 1);
        probe.granted(probe.claim("n", LockKind.SEMAPHORE, mode));
        fill("interlock_semaphore_waiters:{n}", 2, "r".repeat(1_100) + ":%d", STAMP + "a 1 b c p1");
        probe.refused(probe.claim("n", LockKind.SEMAPHORE, mode));
        assertThat(server.command("EXISTS", "interlock_semaphore_waiters:{n}")).isEqualTo("0");
    }

    @Test
    void aHashOfAnotherProgram_isBusy_andNotRead() {
        fill("n", 100_000, "field-%d", "x");
        server.command("CONFIG", "RESETSTAT");
        probe.refused(probe.claim("n"));
        probe.refused(probe.claim("n").inMode(Mode.fair()).waiting(Duration.ZERO));
        assertThat(server.calls("hgetall")).isZero();
        assertThat(Probe.failure(probe.store.inspect(LockId.lock("n"))))
                .hasMessageContaining("more than 10,000 fields");
    }

    @Test
    @Tag(Effort.TIMING)
    void aHundredThousandThatWait_takeTheServerASecondAtMost() {
        for (String key : List.of("interlock_waiters:{n}", "interlock_rw_waiters:{n}", "interlock_latch_waiters:{n}")) {
            fill(key, 100_000, "gone:%d", STAMP + "a 1 b c f");
        }
        useBeside("n", "x");
        assertThat(server.list("SLOWLOG", "GET")).isEmpty();
    }

    @Test
    @Tag(Effort.TIMING)
    void longTextsInEveryPlace_takeTheServerASecondAtMost() {
        int name = 0;
        for (String shape : shapes(1_000_000)) {
            useBeside("t" + name++, shape);
        }
        assertThat(server.list("SLOWLOG", "GET")).isEmpty();
    }

    /** Texts that a careless pattern would match in many ways. */
    private static List<String> shapes(int length) {
        List<String> shapes = new ArrayList<>();
        for (String start : List.of("", STAMP, STAMP + "a b c ", "1 2 " + STAMP, "1 2 " + STAMP + "a b c d p")) {
            for (String part : List.of("1", "a", " ", " 1", ":0", "a ", "f1.", "1 @", "-")) {
                String repeated = part.repeat(length / part.length());
                shapes.add(start + repeated);
                shapes.add(start + repeated + " \t");
            }
        }
        shapes.addAll(
                List.of("1e308", "nan", "-inf", "9007199254740993", "-1", "99999999999999999999", "0x7f", "", "\0"));
        return shapes;
    }

    /** All verbs of all kinds on a name with this text as a value, and as the name of a field, of each of its keys. */
    private void useBeside(String name, String text) {
        Keys keys = new Keys(name);
        Map<LockKind, Mode> modes = Map.of(
                LockKind.LOCK,
                Mode.fair(),
                LockKind.READ_WRITE,
                Mode.shared(),
                LockKind.SEMAPHORE,
                new Mode.Permits(1, 2),
                LockKind.LATCH,
                new Mode.AwaitZero());
        for (Map.Entry<LockKind, Mode> each : modes.entrySet()) {
            LockKind kind = each.getKey();
            server.command("DEL", name);
            Claim claim = probe.claim(name, kind, each.getValue());
            attempt(() -> probe.store.acquire(claim));
            attempt(() -> probe.store.execute(set(name)));
            for (byte[] key : keysOf(keys, kind)) {
                server.command(
                        "HSET", new String(key, StandardCharsets.UTF_8), "evil:1", text, text, text, "evil:2", "1");
            }
            attempt(() -> probe.store.acquire(claim));
            attempt(() -> probe.store.execute(set(name)));
            attempt(() ->
                    probe.store.acquire(probe.claim(name, kind, each.getValue()).waiting(Duration.ZERO)));
            attempt(() -> probe.store.renew(List.of(claim)));
            attempt(() -> probe.store.inspect(claim.id()));
            attempt(() -> probe.store.release(claim));
            attempt(() -> probe.store.release(probe.claim(name, kind, each.getValue())));
        }
        server.command("SET", new String(keys.fence(), StandardCharsets.UTF_8), text);
        server.command("DEL", name);
        attempt(() -> probe.store.acquire(probe.claim(name)));
        server.command("FLUSHALL");
    }

    private Command set(String name) {
        return probe.command(name, new Command.SetCount(1));
    }

    private static List<byte[]> keysOf(Keys keys, LockKind kind) {
        return switch (kind) {
            case LOCK -> List.of(keys.lock(), keys.waiters());
            case READ_WRITE -> List.of(keys.lock(), keys.shared(), keys.sharedWaiters());
            case SEMAPHORE -> List.of(keys.semaphore(), keys.semaphoreWaiters());
            case LATCH -> List.of(keys.latch(), keys.latchWaiters());
        };
    }

    /** Any answer will do, and any refusal. */
    private static void attempt(Supplier<CompletionStage<?>> request) {
        Throwable failure =
                catchThrowable(() -> request.get().toCompletableFuture().get(5, TimeUnit.MINUTES));
        assertThat(failure).satisfiesAnyOf(none -> assertThat(none).isNull(), refused -> assertThat(refused)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RuntimeException.class));
    }

    private static void fill(String key, int count, String field, String value) {
        int batch = 1_000;
        for (int from = 0; from < count; from += batch) {
            List<String> words = new ArrayList<>(List.of("HSET", key));
            for (int i = from; i < Math.min(count, from + batch); i++) {
                words.add(String.format(Locale.ROOT, field, i));
                words.add(value);
            }
            server.command(words.toArray(String[]::new));
        }
    }
}
