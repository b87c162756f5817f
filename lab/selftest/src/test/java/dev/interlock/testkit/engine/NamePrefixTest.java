package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is refused of a prefix of names, and of names with it. */
class NamePrefixTest {

    @Test
    void nameTooLongWithThePrefix_isRefused_asTheCallerWroteIt() {
        try (Interlock client =
                Interlock.builder(new MemoryStore()).namePrefix("p".repeat(500)).build()) {
            String longest = "n".repeat(12);
            client.lock(longest);
            for (Runnable use : List.<Runnable>of(
                    () -> client.lock(longest + 'x'),
                    () -> client.readWriteLock(longest + 'x'),
                    () -> client.semaphore(longest + 'x', 1),
                    () -> client.latch(longest + 'x'),
                    () -> client.administration().inspect(longest + 'x'),
                    () -> client.administration().forceUnlock(new LockStatus(longest + 'x', List.of(), List.of())))) {
                assertThatThrownBy(use::run)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("prefix")
                        .hasMessageContaining("512");
            }
            // The rule of a name by itself comes first.
            assertThatThrownBy(() -> client.lock(""))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("A lock name must not be empty");
        }
    }

    @Test
    void prefixThatNoNameCanHave_isRefused() {
        InterlockBuilder builder = Interlock.builder(new MemoryStore());
        assertThatThrownBy(() -> builder.namePrefix("p".repeat(512)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix");
        assertThatThrownBy(() -> builder.namePrefix("\ud800"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix");
        builder.build().close();
    }

    /** The store in memory says it before it answers. */
    @Test
    void retainedLock_isGivenBack_whenAnotherClientWantsIt() throws Exception {
        MemoryStore store = new MemoryStore();
        try (Interlock other = Interlock.builder(store.session()).build();
                Interlock client = Interlock.builder(store)
                        .namePrefix("p:")
                        .lockOptions(LockOptions.builder()
                                .retained(Duration.ofHours(1))
                                .build())
                        .build()) {
            client.lock("n").acquire().close();
            assertThat(other.lock("p:n").tryAcquire()).isEmpty();
            assertThat(other.lock("p:n").tryAcquire()).isPresent();
        }
    }

    /** A lock of another client whose name is the prefix is no lock without a name here. */
    @Test
    void lockNamedLikeThePrefix_isNotListed() throws Exception {
        MemoryStore store = new MemoryStore();
        try (Interlock other = Interlock.builder(store.session()).build();
                Interlock client = Interlock.builder(store).namePrefix("p:").build();
                Lease theirs = other.lock("p:").acquire();
                Lease ours = client.lock("n").acquire()) {
            assertThat(other.administration().list("", 10))
                    .extracting(LockStatus::name)
                    .containsExactly(theirs.name(), "p:" + ours.name());
            assertThat(client.administration().list("", 10))
                    .extracting(LockStatus::name)
                    .containsExactly("n");
        }
    }
}
