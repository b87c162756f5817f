package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The participants of a lock, as people see them. */
class ParticipantTest extends EngineSuite {

    /** No turn ends. */
    private static final LockOptions OPTIONS =
            LockOptions.builder().handOver(1000, Duration.ofHours(1)).build();

    private static String holder(DistributedLock lock) {
        return lock.inspect().holders().get(0).party().thread();
    }

    private static Lease get(CompletableFuture<Lease> soon) throws Exception {
        return soon.get(Patience.seconds(), TimeUnit.SECONDS);
    }

    @Test
    void lockPassesOn_toAnotherParticipant_withAClaimOfItsOwn() throws Exception {
        Interlock client = clients().open();
        String name = clients().name();
        DistributedLock one =
                client.lock(name, OPTIONS.toBuilder().participant("job-1").build());
        DistributedLock two =
                client.lock(name, OPTIONS.toBuilder().participant("job-2").build());
        Lease first = one.acquire();
        assertThat(holder(one)).isEqualTo("job-1");
        CompletableFuture<Lease> second = two.acquireAsync().toCompletableFuture();
        CompletableFuture<Lease> third =
                client.lock(name, OPTIONS).acquireAsync().toCompletableFuture();

        first.close();

        Lease next = get(second);
        assertThat(holder(one)).isEqualTo("job-2");
        assertThat(next.token() - first.token()).isGreaterThanOrEqualTo(1024);
        next.close();
        Lease last = get(third);
        assertThat(holder(one)).doesNotStartWith("job-");
        last.close();
    }

    /** The control: callers of one participant share a claim. */
    @Test
    void lockPassesOn_toTheSameParticipant_withoutTheStore() throws Exception {
        DistributedLock lock = clients()
                .open()
                .lock(clients().name(), OPTIONS.toBuilder().participant("job-1").build());
        Lease first = lock.acquire();
        CompletableFuture<Lease> second = lock.acquireAsync().toCompletableFuture();

        first.close();

        try (Lease next = get(second)) {
            assertThat(next.token()).isEqualTo(first.token() + 1);
        }
    }

    @Test
    void waitingClaim_isOfWhoWaits() throws Exception {
        Interlock client = clients().open();
        String name = clients().name();
        Lease held = clients().open().lock(name).acquire(LONG);
        CompletableFuture<Lease> first = client.lock(
                        name, OPTIONS.toBuilder().participant("job-1").build())
                .acquireAsync()
                .toCompletableFuture();
        DistributedLock second =
                client.lock(name, OPTIONS.toBuilder().participant("job-2").build());
        awaitWaiter(second, "job-1");
        CompletableFuture<Lease> next = second.acquireAsync().toCompletableFuture();

        first.cancel(true);

        awaitWaiter(second, "job-2");
        held.close();
        get(next).close();
        await().until(() -> !second.isLocked());
    }

    /** A client asks the store for one of its callers at a time: the others wait in its own line. */
    @Test
    void callersBehindAnotherClient_areListedOnce_andAllByTheirClient() throws Exception {
        assertThat(listed(OPTIONS, 1)).containsExactlyInAnyOrder("job-1", "job-2", "job-3");
    }

    @Test
    void callersOfAFairLock_areListedEach() throws Exception {
        assertThat(listed(OPTIONS.toBuilder().fair(true).build(), 3))
                .containsExactlyInAnyOrder("job-1", "job-2", "job-3");
    }

    /** Those whom a client shows whose three participants wait, once the store lists so many of them. */
    private List<String> listed(LockOptions options, int inStore) throws Exception {
        Interlock client = clients().open();
        String name = clients().name();
        Lease held = clients().open().lock(name).acquire(LONG);
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (String job : List.of("job-1", "job-2", "job-3")) {
            waiting.add(client.lock(name, options.toBuilder().participant(job).build())
                    .acquireAsync()
                    .toCompletableFuture());
        }
        DistributedLock lock = client.lock(name, options);
        await().untilAsserted(() -> assertThat(lock.inspect().waiters()).hasSize(inStore));
        List<String> shown = client.administration().withLocalWaiters(lock.inspect()).waiters().stream()
                .map(waiter -> waiter.party().thread())
                .toList();
        held.close();
        for (CompletableFuture<Lease> next : waiting) {
            get(next).close();
        }
        return shown;
    }

    private static void awaitWaiter(DistributedLock lock, String participant) {
        await().untilAsserted(() -> assertThat(lock.inspect().waiters())
                .extracting(LockStatus.Waiter::party)
                .singleElement()
                .satisfies(party -> assertThat(party.thread()).isEqualTo(participant)));
    }

    @Test
    void readers_ofDifferentParticipants_haveClaimsOfTheirOwn() throws Exception {
        Interlock client = clients().open();
        String name = clients().name();
        DistributedReadWriteLock one = client.readWriteLock(
                name, OPTIONS.toBuilder().participant("reader-1").build());
        try (Lease first = one.readLock().acquire();
                Lease second = client.readWriteLock(
                                name,
                                OPTIONS.toBuilder().participant("reader-2").build())
                        .readLock()
                        .acquire()) {
            assertThat(first.isValid() && second.isValid()).isTrue();
            assertThat(one.readLock().inspect().holders())
                    .extracting(holder -> holder.party().thread())
                    .containsExactlyInAnyOrder("reader-1", "reader-2");
        }
    }

    @Test
    void idThatIsTooLong_isRefused_andAnEmptyOneIsNone() {
        assertThat(OPTIONS.toBuilder().participant("p").participant("").build()).isEqualTo(OPTIONS);
        assertThatThrownBy(() -> OPTIONS.toBuilder().participant("p".repeat(129)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(OPTIONS.toBuilder().participant("p".repeat(128)).build().participant())
                .hasSize(128);
        assertThat(OPTIONS.toBuilder()
                        .participant("p")
                        .fair(true)
                        .reentrant(false)
                        .forgetLostHolds(true)
                        .build()
                        .participant())
                .isEqualTo("p");
    }
}
