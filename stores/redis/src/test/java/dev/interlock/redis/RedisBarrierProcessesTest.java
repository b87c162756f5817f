package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLatch;
import dev.interlock.Interlock;
import dev.interlock.barrier.DistributedBarrier;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.process.BarrierChild;
import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A barrier between processes, one of which is killed. */
@Tag("long")
class RedisBarrierProcessesTest {

    private static final int PARTIES = 3;
    private static final int CYCLES = Effort.pick(5, 300);

    private final List<ChildJvm> children = new ArrayList<>();
    private RedisServer server;
    private Interlock client;

    @BeforeEach
    void start() {
        server = RedisServer.start();
        client = Interlock.builder(server.uri())
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .build();
    }

    @AfterEach
    void stop() {
        children.forEach(ChildJvm::close);
        client.close();
        server.close();
    }

    private ChildJvm child(String name, String lease) {
        ChildJvm child = ChildJvm.start(BarrierChild.class, server.uri(), name, Integer.toString(PARTIES), lease);
        children.add(child);
        return child;
    }

    private static List<String> outcomes(List<ChildJvm> children) {
        return children.stream()
                .map(child -> child.await("passed", Patience.limit()))
                .distinct()
                .toList();
    }

    @Test
    void processes_passOneGenerationAfterTheOther() {
        List<ChildJvm> all = List.of(child("cycles", "PT30S"), child("cycles", "PT30S"), child("cycles", "PT30S"));
        long last = 0;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            all.forEach(each -> each.send("await"));
            List<String> generations = outcomes(all);
            assertThat(generations).hasSize(1);
            assertThat(Long.parseLong(generations.get(0))).isGreaterThan(last);
            last = Long.parseLong(generations.get(0));
        }
    }

    @Test
    void killedProcess_breaksTheGeneration_andTheNextOnePasses() {
        ChildJvm dies = child("killed", "PT10S");
        ChildJvm lives = child("killed", "PT10S");
        DistributedBarrier barrier = DistributedBarrier.of(client, "killed", PARTIES);
        DistributedLatch gate = client.latch("barrier-gate:0:killed");
        dies.send("await");
        await().until(() -> gate.inspect().waiters().size() == 1);
        lives.send("await");
        await().until(() -> gate.inspect().waiters().size() == 2 || !lives.isAlive());
        assertThat(barrier.waiting()).isEqualTo(2);

        dies.kill();

        assertThat(lives.await("broken", Patience.limit())).isEqualTo("LEASE_ENDED " + dies.pid());
        await().until(() -> barrier.waiting() == 0);
        List<ChildJvm> next = List.of(lives, child("killed", "PT30S"), child("killed", "PT30S"));
        next.forEach(each -> each.send("await"));
        assertThat(outcomes(next)).hasSize(1);
    }
}
