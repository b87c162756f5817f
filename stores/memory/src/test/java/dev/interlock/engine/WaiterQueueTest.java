package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import org.junit.jupiter.api.Test;

/** What a queue says of all who are in it, after each has come and gone. */
class WaiterQueueTest {

    private final WaiterQueue queue = new WaiterQueue();
    private final Waiter patient = new Caller(Mode.exclusive(), false, EngineClock.NEVER);
    private final Waiter timed = new Caller(Mode.exclusive(), false, 20);
    private final Waiter earlier = new Caller(Mode.exclusive(), false, 10);
    private final Waiter single = new Caller(Mode.exclusive(), true, EngineClock.NEVER);
    private final Waiter reader = new Caller(Mode.shared(), false, EngineClock.NEVER);

    @Test
    void timedAreCounted() {
        queue.add(patient);
        assertThat(queue.hasTimed()).isFalse();
        assertThat(queue.earliestDeadlineNanos()).isEqualTo(EngineClock.NEVER);
        queue.add(timed);
        queue.add(earlier);
        assertThat(queue.hasTimed()).isTrue();
        assertThat(queue.earliestDeadlineNanos()).isEqualTo(10);
        queue.remove(earlier);
        assertThat(queue.hasTimed()).isTrue();
        assertThat(queue.earliestDeadlineNanos()).isEqualTo(20);
        queue.remove(timed);
        assertThat(queue.hasTimed()).isFalse();
    }

    @Test
    void thoseWhoStayAreCounted_andTheirDeadlineIsNotWatched() {
        queue.add(single);
        queue.add(timed);
        assertThat(queue.hasOverdue()).isFalse();
        queue.stay(timed);
        assertThat(queue.hasOverdue()).isTrue();
        assertThat(queue.firstOverdue()).isSameAs(timed);
        assertThat(queue.hasTimed()).isFalse();
        assertThat(queue.earliestDeadlineNanos()).isEqualTo(EngineClock.NEVER);
        queue.remove(timed);
        assertThat(queue.hasOverdue()).isFalse();
    }

    @Test
    void sharedAreCounted() {
        queue.add(reader);
        assertThat(queue.isAllShared()).isTrue();
        queue.add(patient);
        assertThat(queue.isAllShared()).isFalse();
        queue.remove(reader);
        assertThat(queue.isAllShared()).isFalse();
        queue.remove(patient);
        assertThat(queue.isAllShared()).isTrue();
    }

    /** Whoever has left has been counted off. */
    @Test
    void whoIsRemovedTwice_isCountedOnce() {
        queue.add(timed);
        queue.add(earlier);
        queue.remove(timed);
        queue.remove(timed);
        assertThat(queue.hasTimed()).isTrue();
        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.contains(timed)).isFalse();
        assertThat(queue.first()).isEqualTo(earlier);
    }

    private static final class Caller extends Waiter {

        Caller(Mode mode, boolean singleAttempt, long deadlineNanos) {
            super(
                    new Request(
                            new LockId("n", LockKind.READ_WRITE),
                            mode,
                            LockOptions.defaults(),
                            LeaseTerm.renewing(),
                            null),
                    singleAttempt,
                    1,
                    deadlineNanos);
        }

        @Override
        boolean needsTimer() {
            return deadlineNanos() != EngineClock.NEVER;
        }

        @Override
        void notifyCaller() {}
    }
}
