package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.annotation.LockInterruptedException;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.LockedMethodException;
import dev.interlock.spring.LeaderOnly;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** What callers of a method get that does not run, and that an interrupt is no reason to skip it. */
class SkippedResultTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(InterlockAutoConfiguration.class))
            .withBean(Interlock.class, Interlock::inMemory);

    @Locked(value = "x", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
    static class Skipped {

        public void nothing() {}

        public int number() {
            return 7;
        }

        public boolean flag() {
            return true;
        }

        public @Nullable String text() {
            return "ran";
        }

        public String[] array() {
            return new String[] {"ran"};
        }

        public int[][] numbers() {
            return new int[1][1];
        }

        public List<String> list() {
            return List.of("ran");
        }

        public Collection<String> collection() {
            return List.of("ran");
        }

        public Set<String> set() {
            return Set.of("ran");
        }

        @SuppressWarnings("NonApiType") // it has an empty form of its own
        public TreeSet<String> tree() {
            return new TreeSet<>(Set.of("ran"));
        }

        public Map<String, String> map() {
            return Map.of("ran", "ran");
        }

        public SortedMap<String, String> sorted() {
            throw new AssertionError("ran");
        }

        public Optional<String> optional() {
            return Optional.of("ran");
        }

        public OptionalInt optionalInt() {
            return OptionalInt.of(7);
        }

        public CompletableFuture<List<String>> stageOfList() {
            return CompletableFuture.completedFuture(List.of("ran"));
        }

        public CompletableFuture<Optional<String>> stageOfOptional() {
            return CompletableFuture.completedFuture(Optional.of("ran"));
        }

        public CompletableFuture<@Nullable String> stageOfText() {
            return CompletableFuture.completedFuture("ran");
        }

        public Mono<List<String>> mono() {
            return Mono.just(List.of("ran"));
        }

        public Maybe<String> maybe() {
            return Maybe.just("ran");
        }
    }

    @Test
    void methodThatIsSkipped_givesNothingOfItsKind() {
        application.withBean(Skipped.class).run(context -> {
            Skipped skipped = context.getBean(Skipped.class);
            assertThat(skipped.list()).containsExactly("ran");
            try (Lease held = context.getBean(Interlock.class).lock("x").acquire()) {
                skipped.nothing();
                assertThat(skipped.number()).isZero();
                assertThat(skipped.flag()).isFalse();
                assertThat(skipped.text()).isNull();
                assertThat(skipped.array()).isEmpty();
                assertThat(skipped.numbers()).isEmpty();
                assertThat(skipped.list()).isEmpty();
                assertThat(skipped.collection()).isEmpty();
                assertThat(skipped.set()).isEmpty();
                assertThat(skipped.tree()).isEmpty();
                assertThat(skipped.map()).isEmpty();
                assertThat(skipped.sorted()).isEmpty();
                assertThat(skipped.optional()).isEmpty();
                assertThat(skipped.optionalInt()).isEmpty();
                assertThat(skipped.stageOfList().join()).isEmpty();
                assertThat(skipped.stageOfOptional().join()).isEmpty();
                assertThat(skipped.stageOfText().join()).isNull();
                assertThat(skipped.mono().blockOptional()).isEmpty();
                assertThat(skipped.maybe().blockingGet()).isNull();
                assertThat(held.isValid()).isTrue();
            }
        });
    }

    enum Color {
        RED
    }

    static class OfDeque {
        @Locked(value = "x", onBusy = Locked.OnBusy.SKIP)
        public @Nullable Deque<String> deque() {
            return null;
        }
    }

    static class OfEnumSet {
        @Locked(value = "x", onUnavailable = Locked.OnUnavailable.SKIP)
        public @Nullable EnumSet<Color> colors() {
            return null;
        }
    }

    static class OfSingle {
        @Locked(value = "x", onBusy = Locked.OnBusy.SKIP)
        public Single<String> single() {
            return Single.just("ran");
        }
    }

    static class OfLeader {
        @LeaderOnly("x")
        public @Nullable Deque<String> deque() {
            return null;
        }
    }

    @Test
    void resultThatHasNoEmptyForm_isRefusedAtTheStart() {
        assertRefused(OfDeque.class, "java.util.Deque", "declare a List");
        assertRefused(OfEnumSet.class, "java.util.EnumSet", "declare a List");
        assertRefused(OfSingle.class, "Single", "cannot be empty");
        assertRefused(OfLeader.class, "java.util.Deque", "declare a List");
    }

    private void assertRefused(Class<?> bean, String... mentioned) {
        application.withBean(bean).run(context -> assertThat(context.getStartupFailure())
                .rootCause()
                .isInstanceOf(LockedMethodException.class)
                .hasMessageContainingAll(mentioned));
    }

    // ---- interrupts

    static class Interrupted {

        private final AtomicInteger ran = new AtomicInteger();

        public int count() {
            return ran.get();
        }

        @Locked(value = "x", waitAtMost = "1h", onBusy = Locked.OnBusy.SKIP)
        public void skip() {
            ran.incrementAndGet();
        }

        @Locked(value = "x", waitAtMost = "1h", onBusy = Locked.OnBusy.FALLBACK, fallback = "count")
        public int fallBack() {
            return ran.incrementAndGet();
        }

        @Locked(value = "x", kind = Locked.Kind.PERMITS, waitAtMost = "1h", onBusy = Locked.OnBusy.SKIP)
        public void permit() {
            ran.incrementAndGet();
        }

        @Locked(value = "x", waitAtMost = "1h", onBusy = Locked.OnBusy.SKIP)
        public void declared() throws InterruptedException {
            ran.incrementAndGet();
            throw new InterruptedException("of the body");
        }
    }

    @Test
    void interruptWhileWaiting_isNoReasonToSkip() {
        application.withBean(Interrupted.class).run(context -> {
            Interrupted bean = context.getBean(Interrupted.class);
            try (Lease held = context.getBean(Interlock.class).lock("x").acquire()) {
                for (Runnable call : List.<Runnable>of(bean::skip, bean::fallBack, bean::permit)) {
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(call::run)
                            .isInstanceOf(LockInterruptedException.class)
                            .hasMessageContainingAll("interrupted", "[x]");
                    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
                }
                Thread.currentThread().interrupt();
                assertThatThrownBy(bean::declared).isInstanceOf(InterruptedException.class);
                assertThat(Thread.interrupted()).as("still interrupted").isFalse();
                assertThat(held.isValid()).isTrue();
            }
            assertThat(bean.count()).isZero();
        });
    }

    static class SkippedPublishers {
        @Locked(value = "x", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public Mono<Deque<String>> deque() {
            return Mono.just(new ArrayDeque<>(List.of("ran")));
        }
    }

    /** It is the publisher that is empty. */
    @Test
    void skippedPublisher_needsNoEmptyValue() {
        application.withBean(SkippedPublishers.class).run(context -> {
            assertThat(context).hasNotFailed();
            SkippedPublishers bean = context.getBean(SkippedPublishers.class);
            Lease busy = context.getBean(Interlock.class).lock("x").acquire();
            assertThat(bean.deque().blockOptional()).isEmpty();
            busy.close();
            assertThat(bean.deque().block()).containsExactly("ran");
        });
    }
}
