package dev.interlock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LeadershipEnd;
import dev.interlock.spi.WorkLease;
import dev.interlock.testkit.fixture.Caller;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The methods of a leadership that call each other. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaderRoleTest {

    private static final LeadershipEnd END = new LeadershipEnd(LeadershipEnd.Reason.ABDICATED, null);

    private static final WorkLease LEASE = (WorkLease) Proxy.newProxyInstance(
            WorkLease.class.getClassLoader(),
            new Class<?>[] {WorkLease.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "isValid" -> true;
                case "begin" -> (WorkLease.Work) () -> {};
                default -> throw new UnsupportedOperationException(method.getName());
            });

    private final LeaderRole role = new LeaderRole("nested", event -> {});

    private LeaderRole.Entry entered() {
        LeaderRole.@Nullable Entry entry = role.enter();
        return Objects.requireNonNull(entry, "the application leads");
    }

    /** A method that has called another one runs on when that returns: it is interrupted, and waited for. */
    @Test
    void methodThatHasCalledAnother_isInterrupted_andAwaited() {
        role.elected(LEASE);
        LeaderRole.Entry outer = entered();
        LeaderRole.Entry inner = entered();
        role.leave(inner);

        Caller<Boolean> ending = Caller.start(() -> {
            role.ended(LEASE, END);
            return true;
        });
        boolean interrupted = false;
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        assertThat(interrupted).isTrue();
        assertThat(ending.isDone()).as("the end waits for the outer method").isFalse();

        role.leave(outer);
        assertThat(ending.result()).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /** An interrupt that the method has not seen stays with the leadership. */
    @Test
    void interruptThatNobodyHasSeen_isTakenBack_byTheLastMethod() {
        role.elected(LEASE);
        LeaderRole.Entry outer = entered();
        LeaderRole.Entry inner = entered();
        Caller<Boolean> ending = Caller.start(() -> {
            role.ended(LEASE, END);
            return true;
        });
        while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }

        role.leave(inner);
        assertThat(Thread.currentThread().isInterrupted())
                .as("the outer method runs")
                .isTrue();
        role.leave(outer);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(ending.result()).isTrue();
    }
}
