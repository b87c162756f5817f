package dev.interlock.deadlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the detection costs, as the server counts it. */
class CostTest {

    /** Nobody polls or renews during a test. */
    private static final Duration NEVER = Duration.ofHours(5);

    private static final Timing PATIENT = new Timing(NEVER, NEVER, NEVER);

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void detector_whileWaitsAreShort_costsNoCommand() {
        long plain = commands(builder -> builder, () -> true);

        assertThat(plain)
                .as("acquire, line up, release, acquire, release; and what each holds besides")
                .isEqualTo(7);
        AtomicReference<Detector> detector = new AtomicReference<>();
        assertThat(commands(builder -> with(detector, builder, PATIENT), () -> true))
                .isEqualTo(plain);
        assertThat(commands(
                        builder -> with(detector, builder, Stage.QUICK),
                        () -> Objects.requireNonNull(detector.get()).looks() > 0))
                .as("negative control")
                .isGreaterThan(plain);
    }

    private static InterlockBuilder with(AtomicReference<Detector> detector, InterlockBuilder builder, Timing timing) {
        detector.set(Detector.addTo(builder, timing));
        return builder;
    }

    /** The scripts that a hand-over takes between two clients that hold another lock each. */
    private static long commands(UnaryOperator<InterlockBuilder> settings, Callable<Boolean> meanwhile) {
        LockOptions options =
                LockOptions.builder().lease(LeaseTerm.renewing(NEVER)).build();
        try (Interlock holding = open(builder -> builder);
                Interlock waiting = open(settings)) {
            DistributedLock lock = holding.lock("cost", options);
            DistributedLock same = waiting.lock("cost", options);
            // The server learns the scripts, and the clients connect and listen.
            handOver(lock, waiting, same, options, () -> true);
            server.command("CONFIG", "RESETSTAT");
            handOver(lock, waiting, same, options, meanwhile);
            return server.calls("evalsha") + server.calls("eval");
        }
    }

    private static void handOver(
            DistributedLock lock,
            Interlock waiting,
            DistributedLock same,
            LockOptions options,
            Callable<Boolean> meanwhile) {
        lock.lock();
        Caller<Boolean> caller = Caller.startAction(() -> turn(waiting, same, options));
        await("the second waits").until(() -> server.command("HLEN", "interlock_waiters:{" + lock.name() + "}")
                .equals("1"));
        await("the detector does what it does").until(meanwhile);
        lock.unlock();
        caller.result();
    }

    private static void turn(Interlock client, DistributedLock wanted, LockOptions options) {
        DistributedLock other = client.lock("cost-besides", options);
        other.lock();
        wanted.lock();
        wanted.unlock();
        other.unlock();
    }

    private static Interlock open(UnaryOperator<InterlockBuilder> settings) {
        return settings.apply(Interlock.builder(server.uri())
                        .pollCap(NEVER)
                        .attemptTimeout(Patience.FULL)
                        .storeTimeout(Patience.FULL))
                .build();
    }
}
