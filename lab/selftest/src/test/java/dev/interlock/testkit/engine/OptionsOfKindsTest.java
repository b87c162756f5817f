package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Candidate;
import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.LeadershipEnd;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.kind.KindsFixture;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.store.GateStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each option has an effect on each kind, or cannot be given to it. */
@SuppressWarnings("LockNotBeforeTry") // lock and unlock are what is tested
class OptionsOfKindsTest extends EngineSuite implements KindsFixture {

    private static final Duration DELAY = Duration.ofMinutes(20);
    private static final LeaseTerm TERM = LeaseTerm.fixed(Duration.ofMinutes(7));
    private static final LeaseTerm SHORT = LeaseTerm.fixed(Duration.ofMillis(60));

    /** Turns that do not end. */
    private static void turns(LockOptions.Builder options) {
        options.handOver(LockOptions.MAX_HAND_OVERS, Duration.ofHours(1));
    }

    /** What takes options. */
    private enum Kind {
        LOCK,
        READ_WRITE_LOCK,
        SEMAPHORE,
        ELECTION;

        CompletableFuture<Lease> acquire(Interlock client, String name, Consumer<LockOptions.Builder> options) {
            return switch (this) {
                case LOCK, READ_WRITE_LOCK ->
                    lock(client, name, options).acquireAsync().toCompletableFuture();
                case SEMAPHORE ->
                    client.semaphore(name, 1, options).acquireAsync().toCompletableFuture();
                case ELECTION -> {
                    CompletableFuture<Lease> elected = new CompletableFuture<>();
                    var unused = client.election(name, options).join(new Candidate() {
                        @Override
                        public void elected(Lease leadership) {
                            elected.complete(leadership);
                        }

                        @Override
                        public void ended(Lease leadership, LeadershipEnd end) {}
                    });
                    yield elected;
                }
            };
        }

        /** Of those that threads hold. */
        DistributedLock lock(Interlock client, String name, Consumer<LockOptions.Builder> options) {
            return this == LOCK
                    ? client.lock(name, options)
                    : client.readWriteLock(name, options).writeLock();
        }

        Object withOptions(Interlock client, String name, LockOptions options) {
            return switch (this) {
                case LOCK -> client.lock(name, options);
                case READ_WRITE_LOCK -> client.readWriteLock(name, options);
                case SEMAPHORE -> client.semaphore(name, 1, options);
                case ELECTION -> client.election(name, options);
            };
        }

        Object withDefaults(Interlock client, String name) {
            return switch (this) {
                case LOCK -> client.lock(name);
                case READ_WRITE_LOCK -> client.readWriteLock(name);
                case SEMAPHORE -> client.semaphore(name, 1);
                case ELECTION -> client.election(name);
            };
        }
    }

    /** Shows the effect of an option on a kind. */
    private interface Effect {
        void show(OptionsOfKindsTest test, Kind kind) throws Exception;
    }

    private record Option(Consumer<LockOptions.Builder> set, Effect effect) {}

    private static final Map<String, Option> OPTIONS = Map.of(
            "lease",
            new Option(o -> o.lease(TERM), (test, kind) -> assertThat(
                            test.claimed(kind, o -> o.lease(TERM)).lease())
                    .isEqualTo(TERM.length())),
            "lockDelay",
            new Option(o -> o.lockDelay(DELAY), (test, kind) -> assertThat(
                            test.claimed(kind, o -> o.lease(TERM).lockDelay(DELAY))
                                    .lease())
                    .isEqualTo(TERM.length().plus(DELAY))),
            "participant",
            new Option(
                    o -> o.participant("job"), (test, kind) -> assertThat(test.claimed(kind, o -> o.participant("job"))
                                    .party()
                                    .thread())
                            .isEqualTo("job")),
            "handOver",
            new Option(
                    o -> o.handOver(0, Duration.ZERO),
                    (test, kind) -> test.assertNextIsOfAnotherClient(kind, o -> o.handOver(0, Duration.ZERO))),
            "fair",
            new Option(
                    o -> o.fair(true),
                    (test, kind) -> test.assertNextIsOfAnotherClient(kind, o -> {
                        turns(o);
                        o.fair(true);
                    })),
            "reentrant",
            new Option(o -> o.reentrant(false), OptionsOfKindsTest::assertNotReentrant),
            "forgetLostHolds",
            new Option(o -> o.forgetLostHolds(true), OptionsOfKindsTest::assertForgetsLostHolds),
            "releaseEarly",
            new Option(o -> o.releaseEarly(true), OptionsOfKindsTest::assertReleasedEarly),
            "retained",
            new Option(o -> o.retained(NEVER), OptionsOfKindsTest::assertRetained),
            "onRevocationRequested",
            new Option(o -> o.onRevocationRequested(lease -> {}), OptionsOfKindsTest::assertAsked));

    /** What each kind lacks, said once more. */
    private static final Map<Kind, Set<String>> LACKING = Map.of(
            Kind.LOCK,
            Set.of(),
            Kind.READ_WRITE_LOCK,
            Set.of("fair", "retained"),
            Kind.SEMAPHORE,
            Set.of("reentrant", "forgetLostHolds", "retained", "onRevocationRequested"),
            Kind.ELECTION,
            Set.of(
                    "handOver",
                    "fair",
                    "reentrant",
                    "forgetLostHolds",
                    "releaseEarly",
                    "retained",
                    "participant",
                    "onRevocationRequested"));

    static Stream<Arguments> all() {
        return Arrays.stream(Kind.values())
                .flatMap(kind -> OPTIONS.keySet().stream().sorted().map(option -> Arguments.of(kind, option)));
    }

    private static Option option(String name) {
        Option option = OPTIONS.get(name);
        if (option == null) {
            throw new AssertionError(name);
        }
        return option;
    }

    private static boolean lacks(Kind kind, String option) {
        return LACKING.getOrDefault(kind, Set.of()).contains(option);
    }

    @Test
    void theTable_hasEachOption() {
        assertThat(Arrays.stream(LockOptions.Builder.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()))
                        .map(Method::getName)
                        .filter(name -> !name.equals("build"))
                        .collect(Collectors.toSet()))
                .isEqualTo(OPTIONS.keySet());
    }

    @ParameterizedTest
    @MethodSource("all")
    void option_hasAnEffect_orIsRefused(Kind kind, String name) throws Exception {
        Option option = option(name);
        Interlock client = clients().open();
        LockOptions.Builder builder = LockOptions.builder();
        option.set().accept(builder);
        if (lacks(kind, name)) {
            assertRefused(
                    () -> kind.acquire(client, clients().name(), option.set()).isDone(), name);
            assertRefused(() -> kind.withOptions(client, clients().name(), builder.build()), name);
        } else {
            assertThat(kind.withOptions(client, clients().name(), builder.build()))
                    .isNotNull();
            option.effect().show(this, kind);
        }
    }

    private static void assertRefused(Callable<?> call, String option) {
        assertThatThrownBy(call::call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(": leave out " + option + "(");
    }

    @Test
    void refusal_saysWhy_andTheValue() {
        Interlock client = clients().open();
        assertThatThrownBy(() -> client.semaphore("n", 1, options -> options.reentrant(false)))
                .hasMessage("A semaphore has no re-entry: leave out reentrant(false)");
        assertThatThrownBy(() -> client.election("n", options -> options.handOver(7, Duration.ofSeconds(8))))
                .hasMessageContaining("leave out handOver(7, PT8S)");
    }

    /** A kind that lacks an option begins without it, and can be told so. */
    @ParameterizedTest
    @MethodSource("all")
    void default_isLeftOut_whereTheKindLacksIt(Kind kind, String name) throws Exception {
        Interlock client =
                clients().open(builder -> builder.lockOptions(option(name).set()));
        assertThat(kind.withDefaults(client, clients().name())).isNotNull();
        assertThat(client.lockOptions()).isNotEqualTo(LockOptions.defaults());
        KindsFixture.get(kind.acquire(client, clients().name(), options -> options.lease(LONG)))
                .close();
    }

    @Test
    void changes_beginWithTheDefaultsOfTheClient() throws Exception {
        Queue<Claim> claims = new ConcurrentLinkedQueue<>();
        Interlock client = clients().open(recording(claims), builder -> builder.lockOptions(
                        LockOptions.builder().participant("job").build())
                .lockOptions(options -> options.lease(TERM).reentrant(false)));
        for (Kind kind : List.of(Kind.LOCK, Kind.READ_WRITE_LOCK, Kind.SEMAPHORE)) {
            KindsFixture.get(kind.acquire(client, clients().name(), options -> options.lockDelay(DELAY)))
                    .close();
            Claim claim = claims.remove();
            assertThat(claim.lease()).isEqualTo(TERM.length().plus(DELAY));
            assertThat(claim.party().thread()).isEqualTo("job");
        }
    }

    private Claim claimed(Kind kind, Consumer<LockOptions.Builder> options) throws Exception {
        Queue<Claim> claims = new ConcurrentLinkedQueue<>();
        Interlock client = clients().open(recording(claims), builder -> builder);
        KindsFixture.get(kind.acquire(client, clients().name(), options)).close();
        return claims.element();
    }

    /** A store that keeps the claims that it is asked for. */
    private LockStore recording(Queue<Claim> claims) {
        LockStore inner = clients().store();
        return (LockStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("acquire")) {
                        claims.add((Claim) arguments[0]);
                    }
                    try {
                        return method.invoke(inner, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** With the turns that do not end the next holder is of the same client, without a request. */
    private void assertNextIsOfAnotherClient(Kind kind, Consumer<LockOptions.Builder> options) throws Exception {
        assertThat(nextIsOfAnotherClient(kind, OptionsOfKindsTest::turns)).isFalse();
        assertThat(nextIsOfAnotherClient(kind, options)).isTrue();
    }

    private boolean nextIsOfAnotherClient(Kind kind, Consumer<LockOptions.Builder> options) throws Exception {
        String name = clients().name();
        Interlock client = clients().open();
        Interlock other = clients().open();
        Lease first = KindsFixture.get(kind.acquire(client, name, options));
        CompletableFuture<Lease> elsewhere = kind.acquire(other, name, OptionsOfKindsTest::turns);
        await().until(() ->
                other.administration().inspect(name).get(0).waiters().size() == 1);
        CompletableFuture<Lease> here = kind.acquire(client, name, options);
        first.close();
        KindsFixture.get(CompletableFuture.anyOf(here, elsewhere).thenApply(Lease.class::cast));
        return elsewhere.isDone();
    }

    private void assertNotReentrant(Kind kind) {
        DistributedLock lock = kind.lock(clients().open(), clients().name(), options -> options.reentrant(false));
        lock.lock();
        assertThat(lock.tryLock()).isFalse();
        lock.unlock();
    }

    private void assertForgetsLostHolds(Kind kind) {
        DistributedLock lock = kind.lock(clients().open(), clients().name(), options -> options.forgetLostHolds(true));
        lock.lock(SHORT);
        await().pollInSameThread().until(() -> !lock.isHeldByCurrentThread());
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(1);
        lock.unlock();
    }

    private void assertReleasedEarly(Kind kind) throws Exception {
        GateStore gate = new GateStore(clients().store());
        Interlock client = clients().open(gate, builder -> builder);
        Lease lease = KindsFixture.get(kind.acquire(client, clients().name(), options -> options.releaseEarly(true)));
        gate.shut();
        Caller.startAction(lease::close).result();
        assertThat(gate.isWaitedFor()).isTrue();
        gate.open();
    }

    private void assertRetained(Kind kind) throws Exception {
        Queue<Claim> claims = new ConcurrentLinkedQueue<>();
        Interlock client = clients().open(recording(claims), builder -> builder);
        String name = clients().name();
        for (int i = 0; i < 3; i++) {
            KindsFixture.get(kind.acquire(client, name, options -> options.retained(NEVER)))
                    .close();
        }
        assertThat(claims).hasSize(1);
    }

    private void assertAsked(Kind kind) throws Exception {
        CompletableFuture<Lease> asked = new CompletableFuture<>();
        String name = clients().name();
        Lease lease = KindsFixture.get(
                kind.acquire(clients().open(), name, options -> options.onRevocationRequested(asked::complete)));
        assertThat(clients().open().administration().requestRevocation(name)).isTrue();
        assertThat(KindsFixture.get(asked)).isSameAs(lease);
        lease.close();
    }
}
