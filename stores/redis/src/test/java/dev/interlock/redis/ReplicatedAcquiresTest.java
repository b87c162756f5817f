package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.StoreUnavailableException;
import dev.interlock.redis.connection.FakeConnection;
import dev.interlock.redis.connection.FakeConnector;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * P08: {@code WAIT} counts the replicas that have the writes of its own connection. Newer servers than 7.0 count all of
 * them for a connection that has only read.
 */
class ReplicatedAcquiresTest {

    private static final Claim CLAIM = Claim.of(LockId.lock("n"), OwnerId.of("client", 1), Probe.LEASE, Probe.PARTY);

    private static final LockId SEMAPHORE = new LockId("n", LockKind.SEMAPHORE);

    private final FakeConnector connector = new FakeConnector();
    private final Router router = new Router(connector);
    private final WakeReceiver wakes = new WakeReceiver(connector, router, false);
    private final List<Claim> released = new ArrayList<>();
    private final ReplicatedAcquires acquires = new ReplicatedAcquires(
            connector, Settings.DEFAULTS.withReplicas(1, Duration.ofMinutes(1)), wakes, this::release);

    @AfterEach
    void close() {
        acquires.close();
        wakes.close();
        router.close();
    }

    @AfterAll
    static void shutDown() {
        FakeConnection.shutDown();
    }

    private CompletableFuture<Boolean> release(Claim claim) {
        released.add(claim);
        return CompletableFuture.completedFuture(true);
    }

    /** The control: the replica has it, or does not. */
    @Test
    void P08_aGrantCountsIfItsOwnConnectionSaysSo() {
        CompletableFuture<Attempt> first = acquires.acquire(CLAIM).toCompletableFuture();
        FakeConnection connection = connector.open();
        connection.replyToHello("7.0.9");
        connection.reply("EVALSHA", 17);
        assertThat(first).isNotDone();
        connection.reply("WAIT", 1);
        assertThat(first).isCompletedWithValue(Attempt.granted(17));
        assertThat(released).isEmpty();
        acquires.released(CLAIM);

        CompletableFuture<Attempt> second = acquires.acquire(CLAIM).toCompletableFuture();
        connection.reply("EVALSHA", 18);
        connection.reply("WAIT", 0);
        assertNotGranted(second);
    }

    @Test
    void P08_aConnectionThatBreaksBeforeTheWait_isNotReplaced() {
        CompletableFuture<Attempt> asked = acquires.acquire(CLAIM).toCompletableFuture();
        FakeConnection broken = connector.open();
        broken.replyToHello("7.0.9");

        broken.breakBehindWhatIsReceived();
        broken.reply("EVALSHA", 17);

        assertThat(broken.written).last().asString().startsWith("WAIT 1 ");
        assertThat(connector.attempts).hasSize(1);
        broken.breakDownBeforeCommandsFail();
        assertNotGranted(asked);
    }

    /** An application's client goes on with another channel, and sends what was not answered once more. */
    @Test
    void P08_anAnswerAfterTheConnectionBroke_confirmsNothing() {
        CompletableFuture<Attempt> asked = acquires.acquire(CLAIM).toCompletableFuture();
        FakeConnection broken = connector.open();
        broken.replyToHello("7.0.9");
        broken.reply("EVALSHA", 17);

        broken.breakBehindWhatIsReceived();
        broken.reply("WAIT", 1);

        assertNotGranted(asked);
    }

    /** It is not taken back: the engine repeats it, and it counts once. */
    @Test
    void P08_aCommandCounts_ifItsOwnConnectionSaysSo() {
        Command resize = new Command(SEMAPHORE, new Command.Resize(2), CLAIM.owner(), Probe.LEASE, Probe.PARTY);
        CompletableFuture<Boolean> first = acquires.execute(resize).toCompletableFuture();
        FakeConnection connection = connector.open();
        connection.replyToHello("7.0.9");
        connection.reply("EVALSHA", 17);
        assertThat(first).isNotDone();
        connection.reply("WAIT", 1);
        assertThat(first).isCompletedWithValue(true);

        CompletableFuture<Boolean> second = acquires.execute(resize).toCompletableFuture();
        connection.reply("EVALSHA", 18);
        connection.reply("WAIT", 0);
        assertThat(Probe.failure(second))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("Too few replicas have confirmed the change in time: replicas=1, confirmed=0");
        assertThat(released).isEmpty();
    }

    /** To forget that a claim has returned permits harms nobody. */
    @Test
    void permitsThatAreReturned_doNotWaitForReplicas() {
        Command keep = new Command(SEMAPHORE, new Command.KeepPermits(2), CLAIM.owner(), Probe.LEASE, Probe.PARTY);
        CompletableFuture<Boolean> kept = acquires.execute(keep).toCompletableFuture();
        FakeConnection connection = connector.open();
        connection.replyToHello("7.0.9");
        connection.reply("EVALSHA", 17);

        assertThat(kept).isCompletedWithValue(true);
    }

    private void assertNotGranted(CompletableFuture<Attempt> asked) {
        assertThat(Probe.failure(asked)).isInstanceOf(StoreUnavailableException.class);
        assertThat(released).containsExactly(CLAIM);
    }
}
