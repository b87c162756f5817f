package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Sends the same verbs to a store and to its model, and compares what both say, who holds and waits then, and who was
 * woken.
 */
final class ModelRun {

    /** One client of each, by its client id. */
    record Client(String id, LockStore store, LockStore model) {}

    /** A waiting claim keeps its place for 5 s: a run that the machine holds up for longer proves nothing. */
    static final Duration QUICK = Duration.ofSeconds(4);

    private static final Duration WAKE = Duration.ofMinutes(5);

    private final Map<String, Client> clients = new TreeMap<>();
    private final Set<OwnerId> wokenByStore = ConcurrentHashMap.newKeySet();
    private final Set<OwnerId> wokenByModel = ConcurrentHashMap.newKeySet();

    /** Claims that were woken and have not asked again: Redis takes them off the list, the store in memory does not. */
    private final Set<String> woken = new HashSet<>();

    private final Map<OwnerId, Long> fences = new ConcurrentHashMap<>();
    private long lastFence;
    private long begunNanos = System.nanoTime();

    void join(Client client) {
        clients.put(client.id(), client);
        client.store().onWake(wake -> add(wokenByStore, wake));
        client.model().onWake(wake -> add(wokenByModel, wake));
    }

    /** Lets each client wait once: from then on a claim of it that waits is listed at once. */
    void warm() {
        LockId id = LockId.lock("warm:" + UUID.randomUUID());
        for (Client client : clients.values()) {
            Claim held = Claim.of(id, OwnerId.of(client.id(), 1), Probe.LEASE, Probe.PARTY);
            Claim waits = Claim.of(id, OwnerId.of(client.id(), 2), Probe.LEASE, Probe.PARTY)
                    .waiting(Duration.ZERO);
            Probe.answer(client.store().acquire(held));
            await().until(() -> {
                Probe.answer(client.store().acquire(waits));
                return !Probe.answer(client.store().inspect(id)).waiters().isEmpty();
            });
            Probe.answer(client.store().release(waits));
            Probe.answer(client.store().release(held));
        }
        forget();
    }

    /** Whether it was granted. */
    boolean acquire(Claim claim) {
        wokenByStore.remove(claim.owner());
        woken.remove(claim.owner().value());
        Attempt answer = both(claim.owner(), claim, store -> Probe.answer(store.acquire(claim)), ModelRun::isGranted);
        if (answer instanceof Attempt.Granted granted) {
            fence(claim, granted.fence());
        } else {
            assertThat(((Attempt.Busy) answer).retryAfter()).isPositive();
        }
        compare(claim.id());
        return answer instanceof Attempt.Granted;
    }

    /** Whether it was not refused. */
    boolean execute(Command command) {
        boolean executed =
                both(command.owner(), command, store -> Probe.answer(store.execute(command)), answer -> answer);
        compare(command.id());
        return executed;
    }

    void release(Claim claim) {
        both(claim.owner(), claim, store -> Probe.answer(store.release(claim)), released -> released);
        fences.remove(claim.owner());
        succeed(claim.id());
        compare(claim.id());
    }

    /** The release of a fair lock may have granted it to the next, which the model does not by itself. */
    private void succeed(LockId id) {
        Client any = clients.values().iterator().next();
        boolean isFree = Probe.answer(any.model().inspect(id)).holders().isEmpty();
        if (id.kind() != LockKind.LOCK || !isFree) {
            return;
        }
        Probe.answer(any.store().inspect(id)).holders().forEach(next -> {
            OwnerId owner = new OwnerId(next.owner());
            Client client = Objects.requireNonNull(clients.get(owner.clientId()));
            Claim granted = Claim.of(id, next.mode(), owner, Probe.LEASE, Probe.PARTY);
            assertThat(Probe.answer(client.model().acquire(granted))).isInstanceOf(Attempt.Granted.class);
        });
    }

    void renew(Claim claim) {
        both(
                claim.owner(),
                claim,
                store -> Probe.answer(store.renew(List.of(claim))).getOrDefault(claim, Renewal.DELETED),
                renewal -> known(claim, renewal));
        compare(claim.id());
    }

    /** A semaphore that nobody uses has forgotten its capacity: whether a lost claim would fit is not known then. */
    private static Renewal known(Claim claim, Renewal renewal) {
        return claim.id().kind() == LockKind.SEMAPHORE && renewal == Renewal.TAKEN ? Renewal.DELETED : renewal;
    }

    private <T> T both(OwnerId owner, Object request, Function<LockStore, T> verb, Function<T, Object> essence) {
        Client client = Objects.requireNonNull(clients.get(owner.clientId()));
        T expected = verb.apply(client.model());
        T answer = verb.apply(client.store());
        assertThat(essence.apply(answer)).as("answer for %s", request).isEqualTo(essence.apply(expected));
        return answer;
    }

    private static Object isGranted(Attempt attempt) {
        return attempt instanceof Attempt.Granted;
    }

    private void fence(Claim claim, long fence) {
        Long before = claim.mode().holds() ? fences.put(claim.owner(), fence) : null;
        if (before == null) {
            assertThat(fence).as("fence of %s", claim).isGreaterThan(lastFence);
            lastFence = fence;
        } else {
            assertThat(fence).as("fence of %s, asked again", claim).isEqualTo(before);
        }
    }

    private void compare(LockId id) {
        Client any = clients.values().iterator().next();
        wokenByModel.forEach(owner -> woken.add(owner.value()));
        assertThat(essence(Probe.answer(any.store().inspect(id))))
                .isEqualTo(essence(Probe.answer(any.model().inspect(id))));
        boolean inTime = System.nanoTime() - begunNanos < QUICK.toNanos();
        try {
            await().atMost(inTime ? WAKE : QUICK)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .untilAsserted(() -> assertThat(wokenByStore).containsAll(wokenByModel));
        } catch (ConditionTimeoutException e) {
            if (inTime) {
                throw e;
            }
            throw new AssertionError("A claim that has lost its place is not woken", e);
        }
        wokenByModel.clear();
    }

    private List<Object> essence(LockStatus status) {
        Map<String, String> holders = new TreeMap<>();
        status.holders().forEach(holder -> holders.put(holder.owner(), text(holder.mode())));
        List<String> waiters = status.waiters().stream()
                .filter(waiter -> !woken.contains(waiter.owner()))
                .map(waiter -> waiter.owner() + " " + text(waiter.mode()))
                .toList();
        return List.of(holders, waiters, status.count());
    }

    private static String text(Object mode) {
        return mode.toString();
    }

    private static void add(Set<OwnerId> woken, Wake wake) {
        OwnerId owner = wake.owner();
        if (owner != null) {
            woken.add(owner);
        }
    }

    /** Forgets everything of a name that is not used any more. */
    void forget() {
        wokenByStore.clear();
        wokenByModel.clear();
        fences.clear();
        lastFence = 0;
        begunNanos = System.nanoTime();
    }
}
