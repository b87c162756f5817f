package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fault.FaultyStore;
import dev.interlock.testkit.fixture.Bystanders;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.LogWatch;
import dev.interlock.testkit.fixture.Stopwatch;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of a client: the row "client closed" of the truth table (P27). */
interface CloseContract extends LockFixture {

    @Test
    default void P27_close_releasesWhatIsHeld() throws Exception {
        Interlock client = clients().open();
        DistributedLock lock = client.lock(clients().name());
        DistributedLock handle = client.lock(clients().name());
        Interlock observer = clients().open();
        lock.lock();
        Lease lease = handle.acquire();

        client.close();

        assertThat(lease.isValid()).isFalse();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(observer.lock(lock.name()).isLocked()).isFalse();
        assertThat(observer.lock(handle.name()).isLocked()).isFalse();
        client.close();
    }

    /** As after {@code shutdownNow} of the executor that the client was opened in. */
    @Test
    default void P27_close_onAnInterruptedThread_releasesWhatIsHeld() throws Exception {
        Interlock client = clients().open();
        List<String> names = Stream.generate(clients()::name).limit(20).toList();
        for (String name : names) {
            var unused = client.lock(name).acquire(LONG);
        }

        Caller<Boolean> closing = Caller.start(() -> {
            Thread.currentThread().interrupt();
            client.close();
            return Thread.interrupted();
        });

        assertThat(closing.result()).as("the flag is set again").isTrue();
        Interlock other = clients().open();
        assertThat(names).noneMatch(name -> other.lock(name).isLocked());
    }

    /** With a store that does not answer, closing ends all the same. */
    @Test
    default void P27_close_withASilentStore_ends() throws Exception {
        closeInSilence(Patience.limit());
    }

    /** It takes its own time limit and no longer. */
    @Tag(Effort.TIMING)
    @Test
    default void P27_close_withASilentStore_isBounded() throws Exception {
        closeInSilence(Duration.ofMillis(700));
    }

    private void closeInSilence(Duration limit) throws Exception {
        FaultyStore faulty = faultyStore();
        Interlock client = clients().open(faulty.store(), b -> b.attemptTimeout(Duration.ofMillis(200))
                .closeTimeout(Duration.ofMillis(400)));
        DistributedLock lock = client.lock(clients().name());
        Lease lease = LockFixture.answerOf(lock, lock::acquire);
        // A store may tidy up after its first answer; the next one comes when that is done.
        assertThat(LockFixture.answer(client.lock(clients().name())::isLocked)).isFalse();
        faulty.blackHole().strike();
        try (Stopwatch watch = new Stopwatch()) {
            client.close();
            watch.assertAtMost(limit, "closing over a silent store, with a limit of 400 ms");
        }
        assertThat(lease.isValid()).isFalse();
        faulty.blackHole().heal();
    }

    /** P27, I6: no thread, and nothing in the log above the level of information. */
    @Test
    default void P27_close_leavesNoThread_andLogsNoError() throws Exception {
        Bystanders bystanders = new Bystanders();
        try (LogWatch log = new LogWatch()) {
            Interlock client = clients().open();
            for (int i = 0; i < 20; i++) {
                var unused = client.lock(clients().name()).acquireAsync().thenAccept(lease -> {
                    // Held until the client is closed.
                });
            }
            Lease lost = client.lock(clients().name()).acquire(LeaseTerm.fixed(Duration.ofMillis(100)));
            lost.onLost(cause -> {});
            await().until(() -> !lost.isValid());
            client.lock(clients().name()).lock();

            client.close();

            bystanders.awaitNoOthers();
            assertThat(log.problems()).isEmpty();
        }
    }
}
