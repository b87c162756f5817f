package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.ZooKeeperEnsemble;
import dev.interlock.testkit.server.ZooKeeperOperations;
import dev.interlock.testkit.server.ZooKeeperServer;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One client is connected to the leader, and one to a server that does not know yet what the leader has decided. That
 * server says that a new node does not exist, and nothing may be decided by that. It is cut off from the others for
 * such a short time that it still serves.
 */
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("long")
class LaggingServerTest {

    private static ZooKeeperEnsemble ensemble;

    private ZooKeeperServer lagging;
    private final ZooKeeperOperations sent = new ZooKeeperOperations();
    private FaultProxy proxy;
    private Probe probe;
    private Probe behind;

    @BeforeAll
    static void startServers() {
        // A server may lag for longer than a busy machine stands still.
        ensemble = ZooKeeperEnsemble.startDivisible(settings -> settings.config("syncLimit=300"));
    }

    @AfterAll
    static void stopServers() {
        ensemble.close();
    }

    @BeforeEach
    void connect() {
        ensemble.awaitWhole();
        probe = new Probe(ZooKeeperStore.at(ensemble.awaitLeader().uri() + "?session=5m")).connected();
        lagging = ensemble.followers().get(0);
        proxy = FaultProxy.to(lagging, sent);
        behind = new Probe(ZooKeeperStore.at(lagging.uriAt(proxy.port()) + "?session=5m")).connected();
    }

    @AfterEach
    void close() {
        ensemble.heal();
        probe.close();
        behind.close();
        proxy.close();
    }

    @Test
    void aLatch_isCountedDown_whereItIsNotKnownYet() {
        LockId id = new LockId("counted", LockKind.LATCH);
        Command down = behind.command(id, new Command.CountDown());

        boolean counted = whileLagging(() -> set(id), () -> behind.store.execute(down));

        assertThat(counted).isTrue();
        assertThat(status(probe, id).count()).as("left to count").isZero();
    }

    @Test
    void aLatch_isAwaited_whereItIsNotKnownYet() {
        LockId id = new LockId("awaited", LockKind.LATCH);
        Claim waiting = behind.claim(id, new Mode.AwaitZero()).waiting(Duration.ZERO);

        Attempt awaited = whileLagging(() -> set(id), () -> behind.store.acquire(waiting));

        assertThat(awaited).isInstanceOf(Attempt.Busy.class);
        probe.executed(probe.command(id, new Command.CountDown()));
        await().until(() -> behind.woken.contains(waiting.owner()));
        behind.granted(waiting);
    }

    @Test
    void aHolder_isRemoved_whereItIsNotKnownYet() {
        Claim held = probe.claim("removed");

        boolean removed = whileLagging(() -> probe.granted(held), () -> behind.store.release(held));

        assertThat(removed).isTrue();
        probe.granted(probe.claim("removed"));
    }

    private boolean set(LockId latch) {
        return probe.isExecuted(probe.command(latch, new Command.SetCount(1)));
    }

    private static LockStatus status(Probe probe, LockId id) {
        return Probe.answer(probe.store.inspect(id));
    }

    /**
     * The answer to a request to a server that does not know yet what was done. A server that has lagged for too long
     * ends its connections; then the request is repeated.
     */
    private <T> T whileLagging(Callable<?> done, Supplier<CompletionStage<T>> asked) {
        ensemble.isolate(lagging);
        CompletableFuture<T> answer;
        try {
            done.call();
            long before = sent.count("sync");
            CompletableFuture<T> soon = asked.get().toCompletableFuture();
            answer = soon;
            await().until(() -> soon.isDone() || sent.count("sync") > before);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        ensemble.heal();
        try {
            return Probe.answer(answer);
        } catch (CompletionException e) {
            ensemble.awaitWhole();
            return await().ignoreExceptions().until(() -> Probe.answer(asked.get()), value -> true);
        }
    }
}
