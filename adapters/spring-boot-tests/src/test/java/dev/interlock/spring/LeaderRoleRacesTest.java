package dev.interlock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LeadershipEnd;
import dev.interlock.spi.WorkLease;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.Race;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A method of the leader begins and returns while the leadership ends. */
@Tag(Effort.SCALED)
class LeaderRoleRacesTest {

    private static final LeadershipEnd END = new LeadershipEnd(LeadershipEnd.Reason.ABDICATED, null);

    private static final WorkLease LEASE = (WorkLease) Proxy.newProxyInstance(
            WorkLease.class.getClassLoader(),
            new Class<?>[] {WorkLease.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "isValid" -> true;
                case "begin" -> (WorkLease.Work) () -> {};
                default -> throw new UnsupportedOperationException(method.getName());
            });

    /** A leadership, and what was seen of its end. */
    private static final class Leadership {
        private final LeaderRole role = new LeaderRole("race", event -> {});
        private volatile boolean inside;
        private boolean overtaken;
        private boolean interrupted;

        private Leadership() {
            role.elected(LEASE);
        }

        private void call() {
            LeaderRole.Entry entry = role.enter();
            if (entry != null) {
                inside = true;
                inside = false;
                role.leave(entry);
            }
            interrupted = Thread.interrupted();
        }

        private void end() {
            role.ended(LEASE, END);
            overtaken = inside || role.enter() != null;
        }
    }

    /** Planted: a method that returns notifies nobody; the end interrupts outside the monitor. */
    @Test
    void methodAtTheEnd_isAwaited_andNotInterruptedAfter() {
        Race.run(Leadership::new, Leadership::call, Leadership::end, leadership -> {
            assertThat(leadership.overtaken).as("a method runs after the end").isFalse();
            assertThat(leadership.interrupted)
                    .as("a thread is interrupted after its method")
                    .isFalse();
        });
    }
}
