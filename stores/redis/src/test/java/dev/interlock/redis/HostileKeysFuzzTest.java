package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.fuzz.Fuzz;
import dev.interlock.testkit.fuzz.Sane;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Keys and fields that any client may have written, on a real server. Each input is a line for each field that is added
 * beside those of a holder: a letter for the key, the field, and its value.
 */
class HostileKeysFuzzTest {

    private static final String STAMP = "1764122400000000 9999999999999999 host 42 app main";

    /** The names of the holders that each input copies begin so. */
    private static final String HELD = "held";

    private long inputs;
    private List<String> heldKeys = List.of();

    @Test
    void keys() {
        try (RedisServer server = RedisServer.start();
                RedisClient client = RedisClient.create(server.uri());
                StatefulRedisConnection<String, String> writer = client.connect();
                Probe holder = new Probe(server.uri());
                Probe stranger = new Probe(server.uri())) {
            long bound = Long.getLong(Fuzz.MILLIS, 0);
            logCommandsFrom(server, bound);
            writer.setAutoFlushCommands(false);
            Fuzz.of(
                            "redis keys",
                            "w a:1 " + STAMP + " f\nl interlock 17 1764122400000000 host 42 app main",
                            "s a:1 17 " + STAMP + " p1\nt b:2 " + STAMP + " p2\ns capacity 2 0",
                            "r a:1 17 " + STAMP + " s\nv b:2 " + STAMP + " f5000.7 @3",
                            "c count 3\nd b:2 " + STAMP + " z\nf  9007199254740990")
                    .words("l ", "w ", "s ", "t ", "r ", "v ", "c ", "d ", "f ", "\n", " p", " f", " @", "mode", ":01")
                    .regressions("l mode ")
                    .inputs(250)
                    .longest(2_000)
                    .run(input -> {
                        String name = "n" + inputs;
                        if (inputs++ % 50 == 0) {
                            hold(writer, holder);
                        }
                        boolean accepted = write(writer, name, input);
                        use(stranger, name, !input.contains("capacity"));
                        if (inputs % 50 == 0) {
                            Sane.answer(stranger.store.list("n", 10));
                        }
                        return accepted;
                    });
            if (bound > 0) {
                assertThat(server.list("SLOWLOG", "GET"))
                        .as("commands that took the server long")
                        .isEmpty();
            }
        }
    }

    /** A script that takes long stops the server for all. */
    private static void logCommandsFrom(RedisServer server, long millis) {
        server.command("CONFIG", "SET", "slowlog-log-slower-than", Long.toString(millis > 0 ? millis * 1_000 : -1));
    }

    /** Empties the server, and acquires what each input copies: an acquire costs more than the copies of its keys. */
    private void hold(StatefulRedisConnection<String, String> writer, Probe holder) {
        await(writer, List.of(writer.async().flushall()));
        holder.granted(holder.claim(HELD));
        holder.granted(holder.claim(HELD + "r", LockKind.READ_WRITE, Mode.shared()));
        holder.granted(holder.claim(HELD + "s", LockKind.SEMAPHORE, new Mode.Permits(1, 1)));
        holder.executed(holder.command(HELD + "c", new Command.SetCount(2)));
        RedisFuture<List<String>> keys = writer.async().keys("*" + HELD + "*");
        await(writer, List.of(keys));
        heldKeys = Probe.answer(keys);
    }

    /** Gives the name its holders, and writes the fields beside them; whether there were any. */
    private boolean write(StatefulRedisConnection<String, String> writer, String name, String input) {
        RedisAsyncCommands<String, String> commands = writer.async();
        List<RedisFuture<?>> writes = new ArrayList<>();
        for (String key : heldKeys) {
            writes.add(commands.copy(key, key.replace(HELD, name)));
        }
        for (String line : input.split("\n", -1)) {
            String[] words = line.split(" ", 3);
            String key = words.length < 3 ? null : key(words[0], name);
            if (key != null) {
                writes.add(words[0].equals("f") ? commands.set(key, words[2]) : commands.hset(key, words[1], words[2]));
            }
        }
        await(writer, writes);
        return writes.size() > heldKeys.size();
    }

    private static void await(StatefulRedisConnection<?, ?> writer, List<RedisFuture<?>> requests) {
        writer.flushCommands();
        requests.forEach(Probe::answer);
    }

    /**
     * All verbs of a stranger. The server executes what one client sends in that order, so only the releases wait for
     * answers: a renewal may ask once more.
     */
    private static void use(Probe stranger, String name, boolean knowsCapacity) throws Exception {
        RedisStore store = stranger.store;
        List<CompletionStage<LockStatus>> looks = new ArrayList<>();
        for (LockKind kind : LockKind.values()) {
            looks.add(store.inspect(new LockId(nameOf(name, kind), kind)));
        }
        List<Claim> beside = new ArrayList<>(List.of(
                stranger.claim(name),
                stranger.claim(name).inMode(Mode.fair()).waiting(Duration.ZERO),
                stranger.claim(name + "r", LockKind.READ_WRITE, Mode.fair())));
        if (knowsCapacity) {
            beside.add(stranger.claim(name + "s", LockKind.SEMAPHORE, new Mode.Permits(1, 1)));
        }
        Claim wait = stranger.claim(name + "c", LockKind.LATCH, new Mode.AwaitZero());
        List<Answers> answers = beside.stream()
                .map(claim -> new Answers(claim, store.acquire(claim), store.renew(List.of(claim))))
                .toList();
        CompletionStage<Attempt> awaited = store.acquire(wait.waiting(Duration.ZERO));

        for (CompletionStage<LockStatus> look : looks) {
            LockStatus status = Sane.answer(look);
            if (status != null) {
                Sane.check(status);
            }
        }
        for (Answers answer : answers) {
            // Somebody holds: whatever is beside that, a stranger gets nothing.
            assertThat(Sane.answer(answer.attempt) instanceof Attempt.Granted)
                    .as("granted beside a holder: " + answer.claim)
                    .isFalse();
            Sane.answer(answer.renewal);
        }
        Sane.answer(awaited);
        beside.add(wait);
        for (CompletionStage<?> release : beside.stream().map(store::release).toList()) {
            Sane.answer(release);
        }
    }

    /** What a claim is answered. */
    private record Answers(Claim claim, CompletionStage<Attempt> attempt, CompletionStage<?> renewal) {}

    private static String nameOf(String name, LockKind kind) {
        return switch (kind) {
            case LOCK -> name;
            case READ_WRITE -> name + "r";
            case SEMAPHORE -> name + "s";
            case LATCH -> name + "c";
        };
    }

    /** The key of this letter; null if there is none. */
    private static @Nullable String key(String letter, String name) {
        Keys keys = new Keys(name);
        Keys shared = new Keys(name + "r");
        Keys permits = new Keys(name + "s");
        Keys latch = new Keys(name + "c");
        return switch (letter) {
            case "l" -> new String(keys.lock(), UTF_8);
            case "w" -> new String(keys.waiters(), UTF_8);
            case "r" -> new String(shared.shared(), UTF_8);
            case "v" -> new String(shared.sharedWaiters(), UTF_8);
            case "s" -> new String(permits.semaphore(), UTF_8);
            case "t" -> new String(permits.semaphoreWaiters(), UTF_8);
            case "c" -> new String(latch.latch(), UTF_8);
            case "d" -> new String(latch.latchWaiters(), UTF_8);
            case "f" -> new String(keys.fence(), UTF_8);
            default -> null;
        };
    }
}
