package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Attempt;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * P25: what a sick server costs is bounded by time, not by the number of callers: many of them try again at once,
 * whatever they hear.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("wide")
class SickServerTest {

    private static final int TOGETHER = 50;
    private static final Duration OUTAGE = Duration.ofMillis(2_500);

    private final AtomicInteger names = new AtomicInteger();

    /** What the callers heard; one attempt to connect tells all who waited for it the same. */
    private final Set<Throwable> failures = Collections.newSetFromMap(new IdentityHashMap<>());

    private int calls;

    /**
     * It takes connections and commands, and answers nothing: after two seconds nobody's command goes there but one
     * question at a time.
     */
    @Test
    void P25_aSilentServerGetsOneQuestionAtATime() throws IOException {
        AtomicBoolean silent = new AtomicBoolean();
        try (ScriptedServer server = new ScriptedServer(words -> silent.get() ? "" : answer(words));
                Probe probe = new Probe("redis://127.0.0.1:" + server.port())) {
            assertThat(probe.granted(probe.claim("before"))).isPositive();
            silent.set(true);
            // The negative control: as long as the silence is young, each call is a command.
            callUntil(probe, () -> count(server, "HELLO") >= 2);
            // What was sent on the connection before is read to its end.
            await().until(() -> server.connections() <= 1);
            assertThat(count(server, "EVALSHA")).isGreaterThan(TOGETHER);

            server.commands.clear();
            Duration time = callFor(probe, OUTAGE, () -> calls > 4 * TOGETHER && count(server, "HELLO") > 0);

            assertThat(count(server, "EVALSHA")).isZero();
            assertThat(count(server, "HELLO")).isLessThanOrEqualTo(1 + time.toSeconds() / 2);
            assertThat(server.commands).containsOnly("HELLO", "INFO");

            silent.set(false);
            callUntil(probe, () -> count(server, "EVALSHA") > 0);
            assertThat(probe.granted(probe.claim("after"))).isPositive();
        }
    }

    /** A balancer in front of a server that is gone takes connections and closes them. */
    @Test
    void P25_aServerThatHangsUpIsCalledAFewTimes() throws IOException {
        AtomicInteger connections = new AtomicInteger();
        try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Probe probe = new Probe("redis://127.0.0.1:" + listening.getLocalPort())) {
            hangUp(listening, connections);
            callUntil(probe, () -> connections.get() > 0);
            Duration time = callFor(probe, OUTAGE.dividedBy(4), () -> calls > TOGETHER && connections.get() > 1);

            assertThat(connections).hasValueLessThanOrEqualTo(most(time));
        }
    }

    @Test
    void P25_aServerThatIsGoneIsCalledAFewTimes() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (Probe probe = new Probe("redis://127.0.0.1:" + port)) {
            callUntil(probe, () -> !failures.isEmpty());
            Duration time = callFor(probe, OUTAGE.dividedBy(4), () -> calls > TOGETHER && failures.size() > 1);

            assertThat(failures).hasSizeLessThanOrEqualTo(most(time));
        }
    }

    /** It has always more names, which the caller has to keep until it knows the first of them. */
    @Test
    void aListingOfNamesWithoutEndEnds() throws IOException {
        try (ScriptedServer server =
                        new ScriptedServer(words -> words.get(0).equals("EVALSHA") ? moreNames() : answer(words));
                Probe probe = new Probe("redis://127.0.0.1:" + server.port())) {
            assertThat(probe.store.list("", 10))
                    .failsWithin(Duration.ofMinutes(5))
                    .withThrowableOfType(ExecutionException.class)
                    .withMessageContaining("Too many names to list");
        }
    }

    private String moreNames() {
        int number = 50_000;
        StringBuilder answer = new StringBuilder("*" + (number + 1) + "\r\n+17");
        for (int i = 0; i < number; i++) {
            answer.append("\r\n+L").append(names.incrementAndGet());
        }
        return answer.toString();
    }

    /**
     * Calls and counts them, for how long at least, and until they were enough: a machine that stalls makes few.
     * Returns for how long.
     */
    private Duration callFor(Probe probe, Duration time, BooleanSupplier enough) {
        calls = 0;
        long start = System.nanoTime();
        callUntil(probe, () -> System.nanoTime() - start >= time.toNanos() && enough.getAsBoolean());
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /**
     * How many connections are tried in this time: before it one; then after pauses of 20, 40, 80 and 160 ms, and of
     * 320 ms from then on.
     */
    private static int most(Duration time) {
        return 1 + 4 + 1 + (int) (time.toMillis() / 320);
    }

    /** Many calls at once, given up after a short time, and again. */
    private void callUntil(Probe probe, BooleanSupplier end) {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> {
            List<CompletableFuture<Attempt>> asked = Stream.generate(() -> probe.claim("x" + names.incrementAndGet()))
                    .limit(TOGETHER)
                    .map(claim -> probe.store.acquire(claim).toCompletableFuture())
                    .toList();
            calls += TOGETHER;
            long patience = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
            asked.forEach(call -> hear(call, patience - System.nanoTime()));
            return end.getAsBoolean();
        });
    }

    private void hear(CompletableFuture<Attempt> call, long patienceNanos) {
        try {
            call.get(Math.max(0, patienceNanos), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            failures.add(e.getCause());
        } catch (TimeoutException e) {
            call.cancel(false);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void hangUp(ServerSocket listening, AtomicInteger connections) {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (true) {
                            listening.accept().close();
                            connections.incrementAndGet();
                        }
                    } catch (IOException e) {
                        // The test is over.
                    }
                },
                "hang-up");
        thread.setDaemon(true);
        thread.start();
    }

    private static long count(ScriptedServer server, String command) {
        return server.commands.stream().filter(command::equals).count();
    }

    private static String answer(List<String> words) {
        return switch (words.get(0)) {
            case "HELLO" -> ScriptedServer.hello("standalone", "master");
            case "INFO" -> "$0\r\n";
            default -> ":7";
        };
    }
}
