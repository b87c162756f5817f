package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a client can do that may read all keys and publish, and write nothing: it costs others a look at the store.
 * Invariants I2, I3.
 */
class ForgedWakeTest {

    private static final LockOptions FAIR = LockOptions.builder()
            .fair(true)
            .lease(LeaseTerm.renewing(Duration.ofMinutes(5)))
            .build();

    private static final Pattern TICKET = Pattern.compile(" f(\\d+)\\.(\\d+)");

    private final RedisServer server = RedisServer.start();
    private final Interlock one = client();
    private final Interlock two = client();

    @AfterEach
    void close() {
        one.close();
        two.close();
        server.close();
    }

    @Test
    void I2_aForgedGrant_grantsNothing_andSetsNoFence() throws InterruptedException {
        DistributedLock lock = one.lock("n", FAIR);
        Lease before = lock.acquire();
        CompletableFuture<Lease> waiting = two.lock("n", FAIR).acquireAsync().toCompletableFuture();
        await().until(() -> !lock.inspect().waiters().isEmpty());
        List<String> entry = server.list("HGETALL", "interlock_waiters:{n}");

        server.command("CONFIG", "RESETSTAT");
        int told = 0;
        for (String message : forgeries(entry)) {
            told += Integer.parseInt(server.command("PUBLISH", inbox(entry), message));
        }
        assertThat(told).isGreaterThan(1);
        // It reads in order: who has heard the last of them has heard all, and looks.
        long looks = server.calls("evalsha");
        server.command("PUBLISH", inbox(entry), "L" + number(entry) + ":n");
        await().until(() -> server.calls("evalsha") > looks);

        assertThat(waiting).isNotDone();
        assertThat(before.isValid()).isTrue();
        assertThat(server.calls("evalsha")).as("looks").isLessThanOrEqualTo(told + 2L);
        before.close();
        Lease after = waiting.join();
        assertThat(after.token() / 1024).isEqualTo(Long.parseLong(server.command("GET", "interlock_fence:{n}")));
        after.close();
    }

    /** Messages with all that can be read, and with what cannot be understood. */
    private static List<String> forgeries(List<String> entry) {
        Matcher ticket = TICKET.matcher(entry.get(1));
        String known = ticket.find() ? ticket.group(2) : "7";
        String start = "L" + number(entry) + ' ';
        List<String> messages = new ArrayList<>();
        for (String fence : List.of("9007199254740990", "1", "-1", "99999999999999999999", "x", "")) {
            for (String lease : List.of("30000", "5000", "-1", "9223372036854775807", "1e9", "")) {
                messages.add(start + fence + ' ' + known + ' ' + lease + ":n");
            }
        }
        String much = "9".repeat(1_000_000);
        messages.addAll(List.of("", ":", "L", "L:", "Lx:n", "Q1:n", start + "wanted:n", start + much + ":n"));
        messages.addAll(List.of(much, "L" + much + ":n", "L" + number(entry) + ":" + much, "L1 2 3 4 5 6:n", "\0"));
        return messages;
    }

    private static String inbox(List<String> entry) {
        String owner = entry.get(0);
        return "interlock_inbox:" + owner.substring(0, owner.lastIndexOf(':'));
    }

    private static String number(List<String> entry) {
        String owner = entry.get(0);
        return owner.substring(owner.lastIndexOf(':') + 1);
    }

    private Interlock client() {
        return Interlock.builder(server.uri()).pollCap(Duration.ofHours(1)).build();
    }
}
