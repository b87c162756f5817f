package dev.interlock.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class EveryVerbTest {

    private final MemoryStore memory = new MemoryStore();

    /** Sees what is asked, and fails what it is told to. */
    private final class Watched extends WrappedStore {
        private final Set<Verb> verbs = EnumSet.noneOf(Verb.class);
        private final Set<Class<?>> modes = new HashSet<>();
        private final Set<Class<?>> actions = new HashSet<>();
        private final EnumSet<Verb> failing = EnumSet.noneOf(Verb.class);

        Watched() {
            super(memory);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim) {
            modes.add(claim.mode().getClass());
            return super.acquire(claim);
        }

        @Override
        public CompletionStage<Boolean> execute(Command command) {
            actions.add(command.action().getClass());
            return super.execute(command);
        }

        @Override
        <T> CompletionStage<T> ask(Verb verb, Supplier<CompletionStage<T>> request) {
            verbs.add(verb);
            return failing.contains(verb)
                    ? CompletableFuture.failedFuture(new IllegalStateException("refused by the test"))
                    : request.get();
        }
    }

    @Test
    void asksForEveryVerb_inEveryMode_withEveryAction() {
        Watched store = new Watched();

        assertThat(failures(store)).isEmpty();

        assertThat(store.verbs).containsExactlyInAnyOrder(Verb.values());
        assertThat(store.modes).containsExactlyInAnyOrder(Mode.class.getPermittedSubclasses());
        assertThat(store.actions).containsExactlyInAnyOrder(Command.Action.class.getPermittedSubclasses());
    }

    @Test
    void returnsWhatHasFailed() {
        Watched store = new Watched();
        store.failing.add(Verb.LIST);

        Map<String, Throwable> failures = failures(store);

        assertThat(failures).containsOnlyKeys("list");
        assertThat(failures.get("list")).hasMessage("refused by the test");
    }

    private Map<String, Throwable> failures(LockStore store) {
        return EveryVerb.failures(new BlockingClient(store), new BlockingClient(memory), "every");
    }
}
