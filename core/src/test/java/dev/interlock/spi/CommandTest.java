package dev.interlock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Party;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandTest {

    private static final OwnerId OWNER = OwnerId.of("client", 1);

    private static final Map<Capability, List<Command.Action>> ACTIONS = Map.of(
            Capability.SEMAPHORE,
            List.of(new Command.Resize(2), new Command.AddPermits(1, 2), new Command.KeepPermits(1)),
            Capability.LATCH,
            List.of(new Command.SetCount(2), new Command.CountDown()),
            Capability.REVOCATION,
            List.of(new Command.RequestRevocation()));

    @Test
    void everyAction_isOfTheKindsThatItsCapabilityIsFor() {
        assertThat(ACTIONS.values().stream().flatMap(List::stream).map(Object::getClass))
                .containsExactlyInAnyOrder(Command.Action.class.getPermittedSubclasses());
        ACTIONS.forEach((capability, actions) -> actions.forEach(action -> {
            assertThat(Capability.neededFor(action)).isEqualTo(capability);
            for (LockKind kind : LockKind.values()) {
                if (kindsWith(capability).contains(kind)) {
                    assertThat(command(kind, action).action()).isSameAs(action);
                } else {
                    assertThatThrownBy(() -> command(kind, action))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessage("This kind of lock has no such action: kind=" + kind + ", action=" + action
                                    + ", name=n");
                }
            }
        }));
    }

    private static List<LockKind> kindsWith(Capability capability) {
        return capability == Capability.REVOCATION
                ? List.of(LockKind.LOCK, LockKind.READ_WRITE)
                : List.of(LockKind.valueOf(capability.name()));
    }

    private static Command command(LockKind kind, Command.Action action) {
        return new Command(new LockId("n", kind), action, OWNER, Duration.ofSeconds(30), Party.UNKNOWN);
    }
}
