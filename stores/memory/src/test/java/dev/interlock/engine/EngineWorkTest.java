package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.spi.GroupMember;
import dev.interlock.spi.LockId;
import dev.interlock.spi.WorkLease;
import dev.interlock.spi.WorkLease.Place;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Code of the user that runs under a lease: what it is told of the end, and what closing the client leaves to it. */
class EngineWorkTest {

    private static final LeaseTerm TERM = LeaseTerm.renewing(Duration.ofSeconds(10));

    private final Simulation one = Simulation.start();
    private final Simulation two = one.neighbour();
    private final List<@Nullable LossCause> told = new ArrayList<>();
    private final Consumer<@Nullable LossCause> guard = told::add;

    private WorkLease acquired(String name) {
        return (WorkLease) one.acquire(name, TERM).join();
    }

    private WorkLease.Work begin(WorkLease lease) {
        return Objects.requireNonNull(lease.begin(Place.THIS_THREAD, guard));
    }

    private boolean isStoreClosed() {
        return one.memory.inspect(LockId.lock("n")).toCompletableFuture().isCompletedExceptionally();
    }

    @Test
    void close_leavesTheLeaseOfWork_unrenewed_thenClosesTheStore() {
        WorkLease lease = acquired("n");
        begin(lease);
        one.advance(Duration.ofSeconds(60), two);

        one.core.close();

        assertThat(lease.isValid()).isTrue();
        assertThat(told).isEmpty();
        one.advance(Duration.ofSeconds(4), two);
        assertThat(two.inspect("n").isLocked()).isTrue();
        assertThat(isStoreClosed()).isFalse();
        one.advance(Duration.ofSeconds(7), two);
        assertThat(told).containsExactly(LossCause.EXPIRED);
        assertThat(two.inspect("n").isLocked()).isFalse();
        assertThat(isStoreClosed()).isTrue();
    }

    @Test
    void close_thenTheEndOfTheWork_releases_andClosesTheStore() {
        WorkLease lease = acquired("n");
        WorkLease.Work work = begin(lease);
        one.core.close();

        lease.close();
        work.close();

        assertThat(told).hasSize(1).containsOnlyNulls();
        assertThat(two.inspect("n").isLocked()).isFalse();
        one.advance(Duration.ofSeconds(1), two);
        assertThat(isStoreClosed()).isTrue();
    }

    /** A request that makes the claim shared sets its lease, too. */
    @Test
    void closedClient_renewsNothingWhenAWriterLetsItsReadersGoOn() {
        LockOptions options = LockOptions.builder().lease(TERM).build();
        WorkLease writer = (WorkLease) one.readWriteLock("n", options)
                .writeLock()
                .acquireAsync()
                .toCompletableFuture()
                .join();
        begin(writer);
        Lease reader = one.acquireBeside("n", writer, TERM).join();
        one.core.close();
        one.advance(Duration.ofSeconds(5), two);

        writer.close();

        assertThat(reader.isValid()).isTrue();
        one.advance(Duration.ofSeconds(5), two);
        assertThat(reader.isValid()).isFalse();
    }

    /** A thread may be stopped after the end of its lease, and before it sends the release. */
    @Test
    void closedClient_keepsItsStore_untilAReleaseThatHasBegunIsSent() {
        WorkLease lease = acquired("n");
        Consumer<@Nullable LossCause> stopped = cause -> one.advance(Duration.ofMillis(30), two);
        assertThat(lease.begin(Place.THIS_THREAD, stopped)).isNotNull();
        one.core.close();

        lease.close();

        assertThat(two.inspect("n").isLocked()).isFalse();
        one.advance(Duration.ofSeconds(1), two);
        assertThat(isStoreClosed()).isTrue();
    }

    /** Those of its thread, and no others. After the client has closed it gets no more. */
    @Test
    void close_leavesWhatTheThreadOfTheWorkHolds_andGrantsItNothing() throws Exception {
        begin(acquired("n"));
        Lease besides = acquired("besides");
        Lease[] elsewhere = new Lease[1];
        Thread other = new Thread(() -> elsewhere[0] = acquired("elsewhere"));
        other.start();
        other.join();

        one.core.close();

        assertThat(besides.isValid()).isTrue();
        assertThat(elsewhere[0].isValid()).isFalse();
        assertThat(two.inspect("elsewhere").isLocked()).isFalse();
        assertThat(one.acquire("more")).isCompletedExceptionally();
    }

    /** A lock of several that an interrupted thread waits for is requested by others, in part. */
    @Test
    void close_leavesWhatTheThreadOfTheWorkHasAdopted() throws Exception {
        begin(acquired("n"));
        List<Lease> besides = new ArrayList<>();
        Thread other = new Thread(() -> besides.add(acquired("besides")));
        other.start();
        other.join();
        ((GroupMember) one.lock("besides")).adopt(besides.get(0));

        one.core.close();

        assertThat(besides).allMatch(Lease::isValid);
    }

    @Test
    void workThatHasEnded_keepsNothing() {
        WorkLease lease = acquired("n");
        WorkLease.Work work = begin(lease);
        work.close();
        one.core.close();
        assertThat(lease.isValid()).isFalse();
        assertThat(two.inspect("n").isLocked()).isFalse();
    }

    @Test
    void work_doesNotBeginUnderALeaseThatIsOver() {
        WorkLease lease = acquired("n");
        lease.close();
        assertThat(lease.begin(Place.THIS_THREAD, guard)).isNull();
        assertThatThrownBy(() -> WorkLease.begin(lease, Place.THIS_THREAD)).isInstanceOf(IllegalStateException.class);
        assertThat(told).isEmpty();
    }

    /** Otherwise a thread that keeps a lock, and runs one body after the other under it, would fill the memory. */
    @Test
    void workThatHasEnded_leavesNothingBehind_whileItsLeaseGoesOn() {
        WorkLease lease = acquired("n");
        WeakReference<WorkLease.Work> ended = begunAndEnded(lease);
        for (int i = 0; i < 100 && ended.get() != null; i++) {
            System.gc();
        }
        assertThat(ended.get()).isNull();
        assertThat(lease.isValid()).isTrue();
    }

    private static WeakReference<WorkLease.Work> begunAndEnded(WorkLease lease) {
        WorkLease.Work work = WorkLease.begin(lease, Place.THIS_THREAD);
        work.close();
        return new WeakReference<>(work);
    }

    /** Code that ends with the lease is begun again and again under one that a thread keeps. */
    @Test
    void workAnywhere_isOneForItsLease() {
        WorkLease lease = acquired("n");
        assertThat(WorkLease.begin(lease, Place.ANYWHERE)).isSameAs(WorkLease.begin(lease, Place.ANYWHERE));
    }

    /** It is not known which threads it runs on, and only its lease is its own. */
    @Test
    void workAnywhere_keepsItsLease_andNoOther() {
        WorkLease lease = acquired("n");
        WorkLease.Work work = WorkLease.begin(lease, Place.ANYWHERE);
        Lease besides = acquired("besides");
        work.close();
        WorkLease.begin(lease, Place.ANYWHERE);

        one.core.context().over();
        one.core.arbiters().all().forEach(Arbiter::close);

        assertThat(lease.isValid()).isTrue();
        assertThat(besides.isValid()).isFalse();
    }
}
