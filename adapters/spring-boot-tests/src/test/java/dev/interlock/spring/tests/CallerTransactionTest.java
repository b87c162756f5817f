package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockLostException;
import dev.interlock.LockStatus;
import dev.interlock.annotation.Locked;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.testkit.fixture.LogWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Locks of methods that are called in a transaction: they are held until that is completed, by whichever thread. */
class CallerTransactionTest {

    private static final Duration AMPLE = Duration.ofSeconds(20);

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Manager manager = new Manager();
    private final TransactionTemplate transaction = new TransactionTemplate(manager);

    /** Transactions of nothing. One that is "external" has begun before Spring knew of it, as with JTA. */
    static class Manager extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        private boolean external;
        private List<TransactionSynchronization> waiting = List.of();

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected boolean isExistingTransaction(Object transaction) {
            return external;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            // Nothing to begin.
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            // Nothing to commit.
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            // Nothing to undo.
        }

        @Override
        protected void doSetRollbackOnly(DefaultTransactionStatus status) {
            // Nothing to remember.
        }

        @Override
        protected void registerAfterCompletionWithExistingTransaction(
                Object transaction, List<TransactionSynchronization> synchronizations) {
            waiting = synchronizations;
        }

        /** The external transaction is committed on a thread of its manager. */
        void completeElsewhere() {
            completeElsewhere(waiting);
        }

        void completeElsewhere(List<TransactionSynchronization> synchronizations) {
            CompletableFuture.runAsync(
                            () -> invokeAfterCompletion(synchronizations, TransactionSynchronization.STATUS_COMMITTED),
                            work -> new Thread(work).start())
                    .join();
        }
    }

    /** Reactive transactions of nothing, which write down what was held at their end. */
    static class ReactiveManager extends AbstractReactiveTransactionManager {

        private static final long serialVersionUID = 1L;

        private final transient Supplier<List<String>> held;
        private final transient List<String> ends = new ArrayList<>();

        ReactiveManager(Supplier<List<String>> held) {
            this.held = held;
        }

        @Override
        protected Object doGetTransaction(
                org.springframework.transaction.reactive.TransactionSynchronizationManager manager) {
            return new Object();
        }

        @Override
        protected Mono<Void> doBegin(
                org.springframework.transaction.reactive.TransactionSynchronizationManager manager,
                Object transaction,
                TransactionDefinition definition) {
            return Mono.empty();
        }

        @Override
        protected Mono<Void> doCommit(
                org.springframework.transaction.reactive.TransactionSynchronizationManager manager,
                GenericReactiveTransaction status) {
            return Mono.fromRunnable(() -> ends.add("commit " + held.get()));
        }

        @Override
        protected Mono<Void> doRollback(
                org.springframework.transaction.reactive.TransactionSynchronizationManager manager,
                GenericReactiveTransaction status) {
            return Mono.fromRunnable(() -> ends.add("rollback " + held.get()));
        }
    }

    static class Jobs {
        @Locked("plain")
        public void plain() {}

        @Locked({"one", "other"})
        public void several() {}

        @Locked(value = "permits", kind = Locked.Kind.PERMITS)
        public void permits() {}

        @Locked("stage")
        public CompletionStage<String> stage(CompletionStage<String> work) {
            return work;
        }

        @Locked("stage")
        public void synchronous() {}

        @Locked({"stage", "other"})
        public CompletionStage<String> more() {
            return CompletableFuture.completedStage("more");
        }

        @Locked("mono")
        public Mono<String> mono() {
            return Mono.just("mono");
        }

        @Locked("flux")
        @Locked("outer")
        public Flux<String> flux() {
            return Flux.just("a", "b");
        }

        @Locked(value = "permits", kind = Locked.Kind.PERMITS, permits = 2, capacity = 4)
        public Mono<String> monoWithPermits() {
            return Mono.just("permits");
        }

        @Locked("plain")
        public void during(Runnable body) {
            body.run();
        }

        @Locked(value = "stage", kind = Locked.Kind.WRITE)
        public void write() {}

        @Locked(value = "stage", kind = Locked.Kind.PERMITS)
        public CompletionStage<String> stageWithPermit() {
            return CompletableFuture.completedStage("permit");
        }

        @Locked(value = "stage", atLeast = "1h")
        public CompletionStage<String> atLeast() {
            return CompletableFuture.completedStage("at least");
        }

        @Locked(value = "stage", waitAtMost = "1ms", onBusy = Locked.OnBusy.FALLBACK, fallback = "threadName")
        public CompletionStage<String> briefly() {
            return CompletableFuture.completedStage("briefly");
        }

        public CompletionStage<String> threadName() {
            return CompletableFuture.completedStage(Thread.currentThread().getName());
        }

        @Locked(value = "mono", waitAtMost = "0s", onBusy = Locked.OnBusy.FALLBACK, fallback = "instead")
        public Mono<String> orInstead(Mono<String> other) {
            return Mono.just("not instead");
        }

        public Mono<String> instead(Mono<String> other) {
            return other;
        }
    }

    @BeforeEach
    void open() {
        context.registerBean(Interlock.class, Interlock::inMemory);
        context.register(InterlockAutoConfiguration.class, Jobs.class);
        context.refresh();
    }

    @AfterEach
    void close() {
        context.close();
    }

    private Jobs jobs() {
        return context.getBean(Jobs.class);
    }

    private List<String> held() {
        return context.getBean(Interlock.class).administration().list("", 10).stream()
                .filter(LockStatus::isLocked)
                .map(LockStatus::name)
                .toList();
    }

    @Test
    void transactionThatCompletesOnAnotherThread_releases() {
        manager.external = true;
        try (LogWatch log = new LogWatch()) {
            transaction.executeWithoutResult(status -> {
                jobs().plain();
                jobs().several();
                jobs().permits();
            });
            assertThat(held()).containsExactlyInAnyOrder("plain", "one", "other", "permits");
            manager.completeElsewhere();
            assertThat(held()).isEmpty();
            assertThat(log.problems()).isEmpty();
        }
    }

    @Test
    void threadOfATransactionThatAnotherHasCompleted_locksAgain() {
        manager.external = true;
        for (int i = 0; i < 2; i++) {
            transaction.executeWithoutResult(status -> jobs().plain());
            assertThat(held()).containsExactly("plain");
            manager.completeElsewhere();
            assertThat(held()).isEmpty();
        }
    }

    /** As by the time-out of a transaction, while the method goes on. */
    @Test
    void methodThatOutlivesTheTransaction_keepsTheLock() {
        manager.external = true;
        transaction.executeWithoutResult(status -> {
            jobs().during(() -> {
                jobs().plain();
                manager.completeElsewhere(TransactionSynchronizationManager.getSynchronizations());
                assertThat(held()).containsExactly("plain");
            });
            assertThat(held()).isEmpty();
        });
    }

    /** The thread is still in it, and learns of its end later. */
    @Test
    void methodAfterTheEndOfTheTransaction_keepsNothing() {
        manager.external = true;
        transaction.executeWithoutResult(status -> {
            jobs().plain();
            manager.completeElsewhere(TransactionSynchronizationManager.getSynchronizations());
            jobs().plain();
            jobs().several();
            jobs().permits();
            assertThat(held()).isEmpty();
            assertThat(join(jobs().stage(DONE))).isEqualTo("done");
            jobs().synchronous();
            assertThat(held()).isEmpty();
        });
    }

    /** What they do belongs to the transaction, also if they come to it in the method. */
    @Test
    void synchronizationsOfTheMethod_areInsideOfTheLock() {
        List<String> seen = new ArrayList<>();
        transaction.executeWithoutResult(status -> jobs().during(() ->
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int completion) {
                        seen.addAll(held());
                    }
                })));
        assertThat(seen).containsExactly("plain");
        assertThat(held()).isEmpty();
    }

    @Test
    void lockOfTheCaller_isNotEndedByTheTransaction() {
        manager.external = true;
        var lock = context.getBean(Interlock.class).lock("plain");
        lock.run(() -> {
            transaction.executeWithoutResult(status -> jobs().plain());
            manager.completeElsewhere();
            assertThat(held()).containsExactly("plain");
            assertThat(lock.holdCount()).isEqualTo(1);
        });
        assertThat(held()).isEmpty();
    }

    // ---- asynchronous methods

    private static final CompletionStage<String> DONE = CompletableFuture.completedStage("done");

    private static String join(CompletionStage<String> stage) {
        return stage.toCompletableFuture().join();
    }

    @Test
    void stage_isReleasedAfterTheTransaction() {
        transaction.executeWithoutResult(status -> {
            assertThat(join(jobs().stage(DONE))).isEqualTo("done");
            assertThat(held()).containsExactly("stage");
        });
        assertThat(held()).isEmpty();
    }

    @Test
    void stageThatOutlivesTheTransaction_keepsTheLock() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletionStage<String> result = transaction.execute(status -> jobs().stage(work));
        await().until(() -> held().equals(List.of("stage")));
        work.complete("later");
        assertThat(join(result)).isEqualTo("later");
        assertThat(held()).isEmpty();
    }

    /** They do not wait for their own transaction. */
    @Test
    void stagesOfOneTransaction_haveTheLockOneAfterTheOther() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> third = new CompletableFuture<>();
        transaction.executeWithoutResult(status -> {
            CompletableFuture<String> one = jobs().stage(first).toCompletableFuture();
            CompletableFuture<String> gone = jobs().stage(DONE).toCompletableFuture();
            CompletableFuture<String> two = jobs().stage(third).toCompletableFuture();
            gone.cancel(true);
            assertThat(two).isNotDone();
            first.complete("first");
            assertThat(join(one)).isEqualTo("first");
            third.complete("third");
            assertThat(join(two)).isEqualTo("third");
            assertThat(join(jobs().stage(DONE))).isEqualTo("done");
            assertThat(held()).containsExactly("stage");
        });
        assertThat(held()).isEmpty();
    }

    @Test
    void stageInLine_asksTheStore_whenTheOneBeforeGivesUp() throws InterruptedException {
        Lease busy = context.getBean(Interlock.class).lock("stage").acquire();
        transaction.executeWithoutResult(status -> {
            CompletableFuture<String> one = jobs().stage(DONE).toCompletableFuture();
            CompletableFuture<String> two = jobs().stage(DONE).toCompletableFuture();
            one.cancel(true);
            assertThat(two).isNotDone();
            busy.close();
            assertThat(join(two)).isEqualTo("done");
            assertThat(held()).containsExactly("stage");
        });
        assertThat(held()).isEmpty();
    }

    @Test
    void stageInLine_atTheEndOfTheTransaction_goesOnWithoutIt() {
        CompletableFuture<String> work = new CompletableFuture<>();
        List<CompletionStage<String>> results = new ArrayList<>();
        transaction.executeWithoutResult(status -> {
            results.add(jobs().stage(work));
            results.add(jobs().stage(DONE));
        });
        assertThat(results.get(1).toCompletableFuture()).isNotDone();
        work.complete("work");
        assertThat(join(results.get(0))).isEqualTo("work");
        assertThat(join(results.get(1))).isEqualTo("done");
        assertThat(held()).isEmpty();
    }

    @Test
    void methodThatWouldWaitForItsOwnTransaction_isRefused() {
        transaction.executeWithoutResult(status -> {
            join(jobs().stage(DONE));
            assertThatThrownBy(() -> jobs().synchronous())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("own transaction")
                    .hasMessageContaining("Jobs.synchronous");
            assertThatThrownBy(() -> join(jobs().more())).hasMessageContaining("own transaction");
        });
        assertThat(held()).isEmpty();
        assertThat(join(jobs().more())).isEqualTo("more");
    }

    /** The transaction holds the lock for the first method, and a stage belongs to no thread. */
    @Test
    void stageThatWouldWaitForItsOwnTransaction_isRefused() {
        transaction.executeWithoutResult(status -> {
            jobs().synchronous();
            jobs().synchronous();
            CompletableFuture<String> stage = jobs().stage(DONE).toCompletableFuture();
            assertThat(stage).isCompletedExceptionally();
            assertThatThrownBy(stage::join)
                    .hasMessageContaining("own transaction")
                    .hasMessageContaining("Jobs.stage");
            assertThat(join(jobs().stageWithPermit())).isEqualTo("permit");
        });
        assertThat(held()).isEmpty();
        assertThat(join(jobs().stage(DONE))).isEqualTo("done");
    }

    /** A lock, a read/write lock and a semaphore of one name have nothing to do with each other. */
    @Test
    void methodOnAnotherThingOfTheSameName_isNotRefused() {
        transaction.executeWithoutResult(status -> {
            join(jobs().stage(DONE));
            jobs().write();
            assertThat(join(jobs().stageWithPermit())).isEqualTo("permit");
        });
        assertThat(held()).isEmpty();
    }

    /** The turn goes from each to the next, and neither a turn nor the release needs the stack of those before. */
    @Test
    void longLineOfStages_comesToItsEnd() {
        CompletableFuture<String> first = new CompletableFuture<>();
        transaction.executeWithoutResult(status -> {
            List<CompletableFuture<String>> line = new ArrayList<>();
            line.add(jobs().stage(first).toCompletableFuture());
            for (int i = 0; i < 20_000; i++) {
                line.add(jobs().stage(DONE).toCompletableFuture());
            }
            first.complete("first");
            assertThat(CompletableFuture.allOf(line.toArray(CompletableFuture[]::new)))
                    .succeedsWithin(AMPLE);
        });
        assertThat(held()).isEmpty();
    }

    @Test
    void lockThatAMethodWantsToBeLeft_isLeft_whoeverEndsItsLease() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletionStage<String> last = transaction.execute(status -> {
            join(jobs().atLeast());
            return jobs().stage(work);
        });
        work.complete("work");
        assertThat(join(last)).isEqualTo("work");
        assertThat(held()).containsExactly("stage");
    }

    /** That one is of the JDK, and all time-outs of the process wait for it. */
    @Test
    void waitThatEndsInLine_callsNobodyOnTheThreadOfATimer() {
        CompletableFuture<String> work = new CompletableFuture<>();
        transaction.executeWithoutResult(status -> {
            CompletionStage<String> one = jobs().stage(work);
            assertThat(join(jobs().briefly())).doesNotContain("DelayScheduler");
            work.complete("work");
            assertThat(join(one)).isEqualTo("work");
        });
        assertThat(held()).isEmpty();
    }

    /** A call that has no lock is not in the way of what runs in its place. */
    @Test
    void methodThatRunsInThePlaceOfABusyOne_mayHaveTheLock() throws InterruptedException {
        Lease busy = context.getBean(Interlock.class).lock("mono").acquire();
        transaction.executeWithoutResult(status -> {
            Mono<String> instead = Mono.defer(() -> {
                busy.close();
                return jobs().mono();
            });
            assertThat(jobs().orInstead(instead).block(AMPLE)).isEqualTo("mono");
        });
        assertThat(held()).isEmpty();
    }

    @Test
    void publisherInATransactionOfTheThread_isReleasedAfterIt() {
        transaction.executeWithoutResult(status -> {
            assertThat(jobs().mono().block()).isEqualTo("mono");
            assertThat(jobs().mono().block()).isEqualTo("mono");
            assertThat(jobs().flux().collectList().block()).containsExactly("a", "b");
            assertThat(held()).containsExactlyInAnyOrder("mono", "flux", "outer");
        });
        assertThat(held()).isEmpty();
    }

    @Test
    void publisherInAReactiveTransaction_isReleasedAfterIt() {
        ReactiveManager reactive = new ReactiveManager(this::held);
        TransactionalOperator operator = TransactionalOperator.create(reactive);
        Mono<String> twice = jobs().mono().then(Mono.defer(() -> jobs().mono())).doOnNext(value -> assertThat(held())
                .containsExactly("mono"));
        assertThat(operator.transactional(twice).block()).isEqualTo("mono");
        assertThat(operator.transactional(jobs().flux()).collectList().block()).containsExactly("a", "b");
        Mono<String> permits = jobs().monoWithPermits().then(jobs().monoWithPermits());
        assertThat(operator.transactional(permits).block()).isEqualTo("permits");
        Mono<String> failing = jobs().mono().then(Mono.error(new IllegalStateException("undo")));
        assertThatThrownBy(() -> operator.transactional(failing).block()).hasMessage("undo");
        assertThat(reactive.ends).hasSize(4);
        assertThat(reactive.ends.get(0)).isEqualTo("commit [mono]");
        assertThat(reactive.ends.get(1)).contains("commit", "flux", "outer");
        assertThat(reactive.ends.get(2)).isEqualTo("commit [permits]");
        assertThat(reactive.ends.get(3)).isEqualTo("rollback [mono]");
        assertThat(held()).isEmpty();
    }

    @Test
    void lossBeforeTheCommitOfAReactiveTransaction_rollsBack() {
        ReactiveManager reactive = new ReactiveManager(this::held);
        TransactionalOperator operator = TransactionalOperator.create(reactive);
        Interlock interlock = context.getBean(Interlock.class);
        Mono<String> lost =
                jobs().mono().doOnNext(value -> interlock.administration().forceUnlock("mono"));
        assertThatThrownBy(() -> operator.transactional(lost).block()).isInstanceOf(LockLostException.class);
        assertThat(reactive.ends).singleElement().asString().startsWith("rollback");
    }

    @Test
    void synchronizationsOfAPublisher_areInsideOfTheLock() {
        ReactiveManager reactive = new ReactiveManager(this::held);
        List<String> seen = new ArrayList<>();
        Mono<Void> later =
                org.springframework.transaction.reactive.TransactionSynchronizationManager.forCurrentTransaction()
                        .doOnNext(current -> current.registerSynchronization(
                                new org.springframework.transaction.reactive.TransactionSynchronization() {
                                    @Override
                                    public Mono<Void> afterCompletion(int completion) {
                                        return Mono.fromRunnable(() -> seen.addAll(held()));
                                    }
                                }))
                        .then();
        TransactionalOperator.create(reactive)
                .transactional(jobs().mono().then(later))
                .block(AMPLE);
        assertThat(seen).containsExactly("mono");
        assertThat(held()).isEmpty();
    }

    @Test
    void subscriberOfATransaction_thatCancels_leavesNothingHeld() {
        ReactiveManager reactive = new ReactiveManager(this::held);
        TransactionalOperator operator = TransactionalOperator.create(reactive);
        var hanging = operator.transactional(jobs().mono().then(Mono.never())).subscribe();
        await().until(() -> held().equals(List.of("mono")));
        hanging.dispose();
        await().until(() -> held().isEmpty());
        assertThat(reactive.ends).containsExactly("rollback [mono]");
    }
}
