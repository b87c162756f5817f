package dev.interlock.deadlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Capability;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.LogWatch;
import dev.interlock.testkit.fixture.ThrowingLog;
import dev.interlock.testkit.store.FarStore;
import dev.interlock.testkit.store.SwitchableStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** How a detector comes and goes with its client. */
class DeadlockDetectorTest {

    @Test
    void storeWithoutReadWriteLocks_isRefused() {
        Detector detector = new Detector(Stage.QUICK);
        assertThatThrownBy(() -> detector.opened("id", EnumSet.complementOf(EnumSet.of(Capability.READ_WRITE_LOCK))))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("no read/write locks");
    }

    @Test
    void prefixThatLeavesNoRoomForTheRecords_isRefused() {
        InterlockBuilder builder =
                DeadlockDetector.addTo(Interlock.builder(new MemoryStore())).namePrefix("p".repeat(500));

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("With the prefix of this client");
    }

    @Test
    void P27_closing_leavesNoThread_andEndsTheWaits() {
        await("the threads of other tests have ended").until(() -> patrols() == 0);
        MemoryStore store = new MemoryStore();
        try (Interlock holding = Interlock.builder(store.session()).build()) {
            holding.lock("b").lock();
            InterlockBuilder builder = Interlock.builder(store.session());
            Detector detector = Detector.addTo(builder, Stage.QUICK);
            Interlock client = builder.build();
            Caller<Boolean> caller = Caller.startAction(() -> {
                client.lock("a").lock();
                client.lock("b").lock();
            });
            await("the wait is published").until(() -> detector.published() == 1);
            assertThat(patrols()).isEqualTo(1);

            client.close();

            assertThat(patrols()).isZero();
            assertThatThrownBy(caller::result).hasRootCauseInstanceOf(IllegalStateException.class);
            assertThat(holding.administration().list("", 10)).extracting("name").containsExactly("b");
        }
    }

    @Test
    void closingWhileAThreadWaits_isNoFailure() {
        for (int round = 0; round < 20; round++) {
            MemoryStore store = new MemoryStore();
            try (LogWatch log = new LogWatch();
                    Interlock holding = Interlock.builder(store.session()).build()) {
                holding.lock("b").lock();
                InterlockBuilder builder = Interlock.builder(new FarStore(store.session(), Duration.ofMillis(2)));
                Detector detector = Detector.addTo(builder, Stage.QUICK);
                Interlock client = builder.build();
                Caller<Boolean> caller = Caller.startAction(() -> {
                    client.lock("a").lock();
                    client.lock("b").lock();
                });
                await("looks").until(() -> detector.looks() > 0);

                client.close();

                assertThatThrownBy(caller::result).hasRootCauseInstanceOf(IllegalStateException.class);
                assertThat(log.problems()).isEmpty();
            }
        }
    }

    @Test
    void threadThatHoldsNothing_isNotWrittenDown() {
        MemoryStore store = new MemoryStore();
        InterlockBuilder builder = Interlock.builder(store.session());
        Detector detector = Detector.addTo(builder, Stage.QUICK);
        try (Interlock holding = Interlock.builder(store.session()).build();
                Interlock client = builder.build()) {
            holding.lock("b").lock();
            Caller<Boolean> free = Caller.startAction(() -> client.lock("b").run(() -> {}));
            await("it waits").until(() -> !holding.lock("b").inspect().waiters().isEmpty());
            Caller<Boolean> bound = Caller.startAction(() -> {
                client.lock("a").lock();
                client.lock("b").run(() -> {});
                client.lock("a").unlock();
            });
            await("the other one is looked after").until(() -> detector.looks() > 1 && detector.published() > 0);

            assertThat(detector.published()).isEqualTo(1);
            holding.lock("b").unlock();
            free.result();
            bound.result();
        }
    }

    /** A failed look is logged, and what an application does with its log may fail, too. */
    @Test
    void logThatThrows_doesNotEndTheWatch() throws Exception {
        SwitchableStore store = new SwitchableStore(new MemoryStore());
        InterlockBuilder builder = Interlock.builder(store);
        Detector.addTo(builder, Stage.QUICK);
        try (ThrowingLog log = new ThrowingLog();
                Interlock client = builder.build()) {
            CyclicBarrier both = new CyclicBarrier(2);
            List<Caller<Boolean>> callers = new ArrayList<>();
            for (List<String> names : List.of(List.of("a", "b"), List.of("b", "a"))) {
                callers.add(Caller.startAction(() -> client.lock(names.get(0)).call(() -> {
                    both.await();
                    store.mode(SwitchableStore.Mode.REFUSING);
                    client.lock(names.get(1)).run(() -> {});
                    return true;
                })));
            }
            await("a look has failed, and with it its message").until(() -> log.thrown() > 0);
            store.mode(SwitchableStore.Mode.HEALTHY);

            await("one of them is ended").until(() -> callers.stream().allMatch(Caller::isDone));
        }
    }

    private static long patrols() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("interlock-deadlocks"))
                .count();
    }
}
