package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Party;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Wake;
import dev.interlock.testkit.fuzz.Fuzz;
import dev.interlock.testkit.fuzz.Sane;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Fields of hashes and messages, which any client may have written. */
class FormatFuzzTest {

    private static final String CLIENT = "0b5e2b0a-0000-4000-8000-000000000001";
    private static final String NOW = "1764122400000000";
    private static final String HOLDER = "123 1764122390000000 host%2F1 42 my+app main";
    private static final String WAITER = "1764122399000000 1764122405000000 host 43 app pool-1 f @17";

    /** The keys and values of a hash of a lock, and of the list of its waiters. */
    @Test
    void lock() {
        Fuzz.of(
                        "redis lock",
                        String.join("\n", CLIENT + ":1", "1", "interlock", HOLDER, CLIENT + ":2", WAITER),
                        String.join("\n", "interlock", "-5 1764122390000000 h 1 a t f", CLIENT + ":7", "3", "x:1", ""))
                .words(" ", "%zz", "interlock", "@1", " f", " s", " p3", " z")
                .run(input -> {
                    List<String> fields = List.of(input.split("\n", -1));
                    int ofHash = Math.min(fields.size(), 4);
                    List<String> reply = new ArrayList<>(List.of(NOW, "29000", Integer.toString(ofHash)));
                    reply.addAll(fields);
                    Sane.check(StatusParser.parse(LockId.lock("n"), reply));
                    return true;
                });
    }

    /** What look.lua makes of the entries of a read/write lock and a semaphore, and their waiters. */
    @Test
    void several() {
        Fuzz.of(
                        "redis several",
                        String.join("\n", CLIENT + ":1", "s", "host 42 app main", "123", NOW, "1764122409000000"),
                        String.join("\n", CLIENT + ":1", "p3", "h 1 a t", "9", NOW, "9999999999999999", "x:1", WAITER))
                .words("p", "p0", "p-1", "p999999999", "p9999999999", "s", "f", "z")
                .run(input -> {
                    List<String> words = List.of(input.split("\n", -1));
                    int holders = words.size() / 6;
                    for (LockKind kind : List.of(LockKind.READ_WRITE, LockKind.SEMAPHORE)) {
                        List<String> reply = new ArrayList<>(List.of(NOW, words.get(0), Integer.toString(holders)));
                        reply.addAll(words);
                        Sane.check(StatusParser.parse(new LockId("n", kind), reply));
                    }
                    return true;
                });
    }

    @Test
    void latch() {
        Fuzz.of("redis latch", String.join("\n", "3", CLIENT + ":1", WAITER + " z"))
                .run(input -> {
                    List<String> reply = new ArrayList<>(List.of(NOW));
                    reply.addAll(List.of(input.split("\n", -1)));
                    Sane.check(StatusParser.parse(new LockId("n", LockKind.LATCH), reply));
                    return true;
                });
    }

    /** A message in the inbox of a client is for one of its claims, or for none. */
    @Test
    void wake() {
        Fuzz.of("redis wake", "L17:orders:42", "R9:a", "L17 8123 4711 5000:orders", "L017 wanted:n", "C:latch", "S1:s")
                .words("L", "R", "S", "C", " wanted", ":", " ")
                .run(input -> {
                    boolean[] accepted = new boolean[1];
                    Fuzz.refusal(IllegalArgumentException.class, () -> {
                        Wake wake = WakeParser.parse(CLIENT, input);
                        assertThat(Objects.requireNonNull(wake.owner()).clientId())
                                .isEqualTo(CLIENT);
                        accepted[0] = true;
                    });
                    return accepted[0];
                });
    }

    @Test
    void party() {
        Fuzz.of("redis party", "host 42 app main", "h%20x 1 %D0%B9 %F0%9F%98%80")
                .run(input -> {
                    Party read = PartyCodec.decode(input);
                    if (read.equals(Party.UNKNOWN)) {
                        return false;
                    }
                    String again = new String(PartyCodec.encode(read), java.nio.charset.StandardCharsets.UTF_8);
                    assertThat(PartyCodec.decode(again).pid()).isEqualTo(read.pid());
                    return true;
                });
    }
}
