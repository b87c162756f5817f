package dev.interlock.testkit.contract.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedSemaphore;
import dev.interlock.LockStatus;
import dev.interlock.barrier.BrokenGenerationException;
import dev.interlock.barrier.BrokenGenerationException.Reason;
import dev.interlock.barrier.DistributedDoubleBarrier;
import dev.interlock.barrier.DistributedDoubleBarrier.Membership;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The double barrier: all begin when the last has entered, and go on when the last has left or died. */
interface DoubleBarrierContract extends KindsFixture {

    private List<DistributedDoubleBarrier> doubleBarriers(int clients, int parties) {
        String name = clients().name();
        List<DistributedDoubleBarrier> barriers = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            barriers.add(DistributedDoubleBarrier.of(clients().open(), name, parties));
        }
        return barriers;
    }

    private DistributedSemaphore members(String name) {
        return clients().open().semaphore("double-barrier:" + name, 1);
    }

    private static List<Membership> enter(List<DistributedDoubleBarrier> barriers) {
        List<Caller<Membership>> entering =
                barriers.stream().map(each -> Caller.start(each::enter)).toList();
        return BarrierContract.results(entering);
    }

    /** How many are leaving, and wait for the others. */
    private static long leaving(DistributedSemaphore members) {
        return members.inspect().holders().stream()
                .filter(each -> each.mode() instanceof Mode.Permits permits && permits.count() == 1)
                .count();
    }

    private static void awaitLeaving(DistributedSemaphore members, int count) {
        Awaitility.await().until(() -> leaving(members) == count);
    }

    @Test
    default void doubleBarrier_allEnterTogether_andLeaveTogether() {
        List<DistributedDoubleBarrier> all = doubleBarriers(3, 3);
        DistributedSemaphore members = members(all.get(0).name());
        List<Membership> inside = enter(all);
        assertThat(inside.stream().map(Membership::generation).distinct()).hasSize(1);
        assertThat(inside).allMatch(each -> each.lease().isValid());
        assertThat(all.get(0).waiting()).isZero();

        Caller<Boolean> first = Caller.startAction(inside.get(0)::leave);
        Caller<Boolean> second = Caller.startAction(inside.get(1)::leave);
        awaitLeaving(members, 2);
        assertThat(first.isDone() || second.isDone()).isFalse();
        Caller.startAction(inside.get(2)::leave).result();

        first.result();
        second.result();
        assertThat(members.inspect().holders()).isEmpty();
        assertThatThrownBy(inside.get(0)::leave)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(all.get(0).name());
    }

    /** It waits for the next generation, whatever those inside do, and does not keep them inside. */
    @Test
    default void doubleBarrier_lateEntrant_isNotPartOfThoseInside() {
        List<DistributedDoubleBarrier> all = doubleBarriers(4, 2);
        List<Membership> inside = enter(all.subList(0, 2));
        Caller<Membership> late = Caller.start(all.get(2)::enter);
        Awaitility.await()
                .until(() -> members(all.get(0).name()).inspect().waiters().size() == 1);

        Caller<Boolean> first = Caller.startAction(inside.get(0)::leave);
        awaitLeavingOf(inside.get(0), all.get(0).name());
        assertThat(late.isDone()).isFalse();
        Caller.startAction(inside.get(1)::leave).result();
        first.result();

        Awaitility.await().until(() -> all.get(3).waiting() == 1);
        assertThat(late.isDone()).isFalse();
        Membership last = Caller.start(all.get(3)::enter).result();
        Membership next = late.result();
        assertThat(next.generation())
                .isEqualTo(last.generation())
                .isGreaterThan(inside.get(0).generation());
        next.close();
        last.close();
        assertThat(next.lease().isValid()).isFalse();
    }

    private void awaitLeavingOf(Membership membership, String name) {
        DistributedSemaphore members = members(name);
        Awaitility.await().until(() -> members.inspect().holders().stream()
                .filter(each -> each.token() == membership.lease().token())
                .allMatch(each -> each.mode() instanceof Mode.Permits permits && permits.count() == 1));
    }

    @Test
    default void doubleBarrier_memberThatDies_keepsNobodyInside() {
        List<DistributedDoubleBarrier> all = doubleBarriers(3, 3);
        DistributedSemaphore members = members(all.get(0).name());
        List<Membership> inside = enter(all);
        Caller<Boolean> first = Caller.startAction(inside.get(0)::leave);
        Caller<Boolean> second = Caller.startAction(inside.get(1)::leave);
        awaitLeaving(members, 2);

        String dead = members.inspect().holders().stream()
                .filter(each -> each.token() == inside.get(2).lease().token())
                .map(LockStatus.Holder::owner)
                .findFirst()
                .orElseThrow();
        assertThat(members.release(dead)).isTrue();

        first.result();
        second.result();
        inside.get(2).close();
    }

    @Test
    default void doubleBarrier_memberThatGivesUpLeaving_hasLeft() throws Exception {
        List<DistributedDoubleBarrier> both = doubleBarriers(2, 2);
        List<Membership> inside = enter(both);

        assertThat(inside.get(0).leave(Duration.ofMillis(30))).isFalse();

        assertThat(inside.get(0).lease().isValid()).isFalse();
        inside.get(1).leave();
    }

    @Test
    default void doubleBarrier_entrantThatGivesUp_breaksItForTheOthers() {
        List<DistributedDoubleBarrier> all = doubleBarriers(3, 3);
        Caller<Membership> first = Caller.start(all.get(0)::enter);
        Awaitility.await().until(() -> all.get(2).waiting() == 1);
        Caller<Membership> second = Caller.start(all.get(1)::enter);
        Awaitility.await().until(() -> all.get(2).waiting() == 2);

        second.interrupt();

        assertThat(second.failure()).isInstanceOf(InterruptedException.class);
        assertThat(first.failure())
                .isInstanceOfSatisfying(BrokenGenerationException.class, failure -> assertThat(failure.reason())
                        .isEqualTo(Reason.INTERRUPTED));
        enter(all).forEach(Membership::close);
    }

    /**
     * Invariant: while anybody works inside, everybody of its generation has entered, and nobody of another is inside.
     */
    @Test
    default void doubleBarrier_manyRounds_neverMixTwoGenerations() {
        int parties = 3;
        int rounds = BarrierContract.CYCLES;
        List<DistributedDoubleBarrier> all = doubleBarriers(parties, parties);
        AtomicInteger inside = new AtomicInteger();
        List<Caller<Boolean>> callers = new ArrayList<>();
        for (DistributedDoubleBarrier barrier : all) {
            callers.add(Caller.start(() -> {
                for (int round = 0; round < rounds; round++) {
                    Membership membership = barrier.enter();
                    assertThat(inside.incrementAndGet()).isBetween(1, parties);
                    while (inside.get() < parties && round % 2 == 0) {
                        TimeUnit.MILLISECONDS.sleep(1);
                    }
                    assertThat(membership.lease().isValid()).isTrue();
                    membership.leave();
                    inside.decrementAndGet();
                    while (inside.get() > 0 && round % 2 == 0) {
                        TimeUnit.MILLISECONDS.sleep(1);
                    }
                }
                return true;
            }));
        }
        BarrierContract.results(callers);
    }
}
