package dev.interlock.testkit.contract.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.kind.StubbornWork.Form;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client that closes cannot end it does not give away: two never work under one lock. */
interface ClosingContract extends KindsFixture {

    /** The lock is free when the work has ended, and not before. */
    @ParameterizedTest
    @EnumSource(Form.class)
    default void closing_keepsTheLockOfWorkThatGoesOn(Form form) throws Exception {
        String name = clients().name();
        AtomicInteger atWork = new AtomicInteger();
        StubbornWork work = new StubbornWork(stubbornClient(), name, form, atWork);
        assertThat(work.awaitBegun(Patience.limit())).isTrue();
        DistributedLock other = clients().open().lock(name);
        Thread next = new Thread(() -> other.run(() -> atWork.addAndGet(10)));
        next.start();
        await().until(() -> atWork.get() != 1 || other.inspect().waiters().size() == 1);

        work.closeClient();

        assertThat(clients().open().lock(name).tryAcquire()).isEmpty();
        assertThat(other.inspect().holders()).hasSize(1);
        assertThat(atWork).hasValue(1);

        work.letGo();
        next.join();
        assertThat(atWork).hasValue(10);
    }

    /** It is one thread's work: what the body has locked besides is not given away either. */
    @Test
    default void closing_keepsWhatTheThreadOfSuchWorkHoldsBesides() throws Exception {
        Interlock client = stubbornClient();
        DistributedLock outer = client.lock(clients().name());
        DistributedLock inner = client.lock(clients().name());
        Interlock others = clients().open();
        List<Boolean> free = new ArrayList<>();
        outer.run(() -> {
            Lease plain = inner.tryAcquire().orElseThrow();
            client.close();
            for (DistributedLock lock : List.of(outer, inner)) {
                free.add(others.lock(lock.name()).tryAcquire().isPresent());
            }
            plain.close();
            free.add(others.lock(inner.name()).tryAcquire().isPresent());
        });
        assertThat(free).containsExactly(false, false, true);
        await().until(() -> others.lock(outer.name()).tryAcquire().isPresent());
    }

    /**
     * Leaders, candidates and bodies that end when they like, whose clients are closed at random. Their leases are
     * longer than their work.
     */
    @Tag(Effort.SCALED)
    @Tag(Effort.MINUTES)
    @Test
    default void closing_atRandom_neverLetsTwoWork() throws Exception {
        String name = clients().name();
        AtomicInteger atWork = new AtomicInteger();
        List<Integer> seen = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Random random = new Random();
            Thread thread = new Thread(() -> {
                for (int round = 0; round < Effort.pick(3, 300); round++) {
                    seen.add(workOnce(name, atWork, random));
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(seen).hasSize(3 * Effort.pick(3, 300)).contains(1).allMatch(most -> most <= 1);
    }

    private int workOnce(String name, AtomicInteger atWork, Random random) {
        List<Form> forms = List.of(Form.values());
        Form form = forms.get(random.nextInt(forms.size()));
        StubbornWork work = new StubbornWork(stubbornClient(), name, form, atWork);
        work.awaitBegun(Duration.ofMillis(random.nextInt(1000)));
        pause(random.nextInt(50));
        Thread closing = new Thread(work::closeClient);
        closing.start();
        pause(random.nextInt(300));
        work.letGo();
        try {
            closing.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return work.mostAtWork();
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
    }

    /** It has no patience when it closes. */
    private Interlock stubbornClient() {
        return clients().open(builder -> builder.closeTimeout(Duration.ofMillis(100)));
    }
}
