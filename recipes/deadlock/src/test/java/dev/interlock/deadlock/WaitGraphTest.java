package dev.interlock.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.deadlock.WaitGraph.Circle;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who is stuck, and who closed the circle, without a store. */
class WaitGraphTest {

    private final Map<LockId, LockStatus> names = new HashMap<>();
    private final List<Wait> waits = new ArrayList<>();

    @Test
    void theLastComer_closedTheCircle_andNobodyElse() {
        Wait a = waits("a", "2", "1");
        Wait b = waits("b", "3", "2");
        Wait c = waits("c", "1", "3");

        assertThat(closedBy(c)).isNotNull();
        assertThat(circleOf(c)).containsExactly(c, a, b);
        assertThat(closedBy(a)).isNull();
        assertThat(closedBy(b)).isNull();
    }

    @Test
    void whoOnlyWaitsForACircle_isNotInIt() {
        waits("a", "2", "1");
        Wait b = waits("b", "1", "2");
        Wait outside = waits("c", "1", "3");

        assertThat(closedBy(outside)).isNull();
        assertThat(closedBy(b)).isNotNull();
    }

    @Test
    void holderThatIsNotKnownToWait_stopsNobody() {
        Wait a = waits("a", "2", "1");
        held(LockId.lock("2"), "x", 2, Mode.exclusive());

        assertThat(closedBy(a)).isNull();
    }

    /** The record is older than the claim of the name. */
    @Test
    void claimThatAnotherHoldsNow_isNotInTheWay() {
        waits("a", "2", "1");
        Wait b = waits("b", "1", "2");
        held(LockId.lock("2"), "x", 99, Mode.exclusive());

        assertThat(closedBy(b)).isNull();
    }

    @Test
    void nameThatWasNotLookedAt_stopsNobody() {
        waits("a", "2", "1");
        Wait b = waits("b", "1", "2");
        names.remove(LockId.lock("1"));

        assertThat(closedBy(b)).isNull();
    }

    @Test
    void waitForOneself_isACircleOfOne() {
        Wait a = waits("a", "1", "1");

        assertThat(circleOf(a)).containsExactly(a);
    }

    @Test
    void readers_areNotInTheWayOfReaders() {
        LockId shared = new LockId("rw", LockKind.READ_WRITE);
        wait("a", LockId.lock("1"), Mode.exclusive(), new Hold(shared, 5, true));
        held(shared, "a", 5, Mode.shared());
        Wait reader = wait("b", shared, Mode.shared(), new Hold(LockId.lock("1"), 6, false));
        held(LockId.lock("1"), "b", 6, Mode.exclusive());
        assertThat(closedBy(reader)).isNull();

        Wait writer = wait("b", shared, Mode.exclusive(), new Hold(LockId.lock("1"), 6, false));
        assertThat(closedBy(writer)).isNotNull();
    }

    @Test
    void readerBehindAWriterThatIsListedBefore_waitsForIt() {
        LockId shared = new LockId("rw", LockKind.READ_WRITE);
        Wait holder = wait("a", LockId.lock("1"), Mode.exclusive(), new Hold(shared, 5, true));
        Wait writer = wait("w", shared, Mode.exclusive());
        Wait reader = wait("b", shared, Mode.shared(), new Hold(LockId.lock("1"), 6, false));
        held(LockId.lock("1"), "b", 6, Mode.exclusive());

        names.put(shared, status(shared, List.of(holder("a", 5, Mode.shared())), List.of("w x", "b s")));
        assertThat(circleOf(reader)).containsExactly(reader, writer, holder);
        names.put(shared, status(shared, List.of(holder("a", 5, Mode.shared())), List.of("b s", "w x")));
        assertThat(closedBy(reader)).as("before it").isNull();
        names.put(shared, status(shared, List.of(holder("a", 5, Mode.shared())), List.of("w x")));
        assertThat(closedBy(reader)).as("its own place is unknown").isNull();
        names.put(shared, status(shared, List.of(holder("a", 5, Mode.shared())), List.of("u x", "b s")));
        assertThat(closedBy(reader))
                .as("a writer of which nothing is known may give up")
                .isNull();
    }

    @Test
    void semaphore_countsThePermitsOfThoseThatAreStuck() {
        LockId permits = new LockId("s", LockKind.SEMAPHORE);
        wait("a", LockId.lock("1"), Mode.exclusive(), new Hold(permits, 5, false));
        names.put(
                permits,
                status(
                        permits,
                        List.of(holder("a", 5, new Mode.Permits(2, 4)), holder("x", 6, new Mode.Permits(2, 4))),
                        List.of()));
        Wait few = wait("b", permits, new Mode.Permits(2, 4), new Hold(LockId.lock("1"), 7, false));
        held(LockId.lock("1"), "b", 7, Mode.exclusive());
        assertThat(closedBy(few)).as("two permits come back").isNull();

        waits.remove(few);
        Wait many = wait("b", permits, new Mode.Permits(3, 4), new Hold(LockId.lock("1"), 7, false));
        assertThat(closedBy(many)).isNotNull();
    }

    /** Permits pass on inside a process, past the queue of the store. */
    @Test
    void permitsOfItsOwnProcess_mayBeHandedOver() {
        LockId permits = new LockId("s", LockKind.SEMAPHORE);
        wait("a", LockId.lock("1"), Mode.exclusive(), new Hold(permits, 5, false));
        Wait wanting = wait("b", permits, new Mode.Permits(1, 1), new Hold(LockId.lock("1"), 7, false));
        held(LockId.lock("1"), "b", 7, Mode.exclusive());
        names.put(
                permits,
                status(
                        permits,
                        List.of(holder("a", 5, new Mode.Permits(1, 1)), holder("b", 6, new Mode.Permits(1, 1))),
                        List.of()));

        assertThat(closedBy(wanting)).isNull();
    }

    // ---- making

    /** A client that holds one lock and waits for another. */
    private Wait waits(String client, String wanted, String held) {
        Hold hold = new Hold(LockId.lock(held), Long.parseLong(held), false);
        held(hold.id(), client, hold.fence(), Mode.exclusive());
        return wait(client, LockId.lock(wanted), Mode.exclusive(), hold);
    }

    /** Each of a thousand asks about the places of all, which are read once. */
    @Test
    void lineOfAName_isReadOnce_howeverManyWaitInIt() {
        LockId shared = new LockId("rw", LockKind.READ_WRITE);
        List<LockStatus.Waiter> listed = new ArrayList<>();
        wait("a", LockId.lock("1"), Mode.exclusive(), new Hold(shared, 5, true));
        Wait writer = wait("w", shared, Mode.exclusive());
        listed.add(new LockStatus.Waiter("w:1", Party.UNKNOWN, Mode.fair(), Duration.ZERO));
        for (int i = 0; i < 1000; i++) {
            wait("r" + i, shared, Mode.shared());
            listed.add(new LockStatus.Waiter("r" + i + ":1", Party.UNKNOWN, Mode.shared(), Duration.ZERO));
        }
        Wait last = wait("b", shared, Mode.shared(), new Hold(LockId.lock("1"), 6, false));
        listed.add(new LockStatus.Waiter("b:1", Party.UNKNOWN, Mode.shared(), Duration.ZERO));
        held(LockId.lock("1"), "b", 6, Mode.exclusive());
        names.put(
                shared,
                new LockStatus(shared.name(), shared.kind(), List.of(holder("a", 5, Mode.shared())), listed, 1));
        AtomicInteger read = new AtomicInteger();

        WaitGraph graph = new WaitGraph(names, waits, status -> {
            read.incrementAndGet();
            return Places.of(status);
        });

        assertThat(graph.closedBy(last)).isNotNull();
        assertThat(graph.isStuck(writer)).isTrue();
        assertThat(read).hasValue(1);
    }

    private Wait wait(String client, LockId id, Mode mode, Hold... holds) {
        long number = waits.size() + 1L;
        Wait wait = new Wait(client, number, id, mode, 2 * number, 2 * number + 1, number, "t", List.of(holds));
        waits.add(wait);
        return wait;
    }

    private void held(LockId id, String client, long fence, Mode mode) {
        names.put(id, status(id, List.of(holder(client, fence, mode)), List.of()));
    }

    private static LockStatus.Holder holder(String client, long fence, Mode mode) {
        return new LockStatus.Holder(client + ":1", Party.UNKNOWN, mode, Duration.ZERO, Duration.ZERO, fence * 1024);
    }

    /** @param waiters clients and what they want */
    private static LockStatus status(LockId id, List<LockStatus.Holder> holders, List<String> waiters) {
        List<LockStatus.Waiter> listed = waiters.stream()
                .map(text -> new LockStatus.Waiter(
                        text.charAt(0) + ":2",
                        Party.UNKNOWN,
                        text.endsWith("s") ? Mode.shared() : Mode.fair(),
                        Duration.ZERO))
                .toList();
        int count = holders.stream()
                .mapToInt(holder -> holder.mode() instanceof Mode.Permits permits ? permits.capacity() : 1)
                .max()
                .orElse(1);
        return new LockStatus(id.name(), id.kind(), holders, listed, count);
    }

    /** The circle that this wait closed; empty if there is none. */
    private List<Wait> circleOf(Wait wait) {
        Circle circle = closedBy(wait);
        return circle == null ? List.of() : circle.members();
    }

    private @Nullable Circle closedBy(Wait wait) {
        return new WaitGraph(names, waits).closedBy(wait);
    }
}
