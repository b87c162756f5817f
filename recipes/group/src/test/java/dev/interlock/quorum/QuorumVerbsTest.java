package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.store.BlockingClient;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The verbs of a majority of three stores, without an engine, on a clock of their own. */
class QuorumVerbsTest {

    private static final LockId ID = LockId.lock("a");
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final AtomicLong clock = new AtomicLong(1);
    private final MemoryNodes nodes = new MemoryNodes(
            Stream.generate(() -> new MemoryStore(clock::get)).limit(3).toList());
    private final QuorumStore quorum = nodes.quorum();
    private final QuorumStore other = nodes.quorum();

    @AfterEach
    void close() {
        quorum.close();
        other.close();
        nodes.close();
    }

    @Test
    void sameClaimAgain_hasTheSameFence() throws Exception {
        Claim claim = claim("client", 1);
        long fence = granted(quorum, claim);
        assertThat(granted(quorum, claim)).isEqualTo(fence);
        assertThat(answer(quorum.release(claim))).isTrue();
        assertThat(granted(quorum, claim)).as("a new acquisition").isGreaterThan(fence);
    }

    /** Although it is the same claim, which has waited meanwhile. */
    @Test
    void claimThatWasLost_hasANewFence_whenItIsGrantedAgain() throws Exception {
        Claim claim = claim("client", 1).waiting(Duration.ZERO);
        granted(quorum, claim);
        pass(LEASE);
        Claim between = claim("other", 1);
        long fence = granted(other, between);
        assertThat(answer(quorum.acquire(claim))).isInstanceOf(Attempt.Busy.class);
        assertThat(answer(other.release(between))).isTrue();
        assertThat(granted(quorum, claim)).isGreaterThan(fence);
    }

    @Test
    void storeThatFails_isNoFailure_ifAMajorityIsBusy() throws Exception {
        granted(other, claim("other", 1));
        List<SickStore> sick = sick();
        try (QuorumStore failing = QuorumStore.over(nodes.sessions(sick))) {
            sick.get(2).failNext("acquire");
            assertThat(answer(failing.acquire(claim("client", 1)))).isInstanceOf(Attempt.Busy.class);
            assertThat(sick.get(2).isFailureAhead()).isFalse();
        }
    }

    @Test
    void storeThatFails_isNoFailureOfARenewal() throws Exception {
        List<SickStore> sick = sick();
        Claim claim = claim("client", 1);
        try (QuorumStore failing = QuorumStore.over(nodes.sessions(sick))) {
            granted(failing, claim);
            sick.get(0).failNext("renew");
            assertThat(answer(failing.renew(List.of(claim)))).isEqualTo(Map.of(claim, Renewal.HELD));
            assertThat(sick.get(0).isFailureAhead()).isFalse();
        }
    }

    private static List<SickStore> sick() {
        return Stream.generate(SickStore::new).limit(3).toList();
    }

    /**
     * A majority may be free as soon as the quicker ones of the busy stores are. The slowest answers last: on a busy
     * machine the round may end without it, and the claim is released there.
     */
    @Test
    void busyClaim_asksAgain_whenAMajorityMayBeFree() throws Exception {
        List<LockStore> stores = Stream.of(1, 5, 10)
                .map(seconds ->
                        answering(Map.of("acquire", Attempt.busy(Duration.ofSeconds(seconds)), "release", false)))
                .toList();
        try (QuorumStore busy = QuorumStore.over(stores)) {
            assertThat(answer(busy.acquire(claim("client", 1)))).isEqualTo(Attempt.busy(Duration.ofSeconds(5)));
        }
    }

    private static LockStore answering(Map<String, Object> answers) {
        return (LockStore) Proxy.newProxyInstance(
                QuorumVerbsTest.class.getClassLoader(),
                new Class<?>[] {LockStore.class},
                (proxy, method, arguments) -> method.getName().equals("isConnected")
                        ? (Object) true
                        : answers.containsKey(method.getName())
                                ? CompletableFuture.completedFuture(answers.get(method.getName()))
                                : null);
    }

    @Test
    void release_isOfAHeldClaim_ifAMajorityHeldIt() throws Exception {
        Claim claim = claim("client", 1);
        granted(quorum, claim);
        nodes.forceUnlockIn(0, "a");
        assertThat(answer(quorum.release(claim))).isTrue();
        Claim next = claim("client", 2);
        granted(quorum, next);
        nodes.forceUnlockIn(0, "a");
        nodes.forceUnlockIn(1, "a");
        assertThat(answer(quorum.release(next))).isFalse();
    }

    @Test
    void waiterOfAnotherClient_isReleased() throws Exception {
        granted(quorum, claim("client", 1));
        Claim waiting = claim("client", 2).waiting(Duration.ZERO);
        assertThat(answer(quorum.acquire(waiting))).isInstanceOf(Attempt.Busy.class);
        assertThat(answer(other.inspect(ID)).waiters()).hasSize(1);
        assertThat(answer(other.release(waiting))).isFalse();
        assertThat(answer(other.inspect(ID)).waiters()).isEmpty();
    }

    /** Its state in this client is forgotten after its lease; then the client looks for it in the stores. */
    @Test
    void claimThatCouldNotBeReleased_isForgottenAfterItsLease() throws Exception {
        List<SickStore> sick = sick();
        Claim claim = Claim.of(ID, OwnerId.of("client", 1), Duration.ofMillis(50), Party.UNKNOWN);
        try (QuorumStore refusing = QuorumStore.over(nodes.sessions(sick))) {
            granted(refusing, claim);
            sick.forEach(store -> store.refuse("release"));
            assertThatThrownBy(() -> answer(refusing.release(claim))).hasCauseInstanceOf(IOException.class);
            int before = sick.get(0).asked("inspect");
            await().until(() -> {
                var unused = refusing.release(claim);
                return sick.get(0).asked("inspect") > before;
            });
        }
    }

    // ---- wakes

    @Test
    void wake_ofAMajority_isPassedOn_forTheOwnerOfTheAcquisition() {
        List<Consumer<Wake>> listeners = new ArrayList<>();
        List<Wake> passed = new CopyOnWriteArrayList<>();
        LockStore store = listening(listeners);
        try (QuorumStore three = QuorumStore.over(List.of(store, listening(listeners), listening(listeners)))) {
            three.onWake(passed::add);
            assertThat(listeners).hasSize(3);
            OwnerId owner = OwnerId.of("client", 7);
            listeners.forEach(listener -> listener.accept(new Wake.Requested(ID, Owners.inRound(owner, 1))));
            assertThat(passed).isEmpty();
            for (int round = 0; round < 2; round++) {
                listeners.get(round).accept(new Wake.Changed(ID, Owners.inRound(owner, round)));
            }
            await().until(() -> !passed.isEmpty());
            // Twice if a slow machine lets the time for the second wake run out.
            assertThat(passed).containsOnly(new Wake.Changed(ID, owner));
            listeners.get(0).accept(new Wake.Changed(ID, null));
            listeners.get(2).accept(new Wake.Changed(ID, null));
            await().until(() -> passed.contains(new Wake.Changed(ID, null)));
        }
    }

    @SuppressWarnings("unchecked")
    private static LockStore listening(List<Consumer<Wake>> listeners) {
        return (LockStore) Proxy.newProxyInstance(
                QuorumVerbsTest.class.getClassLoader(),
                new Class<?>[] {LockStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("onWake")) {
                        listeners.add((Consumer<Wake>) arguments[0]);
                    }
                    return null;
                });
    }

    // ---- what it can, and its end

    @Test
    void lapse_needsAllStores() {
        assertThat(quorum.capabilities()).contains(Capability.LAPSE, Capability.LISTING);
        try (QuorumStore one = QuorumStore.over(withoutCatalog(1))) {
            assertThat(one.capabilities()).doesNotContain(Capability.LAPSE);
        }
    }

    @Test
    void closing_closesTheStores() {
        List<SickStore> sick = sick();
        QuorumStore.over(nodes.sessions(sick)).close();
        assertThat(sick).allMatch(store -> store.asked("close") == 1);
    }

    @Test
    void conversion_takesThePlaceOfTheClaimThatItReplaces() throws Exception {
        Claim first = claim("client", 1);
        Claim second = claim("client", 2);
        granted(quorum, first);
        granted(quorum, second.replacing(first.owner()));
        assertThat(answer(quorum.inspect(ID)).holders())
                .extracting(LockStatus.Holder::owner)
                .containsExactly("client:2");
        assertThat(answer(quorum.renew(List.of(second)))).containsEntry(second, Renewal.HELD);
        assertThat(answer(quorum.release(first))).isFalse();
        assertThat(answer(quorum.release(second))).isTrue();
    }

    /** The owners in the stores have the number of the first round, which another client can know. */
    @Test
    void conversion_ofAClaimThatAnotherClientHolds_takesItsPlace() throws Exception {
        granted(quorum, claim("client", 1));
        Claim second = claim("client", 2);
        granted(other, second.replacing(OwnerId.of("client", 1)));
        assertThat(answer(other.release(second))).isTrue();
        assertThat(answer(quorum.inspect(ID)).isLocked()).isFalse();
    }

    @Test
    void waiter_isListed_bySinceWhenItWaits() throws Exception {
        Claim holder = claim("client", 1);
        granted(quorum, holder);
        Claim first = claim("other", 1).waiting(Duration.ZERO);
        Claim second = claim("other", 2).waiting(Duration.ZERO);
        assertThat(answer(other.acquire(first))).isInstanceOf(Attempt.Busy.class);
        pass(Duration.ofMillis(1));
        assertThat(answer(other.acquire(second))).isInstanceOf(Attempt.Busy.class);
        assertThat(answer(quorum.inspect(ID)).waiters())
                .extracting(LockStatus.Waiter::owner)
                .containsExactly("other:1", "other:2");
    }

    @Test
    void waiters_areListedInTheirOrder_howeverTheStoresList() throws Exception {
        granted(quorum, claim("client", 1));
        List<SickStore> sick = sick();
        try (QuorumStore failing = QuorumStore.over(nodes.sessions(sick))) {
            // A store whose answer is late has it released, as the claim that waits asks again.
            await().until(() -> {
                sick.get(0).failNext("acquire");
                assertThat(answer(failing.acquire(claim("failing", 1).waiting(Duration.ZERO))))
                        .isInstanceOf(Attempt.Busy.class);
                return nodes.isWaitedForIn(1, "a") && nodes.isWaitedForIn(2, "a");
            });
        }
        pass(Duration.ofMillis(1));
        assertThat(answer(other.acquire(claim("other", 1).waiting(Duration.ZERO))))
                .isInstanceOf(Attempt.Busy.class);
        assertThat(answer(quorum.inspect(ID)).waiters())
                .extracting(LockStatus.Waiter::owner)
                .containsExactly("failing:1", "other:1");
    }

    @Test
    void inspection_waitsForAllStores() throws Exception {
        List<SickStore> sick = sick();
        try (QuorumStore late = QuorumStore.over(nodes.sessions(sick), Patience.limit())) {
            granted(late, claim("client", 1));
            nodes.forceUnlockIn(0, "a");
            sick.get(2).silence("inspect");
            CompletableFuture<LockStatus> status = late.inspect(ID).toCompletableFuture();
            assertThat(status).isNotDone();
            assertThat(sick.get(2).arrive("inspect")).isEqualTo(2);
            assertThat(answer(status).holders()).hasSize(1);
        }
    }

    /** Names that only one store lists take no place, and a store has one request if it lists enough. */
    @Test
    void listing_isOfNamesThatAMajorityLists() throws Exception {
        for (String stranger : List.of("a", "b")) {
            granted(nodes.stores().get(0), of(stranger, "stranger"));
        }
        List<String> names = new ArrayList<>();
        List<SickStore> sick = sick();
        try (QuorumStore listing = QuorumStore.over(nodes.sessions(sick))) {
            for (int i = 0; i < 110; i++) {
                names.add(String.format(Locale.ROOT, "c%03d", i));
                granted(listing, of(names.get(i), "client"));
            }
            assertThat(answer(listing.list("", 3)))
                    .extracting(LockStatus::name)
                    .containsExactlyElementsOf(names.subList(0, 3));
            assertThat(sick).allMatch(store -> store.asked("list") == 1);
        }
    }

    /** Three names are asked for, and each store lists a hundred and six that nobody else does. */
    @Test
    void listing_asksForMore_ifWhatItGetsMayHaveDisplacedNames() throws Exception {
        for (int store = 0; store < 3; store++) {
            for (int i = 0; i < 106; i++) {
                granted(nodes.stores().get(store), of("a-" + store + "-" + i, "stranger"));
            }
        }
        granted(quorum, of("z", "client"));
        assertThat(answer(quorum.list("", 3))).extracting(LockStatus::name).containsExactly("z");
    }

    private static Claim of(String name, String client) {
        return Claim.of(LockId.lock(name), OwnerId.of(client, 1), LEASE, Party.UNKNOWN);
    }

    /** In one store alone it waits for that store, not for the lock. */
    @Test
    void waiterOfAMinority_isNotListed() throws Exception {
        Claim stranger = claim("stranger", 1);
        granted(nodes.stores().get(0), stranger);
        nodes.stores().get(0).acquire(claim("stranger", 2).waiting(Duration.ZERO));
        LockStatus status = answer(quorum.inspect(ID));
        assertThat(status.holders()).isEmpty();
        assertThat(status.waiters()).isEmpty();
        assertThat(answer(quorum.list("", 10))).isEmpty();
    }

    @Test
    void renewal_tellsWhetherTheClaimWasTakenOrDeleted() throws Exception {
        Claim claim = claim("client", 1);
        granted(quorum, claim);
        pass(LEASE);
        Claim later = claim("other", 1);
        granted(other, later);
        assertThat(answer(quorum.renew(List.of(claim)))).isEqualTo(Map.of(claim, Renewal.TAKEN));
        assertThat(answer(other.release(later))).isTrue();
        assertThat(answer(quorum.renew(List.of(claim)))).isEqualTo(Map.of(claim, Renewal.DELETED));
        assertThat(answer(quorum.renew(List.of()))).isEmpty();
    }

    @Test
    void claimLeftToLapse_isHeldUntilThen_thoughReleasedAgain() throws Exception {
        Claim claim = claim("client", 1);
        granted(quorum, claim);
        Claim lapsing = claim.lapsing(LEASE);
        assertThat(answer(quorum.release(lapsing))).isTrue();
        assertThat(answer(other.release(lapsing)))
                .as("repeated by a client that does not know it")
                .isTrue();
        pass(LEASE.minusMillis(1));
        assertThat(answer(other.acquire(claim("other", 1)))).isInstanceOf(Attempt.Busy.class);
        pass(Duration.ofMillis(1));
        assertThat(answer(other.release(lapsing))).isFalse();
        granted(other, claim("other", 2));
    }

    /** Whoever took the name of a register for a lock of his own keeps no one from the lock. */
    @Test
    void lockInThePlaceOfARegister_countsAsNoFence() throws Exception {
        LockId register = FenceRegister.of(ID);
        for (MemoryStore store : nodes.stores()) {
            granted(store, Claim.of(register, new OwnerId("stranger:one"), LEASE, Party.UNKNOWN));
        }
        Claim claim = claim("client", 1);
        long fence = granted(quorum, claim);
        assertThat(answer(quorum.release(claim))).isTrue();
        assertThat(granted(other, claim("other", 1))).isGreaterThan(fence);
    }

    @Test
    void listing_needsAMajorityThatCanList() throws Exception {
        try (QuorumStore one = QuorumStore.over(withoutCatalog(1))) {
            granted(quorum, claim("client", 1));
            assertThat(one.capabilities()).contains(Capability.LISTING);
            assertThat(answer(one.list("", 10))).extracting(LockStatus::name).containsExactly("a");
        }
        try (QuorumStore two = QuorumStore.over(withoutCatalog(2))) {
            assertThat(two.capabilities()).doesNotContain(Capability.LISTING);
            assertThatThrownBy(() -> answer(two.list("", 10)))
                    .rootCause()
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageStartingWith("This store cannot list its locks");
        }
    }

    @Test
    void command_isRefused_sinceThereAreOnlyPlainLocks() {
        Command command = BlockingClient.command(claim("client", 1), new Command.RequestRevocation());

        assertThatThrownBy(() -> answer(quorum.execute(command)))
                .rootCause()
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageStartingWith("QuorumStore does not support asking a holder to let go");
    }

    /** Stores of which some have the six verbs only. */
    private List<LockStore> withoutCatalog(int count) {
        List<LockStore> all = nodes.sessions(store -> store);
        return Stream.concat(
                        all.stream().limit(count).map(QuorumVerbsTest::verbsOf),
                        all.stream().skip(count))
                .toList();
    }

    private static LockStore verbsOf(LockStore store) {
        return (LockStore) Proxy.newProxyInstance(
                QuorumVerbsTest.class.getClassLoader(),
                new Class<?>[] {LockStore.class},
                (proxy, method, arguments) ->
                        method.getName().equals("capabilities") ? Set.of() : method.invoke(store, arguments));
    }

    private static Claim claim(String client, int number) {
        return Claim.of(ID, OwnerId.of(client, number), LEASE, Party.UNKNOWN);
    }

    private static long granted(LockStore store, Claim claim) throws Exception {
        return ((Attempt.Granted) answer(store.acquire(claim))).fence();
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(Patience.seconds(), TimeUnit.SECONDS);
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }
}
