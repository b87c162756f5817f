package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.redis.format.Keys;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.fuzz.Fuzz;
import dev.interlock.testkit.fuzz.Sane;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Keys and fields that any client may have written, on a real server. Each input is a line for each field that is added
 * beside those of a holder: a letter for the key, the field, and its value.
 */
class HostileKeysFuzzTest {

    private static final String STAMP = "1764122400000000 9999999999999999 host 42 app main";

    private long inputs;

    @Test
    void keys() {
        try (RedisServer server = RedisServer.start();
                RedisClient client = RedisClient.create(server.uri());
                StatefulRedisConnection<String, String> writer = client.connect();
                Probe holder = new Probe(server.uri());
                Probe stranger = new Probe(server.uri())) {
            Fuzz.of(
                            "redis keys",
                            "w a:1 " + STAMP + " f\nl interlock 17 1764122400000000 host 42 app main",
                            "s a:1 17 " + STAMP + " p1\nt b:2 " + STAMP + " p2\ns capacity 2 0",
                            "r a:1 17 " + STAMP + " s\nv b:2 " + STAMP + " f5000.7 @3",
                            "c count 3\nd b:2 " + STAMP + " z\nf  9007199254740990")
                    .words("l ", "w ", "s ", "t ", "r ", "v ", "c ", "d ", "f ", "\n", " p", " f", " @", "mode", ":01")
                    .inputs(250)
                    .longest(2_000)
                    .run(input -> accepts(writer.sync(), holder, stranger, input));
        }
    }

    private boolean accepts(RedisCommands<String, String> writer, Probe holder, Probe stranger, String input)
            throws Exception {
        String name = "n" + inputs++;
        Keys keys = new Keys(name);
        holder.granted(holder.claim(name));
        holder.granted(holder.claim(name + "r", LockKind.READ_WRITE, Mode.shared()));
        holder.granted(holder.claim(name + "s", LockKind.SEMAPHORE, new Mode.Permits(1, 1)));
        holder.granted(holder.claim(name + "c", LockKind.LATCH, new Mode.SetCount(2)));
        boolean written = false;
        for (String line : input.split("\n", -1)) {
            written |= write(writer, keys, name, line);
        }
        for (LockKind kind : LockKind.values()) {
            LockStatus status = Sane.answer(stranger.store.inspect(new LockId(nameOf(name, kind), kind)));
            if (status != null) {
                Sane.check(status);
            }
        }
        refused(stranger, stranger.claim(name));
        refused(stranger, stranger.claim(name).inMode(Mode.fair()).waiting(Duration.ZERO));
        refused(stranger, stranger.claim(name + "r", LockKind.READ_WRITE, Mode.fair()));
        if (!input.contains("capacity")) {
            refused(stranger, stranger.claim(name + "s", LockKind.SEMAPHORE, new Mode.Permits(1, 1)));
        }
        Claim wait = stranger.claim(name + "c", LockKind.LATCH, new Mode.AwaitZero());
        Sane.answer(stranger.store.acquire(wait.waiting(Duration.ZERO)));
        Sane.answer(stranger.store.release(wait));
        if (inputs % 50 == 0) {
            Sane.answer(stranger.store.list("n", 10));
            writer.flushall();
        }
        return written;
    }

    private static String nameOf(String name, LockKind kind) {
        return switch (kind) {
            case LOCK -> name;
            case READ_WRITE -> name + "r";
            case SEMAPHORE -> name + "s";
            case LATCH -> name + "c";
        };
    }

    /** Somebody holds: whatever is beside that, a stranger gets nothing. */
    private static void refused(Probe stranger, Claim claim) throws Exception {
        assertThat(Sane.answer(stranger.store.acquire(claim)))
                .as("an acquire beside a holder: " + claim)
                .isNotInstanceOf(Attempt.Granted.class);
        Sane.answer(stranger.store.renew(List.of(claim)));
        Sane.answer(stranger.store.release(claim));
    }

    private static boolean write(RedisCommands<String, String> writer, Keys keys, String name, String line) {
        String[] words = line.split(" ", 3);
        if (words.length < 3) {
            return false;
        }
        Keys shared = new Keys(name + "r");
        Keys permits = new Keys(name + "s");
        Keys latch = new Keys(name + "c");
        byte[] key =
                switch (words[0]) {
                    case "l" -> keys.lock();
                    case "w" -> keys.waiters();
                    case "r" -> shared.shared();
                    case "v" -> shared.sharedWaiters();
                    case "s" -> permits.semaphore();
                    case "t" -> permits.semaphoreWaiters();
                    case "c" -> latch.latch();
                    case "d" -> latch.latchWaiters();
                    case "f" -> keys.fence();
                    default -> new byte[0];
                };
        if (key.length == 0) {
            return false;
        }
        String text = new String(key, UTF_8);
        if (words[0].equals("f")) {
            writer.set(text, words[2]);
        } else {
            writer.hset(text, words[1], words[2]);
        }
        return true;
    }
}
