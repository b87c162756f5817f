package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.LockCallbackContract;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * P24: callbacks lock although one thread reads for all connections of all clients. Lettuce never has less than two,
 * unless it is given the group.
 */
@Tag("server")
@Tag("drivers")
class OneThreadContractTest extends LockCallbackContract {

    private static final String THREADS = "one-thread";

    private static RedisServer server;
    private static ClientResources resources;
    private static RedisClient client;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
        resources = DefaultClientResources.builder()
                .eventLoopGroupProvider(
                        new DefaultEventLoopGroupProvider(1, pool -> new DefaultThreadFactory(THREADS, true)))
                .eventExecutorGroup(new DefaultEventExecutorGroup(1))
                .build();
        client = RedisClient.create(resources, server.uri());
    }

    @AfterAll
    static void stopServer() throws Exception {
        client.shutdown(0, 2, TimeUnit.SECONDS);
        resources.shutdown(0, 2, TimeUnit.SECONDS).get();
        server.close();
    }

    @Override
    protected LockStore openStore() {
        return RedisStore.over(client);
    }

    @AfterEach
    void thereIsOneThread() {
        assertThat(readers()).hasSize(1);
    }

    private static List<String> readers() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(THREADS))
                .toList();
    }

    /** The negative control: on the thread that reads, a callback waits for an answer that nobody reads. */
    @Test
    void P24_aCallbackOnThatThreadWaitsForItself() throws Exception {
        try (Interlock inline = Interlock.builder(openStore())
                        .callbackExecutor(Runnable::run)
                        .attemptTimeout(Duration.ofMillis(300))
                        .build();
                Interlock other = Interlock.builder(openStore()).build()) {
            String told = Patience.inTime(() -> {
                String heard = heard(inline, other);
                // A reply that comes before anybody waits for it is passed on by the thread that has asked.
                return heard.startsWith(THREADS) ? Optional.of(heard) : Optional.empty();
            });
            assertThat(told).endsWith(" waits for itself");
        }
    }

    /** The thread that runs the callback of a grant, and what this hears of another lock. */
    private static String heard(Interlock inline, Interlock other) throws Exception {
        Lease held = other.lock("outer").acquire();
        DistributedLock inner = inline.lock("inner");
        CompletableFuture<String> told = inline.lock("outer")
                .acquireAsync()
                .thenApply(lease -> {
                    String thread = Thread.currentThread().getName();
                    try {
                        return thread + inner.tryLock(Duration.ofMillis(300));
                    } catch (StoreUnavailableException | InterruptedException e) {
                        return thread + " waits for itself";
                    } finally {
                        lease.close();
                    }
                })
                .toCompletableFuture();
        held.close();
        return told.get(5, TimeUnit.MINUTES);
    }
}
