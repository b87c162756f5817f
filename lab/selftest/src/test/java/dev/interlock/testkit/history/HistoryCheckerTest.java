package dev.interlock.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The checker passes true exclusion, and each negative control breaks one rule that it must name. */
class HistoryCheckerTest {

    private static final int THREADS = 4;

    private final HistoryChecker history = new HistoryChecker();

    @Test
    void holdsOneAfterTheOther_pass() {
        add("a", 1, 0, 10);
        add("b", 2, 10, 20);
        add("a", 7, 25, 25);

        history.check();
        assertThat(history.size()).isEqualTo(3);
    }

    @Test
    void namesAreSeparate() {
        history.add(new Hold("one", "a", 5, 0, 100));
        history.add(new Hold("two", "b", 1, 50, 60));

        history.check();
    }

    @Test
    void orderOfAddingDoesNotMatter() {
        add("b", 2, 10, 20);
        add("a", 1, 0, 10);

        history.check();
    }

    @Test
    void aClockThatWraps_isNoViolation() {
        add("a", 1, Long.MAX_VALUE - 5, Long.MIN_VALUE + 5);
        add("b", 2, Long.MIN_VALUE + 6, Long.MIN_VALUE + 9);

        history.check();
    }

    @Test
    void negativeControl_overlap() {
        add("a", 1, 0, 10);
        add("b", 2, 9, 20);

        assertThat(history.violations()).singleElement().asString().startsWith("overlap of 1 ns");
    }

    @Test
    void negativeControl_overlapWithALongHold_behindAShortOne() {
        add("a", 1, 0, 100);
        add("b", 2, 10, 20);
        add("c", 3, 50, 60);

        assertThat(history.violations()).hasSize(2).allMatch(violation -> violation.startsWith("overlap"));
    }

    @Test
    void negativeControl_smallerToken() {
        add("a", 2, 0, 10);
        add("b", 1, 10, 20);

        assertThat(history.violations()).singleElement().asString().startsWith("token does not increase");
    }

    @Test
    void negativeControl_twoOwnersOfOneToken() {
        add("a", 1, 0, 10);
        add("b", 1, 10, 20);

        assertThat(history.violations()).anyMatch(violation -> violation.equals("token 1 has two owners: a and b"));
    }

    @Test
    void negativeControl_repeatedTokenOfOneOwner() {
        add("a", 1, 0, 10);
        add("a", 1, 10, 20);

        assertThat(history.violations()).singleElement().asString().startsWith("token does not increase");
    }

    @Test
    void negativeControl_emptyHistory() {
        assertThatThrownBy(history::check).isInstanceOf(AssertionError.class).hasMessageContaining("empty");
    }

    @Test
    void negativeControl_threadsWithoutALock_areCaught() throws Exception {
        // Nobody leaves before all have come in, so that they do overlap, however the threads are scheduled.
        CyclicBarrier allInside = new CyclicBarrier(THREADS);
        race(() -> {}, () -> await(allInside), () -> {});

        assertThatThrownBy(history::check).isInstanceOf(AssertionError.class).hasMessageContaining("violations among");
    }

    @Test
    void threadsUnderALock_pass() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        race(lock::lock, () -> {}, lock::unlock);

        history.check();
    }

    @Test
    void aHoldGoesThroughALine() {
        Hold hold = new Hold("n", "owner with spaces", 7, -5, 6);

        assertThat(Hold.ofLine("n", hold.toLine())).isEqualTo(hold);
        assertThatIllegalArgumentException().isThrownBy(() -> Hold.ofLine("n", "1 2"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Hold("n", "o", 1, 5, 4));
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException("The threads do not meet", e);
        }
    }

    private void race(Runnable lock, Runnable inside, Runnable unlock) throws InterruptedException {
        long[] token = {0};
        Thread[] threads = IntStream.range(0, THREADS)
                .mapToObj(i -> new Thread(() -> {
                    for (int round = 0; round < 500; round++) {
                        lock.run();
                        long begin = System.nanoTime();
                        inside.run();
                        history.addUntilNow("n", "t" + i, ++token[0], begin);
                        unlock.run();
                    }
                }))
                .toArray(Thread[]::new);
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void add(String owner, long token, long begin, long end) {
        history.add(new Hold("n", owner, token, begin, end));
    }
}
