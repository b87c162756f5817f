package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.store.BlockingClient;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A store with an identity of its own, and its verbs in blocking form. */
final class Probe implements AutoCloseable {

    static final Duration LEASE = Duration.ofMinutes(5);

    final LockStore store;
    final Queue<OwnerId> woken = new ConcurrentLinkedQueue<>();
    private final String id = UUID.randomUUID().toString();
    private long sequence;

    Probe(LockStore store) {
        this.store = store;
        store.onWake(wake -> woken.add(wake.owner() == null ? new OwnerId("?") : wake.owner()));
    }

    /** Connects: a verb waits for a connection for a moment only, which may be too short on a busy machine. */
    Probe connected() {
        await().ignoreExceptions()
                .until(() -> !answer(store.inspect(LockId.lock("-"))).isLocked());
        return this;
    }

    Claim claim(LockId lock, Mode mode) {
        return Claim.of(lock, mode, OwnerId.of(id, ++sequence), LEASE, new Party("host", 1, "app", "main"));
    }

    Command command(LockId lock, Command.Action action) {
        return command(lock, action, LEASE);
    }

    /** @param life how long the store remembers what it sets */
    Command command(LockId lock, Command.Action action, Duration life) {
        return BlockingClient.command(claim(lock, Mode.exclusive()).withLease(life), action);
    }

    boolean isExecuted(Command command) {
        return BlockingClient.repeated(() -> store.execute(command));
    }

    void executed(Command command) {
        assertThat(isExecuted(command)).as("execute %s", command).isTrue();
    }

    Claim claim(String name) {
        return claim(LockId.lock(name), Mode.exclusive());
    }

    Claim waiting(String name) {
        return claim(name).waiting(Duration.ZERO);
    }

    Attempt.Granted granted(Claim claim) {
        Attempt attempt = BlockingClient.repeated(() -> store.acquire(claim));
        assertThat(attempt).as("acquire of %s", claim).isInstanceOf(Attempt.Granted.class);
        return (Attempt.Granted) attempt;
    }

    void busy(Claim claim) {
        assertThat(BlockingClient.repeated(() -> store.acquire(claim)))
                .as("acquire of %s", claim)
                .isInstanceOf(Attempt.Busy.class);
    }

    boolean isBusy(Claim claim) {
        return BlockingClient.repeated(() -> store.acquire(claim)) instanceof Attempt.Busy;
    }

    boolean release(Claim claim) {
        return answer(store.release(claim));
    }

    Renewal renew(Claim claim) {
        return BlockingClient.repeated(() -> store.renew(List.of(claim))).getOrDefault(claim, Renewal.DELETED);
    }

    static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture()
                .orTimeout(Patience.seconds(), TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void close() {
        store.close();
    }
}
