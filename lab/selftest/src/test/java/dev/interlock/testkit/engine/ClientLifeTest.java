package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.Lease;
import dev.interlock.LockObserver;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A client is built and closed among code of the application that fails. */
class ClientLifeTest {

    private final Told first = new Told();
    private final Told last = new Told();

    @Test
    void observerThatThrowsAtTheEnd_leavesTheOthersTold() {
        Interlock client = Interlock.builder(new MemoryStore())
                .observer(new Told() {
                    @Override
                    public void closed() {
                        throw new IllegalStateException("broken");
                    }
                })
                .observer(last)
                .build();

        assertThatCode(client::close).doesNotThrowAnyException();

        assertThat(last.events).containsExactly("opened", "closed");
    }

    @Test
    void buildThatFails_closesWhatWasOpened() {
        AtomicReference<Interlock> given = new AtomicReference<>();
        InterlockBuilder builder = Interlock.builder(new MemoryStore())
                .observer(first)
                .whenBuilt(given::set)
                .whenBuilt(client -> {
                    throw new IllegalStateException("no");
                });

        assertThatIllegalStateException().isThrownBy(builder::build).withMessage("no");

        assertThat(first.events).containsExactly("opened", "closed");
        assertThatIllegalStateException()
                .isThrownBy(() -> Objects.requireNonNull(given.get()).lock("n").tryAcquire())
                .withMessageContaining("closed");
        assertThatIllegalStateException().isThrownBy(builder::build).withMessageContaining("one client");
    }

    @Test
    void buildThatAnObserverRefuses_closesThoseBefore() {
        InterlockBuilder builder = Interlock.builder(new MemoryStore())
                .observer(first)
                .observer(new Told() {
                    @Override
                    public void opened(String clientId, Set<Capability> capabilities) {
                        throw new IllegalStateException("no");
                    }
                })
                .observer(last);

        assertThatIllegalStateException().isThrownBy(builder::build).withMessage("no");

        assertThat(first.events).containsExactly("opened", "closed");
        assertThat(last.events).isEmpty();
    }

    /** Each callback releases, and so brings about the next: none runs within another. */
    @Test
    void executorOfTheCallingThread_servesThousands() {
        try (Interlock client = Interlock.builder(new MemoryStore())
                .callbackExecutor(Runnable::run)
                .build()) {
            DistributedLock lock = client.lock("n");
            Lease held = lock.tryAcquire().orElseThrow();
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                callers.add(lock.acquireAsync().toCompletableFuture().thenAccept(Lease::close));
            }
            held.close();
            await().until(() -> callers.stream().allMatch(CompletableFuture::isDone));
            assertThat(callers).noneMatch(CompletableFuture::isCompletedExceptionally);
            await().until(() -> !lock.inspect().isLocked());
        }
    }

    /** Keeps what it is told. */
    private static class Told implements LockObserver {

        final List<String> events = new ArrayList<>();

        @Override
        public void opened(String clientId, Set<Capability> capabilities) {
            events.add("opened");
        }

        @Override
        public void closed() {
            events.add("closed");
        }

        @Override
        public @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode) {
            return null;
        }
    }
}
