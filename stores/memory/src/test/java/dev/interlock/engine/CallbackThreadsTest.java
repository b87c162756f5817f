package dev.interlock.engine;

import static dev.interlock.engine.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many threads callbacks get, and when these end. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CallbackThreadsTest {

    /** Those that were made, in their order. */
    private final List<Thread> made = new CopyOnWriteArrayList<>();

    private final CallbackThreads threads = new CallbackThreads() {
        @Override
        void start(Thread thread) {
            made.add(thread);
            super.start(thread);
        }
    };

    /** Its threads start when the test says so: until then tasks are queued, and nobody is idle. */
    private final CallbackThreads unstarted = new CallbackThreads() {
        @Override
        void start(Thread thread) {
            made.add(thread);
        }
    };

    private final AtomicInteger begun = new AtomicInteger();
    private final CountDownLatch blocked = new CountDownLatch(1);

    @AfterEach
    void close() {
        blocked.countDown();
        threads.close();
    }

    /** They keep no JVM alive, whoever caused them. */
    @Test
    void aFewDaemonsAreMade() throws InterruptedException {
        Thread user = new Thread(() -> queue(5));
        user.setDaemon(false);
        user.start();
        user.join();
        assertThat(made)
                .extracting(Thread::getName)
                .containsExactly(
                        "interlock-callback-0", "interlock-callback-1", "interlock-callback-2", "interlock-callback-3");
        assertThat(made).allMatch(Thread::isDaemon);
    }

    @Test
    void blockedThreadsStayAFew_untilSomebodyRelievesThem() {
        for (int i = 0; i < 4; i++) {
            threads.execute(this::block);
        }
        await().until(() -> begun.get() == 4);
        threads.execute(this::block);
        assertThat(made).hasSize(4);
        assertThat(threads.isBehind()).isTrue();

        // Four tasks have been taken before the first look, none before the second.
        threads.relieve();
        assertThat(made).hasSize(4);
        threads.relieve();

        assertThat(made).as("as many as there are tasks").hasSize(5);
        await().until(() -> begun.get() == 5);
    }

    /** It would take the task a second later, when it looks whether it has been idle for long. */
    @Test
    void aTaskWakesAnIdleThread() {
        whileOneIsIdle(idle -> {
            threads.execute(begun::incrementAndGet);
            assertThat(idle.getState()).as("awake, and held up by this test").isEqualTo(Thread.State.BLOCKED);
        });
        await().until(() -> begun.get() == 1);
    }

    @Test
    void aTaskThatAnIdleThreadWillTake_needsNoOther() {
        whileOneIsIdle(idle -> {
            // From here on none has been taken.
            threads.relieve();
            int before = made.size();

            threads.execute(begun::incrementAndGet);
            assertThat(threads.isBehind()).isFalse();
            threads.relieve();
            threads.close();

            assertThat(made).hasSize(before);
        });
        await().until(() -> begun.get() == 1);
    }

    /** Until then it is ready for the next task. A thread that has ended makes room for another. */
    @Test
    void anIdleThreadEndsByItself_andIsReplaced() {
        threads.execute(begun::incrementAndGet);
        await().until(() -> begun.get() == 1 && made.get(0).getState() == Thread.State.TERMINATED);

        for (int i = 0; i < 4; i++) {
            threads.execute(this::block);
        }
        assertThat(made).hasSize(5);
        await().until(() -> begun.get() == 5);
        threads.execute(this::block);
        assertThat(made).as("not one more than a few").hasSize(5);
    }

    @Test
    void close_endsAnIdleThreadAtOnce() {
        Thread[] ended = new Thread[1];
        whileOneIsIdle(idle -> {
            ended[0] = idle;
            threads.close();
            assertThat(idle.getState()).as("awake, and held up by this test").isEqualTo(Thread.State.BLOCKED);
        });
        await().until(() -> !ended[0].isAlive());
    }

    @Test
    void close_givesEachTaskAThread() {
        queue(6);

        unstarted.close();

        assertThat(made).hasSize(4 + 6);
        made.forEach(Thread::start);
        await().until(() -> begun.get() == 6 && made.stream().noneMatch(Thread::isAlive));
    }

    @Test
    void close_makesNoMoreThanAHundredThreads() {
        queue(200);
        unstarted.close();
        assertThat(made).hasSize(4 + 100);
    }

    /** A completion may come late, and nobody relieves the threads any more. */
    @Test
    void taskAfterTheClose_getsAThread_whateverTheOthersDo() {
        for (int i = 0; i < 4; i++) {
            threads.execute(this::block);
        }
        await().until(() -> begun.get() == 4);
        threads.close();

        threads.execute(this::block);
        threads.execute(this::block);

        await().until(() -> begun.get() == 6);
    }

    /** The first of them keeps the idle thread: the second must not wait for somebody to find that out. */
    @Test
    void twoTasksAtOnce_areNotLeftToOneIdleThread() {
        whileOneIsIdle(idle -> {
            threads.execute(this::block);
            threads.execute(this::block);
        });
        await().until(() -> begun.get() == 2);
    }

    private void queue(int tasks) {
        for (int i = 0; i < tasks; i++) {
            unstarted.execute(begun::incrementAndGet);
        }
    }

    private void block() {
        begun.incrementAndGet();
        try {
            blocked.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Does this while the only thread is idle, and can do nothing, since the test has the monitor. A machine that
     * stands still for a second lets the thread end: then there has to be another.
     */
    private void whileOneIsIdle(Consumer<Thread> action) {
        threads.execute(() -> {});
        await().pollInSameThread().until(() -> {
            synchronized (threads) {
                Thread last = made.get(made.size() - 1);
                if (last.getState() == Thread.State.TIMED_WAITING) {
                    action.accept(last);
                    return true;
                }
                if (last.getState() == Thread.State.TERMINATED) {
                    threads.execute(() -> {});
                }
                return false;
            }
        });
    }
}
