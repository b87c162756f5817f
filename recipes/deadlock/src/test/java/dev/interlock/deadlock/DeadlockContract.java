package dev.interlock.deadlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.deadlock.DeadlockException.Member;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.Caller;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the detection promises, on one store. */
abstract class DeadlockContract {

    /** Looks after which nothing more is to be expected. */
    private static final int ENOUGH_LOOKS = 4;

    private Stage stage;

    /** Opens another client of the same shared data. */
    abstract LockStore openStore();

    /** How many random runs of each kind the short form has. */
    int shortRuns() {
        return 12;
    }

    /** How many random runs of each kind the long form has. */
    int fullRuns() {
        return 100;
    }

    @BeforeEach
    final void openStage() {
        stage = new Stage(this::openStore);
    }

    @AfterEach
    final void closeStage() {
        stage.close();
    }

    // ---- circles

    @Test
    void twoProcesses_theLastComerGetsTheCircle_andTheOtherTheLock() throws Exception {
        String a = stage.name();
        String b = stage.name();
        Actor first = stage.actor().holds(Demand.lock(a));
        Actor last = stage.actor().holds(Demand.lock(b));
        Future<@Nullable DeadlockException> waiting = first.waitsFor(Demand.lock(b));
        stage.awaitPublished(1);

        DeadlockException deadlock = Actor.get(last.waitsFor(Demand.lock(a)));

        assertThat(deadlock).isNotNull();
        assertThat(deadlock.circle()).extracting(Member::wanted).containsExactly(a, b);
        assertThat(deadlock.circle()).extracting(Member::held).containsExactly(List.of(b), List.of(a));
        assertThat(deadlock.circle())
                .extracting(member -> member.party().thread())
                .containsExactly("actor-1", "actor-0");
        assertThat(deadlock.circle())
                .allSatisfy(member -> assertThat(member.party().pid())
                        .isEqualTo(ProcessHandle.current().pid()));
        assertThat(deadlock).hasMessageContaining(a).hasMessageContaining(b).hasMessageContaining("'actor-0'");
        assertThat(Actor.get(waiting)).isNull();
    }

    @Test
    void victim_keepsWhatItHolds_andItsClaimIsWithdrawn() throws Exception {
        String a = stage.name();
        String b = stage.name();
        Interlock mine = stage.client();
        mine.lock(b).lock();
        Actor first = stage.actor().holds(Demand.lock(a));
        Future<@Nullable DeadlockException> waiting = first.waitsFor(Demand.lock(b));
        stage.awaitPublished(1);
        try {
            mine.lock(a).lock();
            throw new AssertionError("no deadlock was found");
        } catch (DeadlockException e) {
            assertThat(e.circle()).hasSize(2);
        }

        assertThat(mine.lock(b).isHeldByCurrentThread()).isTrue();
        assertThat(mine.lock(a).isHeldByCurrentThread()).isFalse();
        await("the claim of the victim is gone")
                .until(() -> mine.lock(a).inspect().waiters().isEmpty());
        assertThat(waiting).isNotDone();
        mine.lock(b).unlock();
        assertThat(Actor.get(waiting)).isNull();
        mine.lock(a).lock();
        mine.lock(a).unlock();
    }

    @Test
    void recordsAreGone_whenNobodyWaits() throws Exception {
        String a = stage.name();
        Interlock holding = stage.client();
        Interlock waiting = stage.client();
        holding.lock(a).lock();
        String other = stage.name();
        Actor actor = stage.actor(waiting).holds(Demand.lock(other));
        Future<@Nullable DeadlockException> waits = actor.waitsFor(Demand.lock(a));
        stage.awaitPublished(1);
        String owner = holding.lock(other).inspect().holders().get(0).owner();
        String record = Records.nameOf(WaitGraph.clientOf(owner));
        assertThat(holding.readWriteLock(record).inspect().holders()).isNotEmpty();

        holding.lock(a).unlock();

        assertThat(Actor.get(waits)).isNull();
        await("the record is erased")
                .until(() -> holding.readWriteLock(record).inspect().holders().isEmpty());
    }

    @Test
    void threadsOfOneProcess_areFound() throws Exception {
        Interlock client = stage.client();
        String a = stage.name();
        String b = stage.name();
        Actor first = stage.actor(client).holds(Demand.lock(a));
        Actor last = stage.actor(client).holds(Demand.lock(b));
        Future<@Nullable DeadlockException> waiting = first.waitsFor(Demand.lock(b));
        stage.awaitPublished(1);

        assertThat(Actor.get(last.waitsFor(Demand.lock(a)))).isNotNull();
        assertThat(Actor.get(waiting)).isNull();
    }

    @Test
    void twoReadersThatWantToWriteTheOther_areFound() throws Exception {
        String a = stage.name();
        String b = stage.name();
        Actor first = stage.actor().holds(Demand.read(a));
        Actor last = stage.actor().holds(Demand.read(b));
        Future<@Nullable DeadlockException> waiting = first.waitsFor(Demand.write(b));
        stage.awaitPublished(1);

        assertThat(Actor.get(last.waitsFor(Demand.write(a)))).isNotNull();
        assertThat(Actor.get(waiting)).isNull();
    }

    /** The reader would fit beside the reader that holds, but the writer stands before it. */
    @Test
    void readerBehindAWriter_waitsForIt() throws Exception {
        String shared = stage.name();
        String b = stage.name();
        Interlock looking = stage.clientWithoutDetector();
        Actor reader = stage.actor().holds(Demand.read(shared));
        Actor writer = stage.actor();
        Actor last = stage.actor().holds(Demand.lock(b));
        Future<@Nullable DeadlockException> reading = reader.waitsFor(Demand.lock(b));
        stage.awaitPublished(1);
        Future<@Nullable DeadlockException> writing = writer.waitsFor(Demand.write(shared));
        stage.awaitPublished(2);
        // A store may leave a claim out of its list until it can wake the client, and nobody stands behind it so long.
        await("the writer has its place")
                .until(() -> !looking.readWriteLock(shared).inspect().waiters().isEmpty());

        DeadlockException deadlock = Actor.get(last.waitsFor(Demand.read(shared)));

        assertThat(deadlock).isNotNull();
        assertThat(deadlock.circle())
                .extracting(member -> member.party().thread())
                .containsExactly("actor-2", "actor-1", "actor-0");
        assertThat(Actor.get(reading)).isNull();
        assertThat(Actor.get(writing)).isNull();
    }

    @Test
    void readerBehindAWriterOfItsOwnProcess_waitsForIt() throws Exception {
        Interlock client = stage.client();
        String shared = stage.name();
        String b = stage.name();
        Actor reader = stage.actor().holds(Demand.read(shared));
        Actor writer = stage.actor(client);
        Actor last = stage.actor(client).holds(Demand.lock(b));
        Future<@Nullable DeadlockException> reading = reader.waitsFor(Demand.lock(b));
        stage.awaitPublished(1);
        Future<@Nullable DeadlockException> writing = writer.waitsFor(Demand.write(shared));
        stage.awaitPublished(2);

        assertThat(Actor.get(last.waitsFor(Demand.read(shared)))).isNotNull();
        assertThat(Actor.get(reading)).isNull();
        assertThat(Actor.get(writing)).isNull();
    }

    @Test
    void semaphore_isADeadlock_onlyIfAllOfItsHoldersAreStuck() throws Exception {
        String semaphore = stage.name();
        String b = stage.name();
        Actor stuck = stage.actor().holds(Demand.permits(semaphore, 1, 2));
        Actor running = stage.actor().holds(Demand.permits(semaphore, 1, 2));
        Actor last = stage.actor().holds(Demand.lock(b));
        Future<@Nullable DeadlockException> first = stuck.waitsFor(Demand.lock(b));
        stage.awaitPublished(1);
        Future<@Nullable DeadlockException> permit = last.waitsFor(Demand.permits(semaphore, 1, 2));
        stage.awaitPublished(2);
        stage.awaitLooks(ENOUGH_LOOKS);
        assertThat(permit).as("the third holds a permit, and does not wait").isNotDone();

        Future<@Nullable DeadlockException> closing = running.waitsFor(Demand.lock(b));

        assertThat(Actor.get(closing)).isNotNull();
        assertThat(Actor.get(permit)).isNull();
        assertThat(Actor.get(first)).isNull();
    }

    /** A future keeps no thread, so only a participant waits with it. */
    @Test
    void participant_waitsByAFuture() throws Exception {
        String a = stage.name();
        String b = stage.name();
        Interlock client = stage.client();
        LockOptions job = LockOptions.builder().participant("job").build();
        Lease held = client.lock(b, job).acquire();
        Actor first = stage.actor().holds(Demand.lock(a));
        Future<@Nullable DeadlockException> waiting = first.waitsFor(Demand.lock(b));
        stage.awaitPublished(1);

        CompletableFuture<Lease> wanted = client.lock(a, job).acquireAsync().toCompletableFuture();

        await("the future fails").until(wanted::isDone);
        assertThat(wanted).isCompletedExceptionally();
        assertThat(wanted.handle((lease, failure) -> failure).join()).isInstanceOf(DeadlockException.class);
        held.close();
        assertThat(Actor.get(waiting)).isNull();
    }

    @Test
    void prefixedNames_areShownWithoutThePrefix() throws Exception {
        String a = stage.name();
        String b = stage.name();
        Actor first =
                stage.actor(stage.client(builder -> builder.namePrefix("app:"))).holds(Demand.lock(a));
        Actor last =
                stage.actor(stage.client(builder -> builder.namePrefix("app:"))).holds(Demand.lock(b));
        Future<@Nullable DeadlockException> waiting = first.waitsFor(Demand.lock(b));
        stage.awaitPublished(1);

        DeadlockException deadlock = Actor.get(last.waitsFor(Demand.lock(a)));

        assertThat(deadlock).isNotNull();
        assertThat(deadlock.circle()).extracting(Member::wanted).containsExactly(a, b);
        assertThat(Actor.get(waiting)).isNull();
    }

    // ---- no circles

    /** Any thread may close the handle. */
    @Test
    void handlesWithoutAParticipant_areNobodys() throws Exception {
        String a = stage.name();
        String b = stage.name();
        Interlock client = stage.client();
        Lease held = client.lock(b).acquire();
        Actor first = stage.actor().holds(Demand.lock(a));
        Future<@Nullable DeadlockException> waiting = first.waitsFor(Demand.lock(b));
        stage.awaitPublished(1);
        CompletableFuture<Lease> wanted = client.lock(a).acquireAsync().toCompletableFuture();
        await("the second is listed")
                .until(() -> !client.lock(a).inspect().waiters().isEmpty());
        stage.awaitLooks(ENOUGH_LOOKS);

        assertThat(wanted).isNotDone();
        assertThat(waiting).isNotDone();
        held.close();
        assertThat(Actor.get(waiting)).isNull();
        Actor.get(wanted).close();
    }

    /** The thread is blocked, and holds nothing that it alone could release. */
    @Test
    void handleOfABlockedThread_isNobodys() throws Exception {
        String a = stage.name();
        String b = stage.name();
        Interlock client = stage.client();
        BlockingQueue<Lease> handle = new LinkedBlockingQueue<>();
        Actor first = stage.actor().holds(Demand.lock(a));
        Caller<Boolean> blocked = Caller.startAction(() -> {
            client.lock(b).lock();
            client.lock(b).unlock();
            handle.add(client.lock(b).acquire());
            client.lock(a).lock();
            client.lock(a).unlock();
        });
        Lease held = handle.poll(Patience.seconds(), TimeUnit.SECONDS);
        assertThat(held).isNotNull();
        await("the second is listed").until(() -> isWaitedFor(client, a));
        Future<@Nullable DeadlockException> waiting = first.waitsFor(Demand.lock(b));
        stage.awaitPublished(1);
        stage.awaitLooks(ENOUGH_LOOKS);

        assertThat(waiting).isNotDone();
        held.close();
        assertThat(Actor.get(waiting)).isNull();
        blocked.result();
    }

    @Test
    void clientWithoutADetector_countsAsRunning() throws Exception {
        String a = stage.name();
        String b = stage.name();
        Interlock plain = stage.clientWithoutDetector();
        Actor first = stage.actor().holds(Demand.lock(a));
        Actor last = stage.actor(plain).holds(Demand.lock(b));
        Future<@Nullable DeadlockException> waiting = first.waitsFor(Demand.lock(b));
        stage.awaitPublished(1);
        Future<@Nullable DeadlockException> unseen = last.waitsFor(Demand.lock(a));
        await("both wait").until(() -> isWaitedFor(plain, a) && isWaitedFor(plain, b));
        stage.awaitLooks(ENOUGH_LOOKS);

        assertThat(waiting).isNotDone();
        assertThat(unseen).isNotDone();
        assertThat(plain.administration().forceUnlock(plain.lock(b).inspect())).isTrue();
        assertThat(Actor.get(waiting)).isNull();
    }

    private static boolean isWaitedFor(Interlock client, String name) {
        LockStatus status = client.lock(name).inspect();
        return !status.waiters().isEmpty();
    }

    // ---- random runs

    @Test
    @Tag(Effort.SCALED)
    void randomRunsWithACircle_endWithOneException_forTheLastComer() throws Exception {
        stage.close();
        for (int run = 0; run < Effort.pick(shortRuns(), fullRuns()); run++) {
            try (Stage one = new Stage(this::openStore)) {
                RandomRun.withCircle(one, run);
            }
        }
    }

    @Test
    @Tag(Effort.SCALED)
    void randomRunsWithoutACircle_endWithoutAnException() throws Exception {
        stage.close();
        for (int run = 0; run < Effort.pick(shortRuns(), fullRuns()); run++) {
            try (Stage one = new Stage(this::openStore)) {
                RandomRun.withoutCircle(one, run);
            }
        }
    }
}
