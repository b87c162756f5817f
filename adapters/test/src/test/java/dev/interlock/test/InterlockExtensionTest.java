package dev.interlock.test;

import static dev.interlock.test.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import dev.interlock.Interlock;
import dev.interlock.LossCause;
import dev.interlock.testkit.fixture.TestFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The extension as JUnit runs it: what each test gets, and what a test fails with that leaves or wants too much. */
class InterlockExtensionTest {

    private static Events run(Class<?> tests, Map<String, String> parameters) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameters(parameters)
                .selectors(selectClass(tests))
                .execute()
                .testEvents();
    }

    private static void succeed(Class<?> tests, int number) {
        run(tests, Map.of()).assertStatistics(count -> count.started(number).succeeded(number));
    }

    private static void fails(Class<?> tests, Class<? extends Throwable> type, String... parts) {
        run(tests, Map.of())
                .assertThatEvents()
                .haveExactly(1, event(finishedWithFailure(instanceOf(type), message(text -> Set.of(parts).stream()
                        .allMatch(text::contains)))));
    }

    // ---- what each test gets

    @InterlockTest
    static class Fresh {

        @BeforeEach
        void isEmpty(Interlock interlock) {
            assertThat(interlock.lock("orders").isLocked()).isFalse();
        }

        @Test
        void once(Interlock interlock, Locks locks) {
            locks.hold("orders");
            assertThat(interlock.lock("orders").tryLock()).isFalse();
        }

        @RepeatedTest(2)
        void repeated(Locks locks, TestStore store) {
            locks.hold("orders");
            store.refuse();
        }

        @ParameterizedTest
        @ValueSource(strings = {"one", "two"})
        void withAParameter(String name, Interlock interlock, Locks locks) {
            locks.hold(name);
            assertThat(interlock.lock(name).tryLock()).isFalse();
        }

        @AfterEach
        void sameClient(Interlock interlock, Interlock again) {
            assertThat(interlock).isSameAs(again);
        }

        @Nested
        class Inner {

            @Test
            void hasItsOwn(Interlock interlock) {
                interlock.lock("orders").run(() -> assertThatLock("orders").isHeldByThisThread());
            }
        }
    }

    @Test
    void eachTest_hasAStoreOfItsOwn() {
        succeed(Fresh.class, 6);
    }

    @InterlockTest
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstance extends Fresh {}

    @Test
    void eachTest_hasAStoreOfItsOwn_inOneInstance() {
        succeed(OneInstance.class, 6);
    }

    static class OnOneMethod {

        @Test
        @InterlockTest
        void annotated(Interlock interlock) {
            interlock.lock("orders").run(() -> {});
        }

        @Test
        void notAnnotated() {}
    }

    @Test
    void theAnnotation_mayBeOnAMethod() {
        succeed(OnOneMethod.class, 2);
    }

    @InterlockTest
    @Execution(ExecutionMode.CONCURRENT)
    static class Parallel {

        private static final CyclicBarrier TOGETHER = new CyclicBarrier(2);
        private static final Set<Interlock> CLIENTS = ConcurrentHashMap.newKeySet();

        private static void meet(Interlock interlock) {
            interlock.lock("orders").run(() -> {
                CLIENTS.add(interlock);
                try {
                    TOGETHER.await(5, TimeUnit.MINUTES);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                assertThatLock("orders").isHeldByThisThread().wasAcquired(1);
            });
        }

        @Test
        void one(Interlock interlock) {
            meet(interlock);
        }

        @Test
        void other(Interlock interlock) {
            meet(interlock);
        }
    }

    /** Each holds the lock when both go on. */
    @Test
    void testsInParallel_doNotMeet() {
        run(
                        Parallel.class,
                        Map.of(
                                "junit.jupiter.execution.parallel.enabled", "true",
                                "junit.jupiter.execution.parallel.config.strategy", "fixed",
                                "junit.jupiter.execution.parallel.config.fixed.parallelism", "2"))
                .assertStatistics(count -> count.succeeded(2));
        assertThat(Parallel.CLIENTS).hasSize(2);
    }

    // ---- what a test must not leave

    @InterlockTest
    static class Leaving {

        @Test
        void leaves(Interlock interlock) throws Exception {
            interlock.lock("orders").lock();
            ExecutorService other = Executors.newSingleThreadExecutor(task -> new Thread(task, "worker-7"));
            other.submit(() -> interlock.lock("accounts").lock()).get(5, TimeUnit.MINUTES);
            other.shutdown();
        }
    }

    @Test
    void whatIsHeldAfterATest_failsIt() {
        fails(
                Leaving.class,
                AssertionError.class,
                "'orders' by thread '" + Thread.currentThread().getName() + "'",
                "'accounts' by thread 'worker-7'",
                "finally");
    }

    @InterlockTest
    static class ActionFails {

        @Test
        void waits(Interlock interlock, Locks locks) {
            locks.hold("orders");
            locks.whenWaiting("orders", () -> {
                throw new AssertionError("of the action");
            });
            assertThatThrownBy(() -> interlock.lock("orders").lock())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("whenWaiting(\"orders\")")
                    .hasRootCauseMessage("of the action");
        }
    }

    @Test
    void anActionThatFails_endsTheWait_andFailsTheTest() {
        fails(ActionFails.class, AssertionError.class, "of the action");
    }

    @InterlockTest
    static class OtherName {

        @Test
        void doesNotWait(Interlock interlock, Locks locks) {
            locks.hold("settle:42");
            locks.whenWaiting("settle:42", () -> locks.release("settle:42"));
            interlock.lock("settle42").run(() -> {});
        }
    }

    @Test
    void anActionThatNeverRuns_failsTheTest() {
        fails(OtherName.class, AssertionError.class, "Nobody has waited for lock 'settle:42'");
    }

    @InterlockTest
    static class WaitingOn {

        private static final CompletableFuture<Throwable> WAIT = new CompletableFuture<>();

        @Test
        void doesNotJoin(Interlock interlock, Locks locks) {
            locks.hold("orders");
            new Thread(
                            () -> WAIT.complete(catchThrowable(
                                    () -> interlock.lock("orders").lock())),
                            "worker-8")
                    .start();
            locks.awaitWaiting("orders");
        }
    }

    @Test
    void aWaitThatOutlastsTheTest_failsIt_andGetsNothing() {
        fails(WaitingOn.class, AssertionError.class, "Still waited for", "'orders' by thread 'worker-8'");
        assertThat(WaitingOn.WAIT.join()).hasMessageContaining("The test has ended");
    }

    @InterlockTest
    static class Inside {

        @Test
        void doesNotLeave(Locks locks) {
            locks.enter("orders");
        }
    }

    @Test
    void workThatIsNotOver_failsTheTest() {
        fails(Inside.class, AssertionError.class, "enter(\"orders\")");
    }

    // ---- misuse

    @InterlockTest
    static class InAConstructor {

        InAConstructor(Locks locks) {
            assertThat(locks).isNull();
        }

        @Test
        void runs() {}
    }

    @InterlockTest
    static class BeforeAllTests {

        @BeforeAll
        static void begin(Interlock interlock) {
            assertThat(interlock).isNull();
        }

        @Test
        void runs() {}
    }

    @Test
    void parametersOfAConstructor_areRefused() {
        fails(InAConstructor.class, ParameterResolutionException.class, "Each test has its own Locks", "@BeforeEach");
    }

    @Test
    void parametersForAllTests_areRefused() {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(BeforeAllTests.class))
                .execute()
                .containerEvents()
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(finishedWithFailure(
                                instanceOf(ParameterResolutionException.class),
                                message(text -> text.contains("Each test has its own Interlock")))));
    }

    // ---- a real store

    @InterlockTest(uri = "${interlock.test.uri}")
    static class OnARealStore {

        @Test
        void excludes(Interlock interlock, Locks locks) {
            locks.hold("orders");
            assertThat(interlock.lock("orders").tryLock()).isFalse();
            locks.release("orders");
            interlock.lock("orders").run(() -> {
                assertThatLock("orders").isHeldByThisThread();
                assertThat(locks.newClient().lock("orders").tryLock()).isFalse();
            });
            assertThatLock("orders").isFree();
        }

        @Test
        void doesNotMeetTheOther(Interlock interlock, Locks locks) {
            interlock.lock("orders").lock();
            locks.lose("orders", LossCause.FORCED);
            assertThat(interlock.lock("orders").isHeldByCurrentThread()).isFalse();
        }
    }

    @Test
    void theSameTests_runOnARealStore(@TempDir(factory = TestFolder.class) Path folder) {
        run(OnARealStore.class, Map.of("interlock.test.uri", "jdbc:sqlite:" + folder.resolve("locks.db")))
                .assertStatistics(count -> count.succeeded(2));
    }

    @Test
    void aPlaceholderWithoutAValue_isNamed() {
        run(OnARealStore.class, Map.of())
                .assertThatEvents()
                .haveExactly(2, event(finishedWithFailure(message(text -> text.contains("interlock.test.uri")))));
    }

    @Test
    void theClockOfARealStore_cannotBeMoved(@TempDir(factory = TestFolder.class) Path folder) {
        Fixture fixture = Fixture.of("jdbc:sqlite:" + folder.resolve("locks.db"));
        try (fixture) {
            assertThatThrownBy(() -> fixture.clock().advance(Duration.ofSeconds(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("real store");
        }
    }
}
