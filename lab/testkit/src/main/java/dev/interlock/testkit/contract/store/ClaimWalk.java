package dev.interlock.testkit.contract.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Renewal;
import dev.interlock.testkit.fixture.StoreClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A random walk on one name: the store and a {@link ClaimModel} are told the same, and must answer the same. */
final class ClaimWalk {

    /** What lets time pass in the store under test; null if only waiting would. */
    private final @Nullable Consumer<Duration> clock;

    private final List<StoreClient> clients;
    private final Wakes wakes;
    private final boolean turnsHold;
    private final boolean releaseGrants;
    private final LockId id;
    private final Function<Random, Mode> modes;
    private final Random random;
    private final ClaimModel model = new ClaimModel();

    /** All claims that were not released, with the client of each; some may be over. */
    private final List<Claim> claims = new ArrayList<>();

    private final Map<Claim, StoreClient> clientOf = new HashMap<>();
    private final Map<Claim, Long> fences = new HashMap<>();
    private long lastFence;
    private String step = "begin";

    /** When the store had answered the requests of the last step: what is awaited after that must come. */
    private long answeredNanos = System.nanoTime();

    ClaimWalk(
            List<StoreClient> clients,
            Wakes wakes,
            boolean turnsHold,
            boolean releaseGrants,
            LockId id,
            Function<Random, Mode> modes,
            Random random,
            @Nullable Consumer<Duration> clock) {
        this.clients = clients;
        this.wakes = wakes;
        this.turnsHold = turnsHold;
        this.releaseGrants = releaseGrants;
        this.id = id;
        this.modes = modes;
        this.random = random;
        this.clock = clock;
    }

    /** So many steps, and then everything is released. */
    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            Set<Claim> readyBefore = model.ready();
            clients.forEach(StoreClient::forgetWakes);
            Claim by = step();
            answeredNanos = System.nanoTime();
            compare();
            for (Claim ready : newlyReady(readyBefore, by)) {
                wakes.reach(client(ready), ready, step);
            }
        }
        for (Claim claim : List.copyOf(claims)) {
            release(claim);
            compare();
        }
    }

    long answeredNanos() {
        return answeredNanos;
    }

    /** One step; the claim that took it, or null for time. */
    private @Nullable Claim step() {
        int what = random.nextInt(100);
        if (claims.isEmpty() || (what < 30 && claims.size() < 12)) {
            return acquireNew(null);
        }
        Claim claim = claims.get(random.nextInt(claims.size()));
        if (what < 50) {
            return acquireAgain(claim);
        } else if (what < 70) {
            return release(claim);
        } else if (what < 75) {
            return leaves() ? leave(claim) : release(claim);
        } else if (what < 85) {
            return renew(claim);
        } else if (what < 93) {
            return acquireNew(claim);
        } else {
            return clock == null ? acquireAgain(claim) : pass(clock);
        }
    }

    private Claim acquireNew(@Nullable Claim replaced) {
        StoreClient client = replaced == null ? clients.get(random.nextInt(clients.size())) : client(replaced);
        Claim claim = client.claim(id, anyLease()).inMode(modes.apply(random));
        if (replaced != null) {
            claims.remove(replaced);
            claim = claim.waiting(Duration.ZERO).replacing(replaced.owner());
        } else if (random.nextBoolean()) {
            claim = claim.waiting(Duration.ZERO);
        }
        clientOf.put(claim, client);
        acquire(claim);
        if (claim.waited() != null || fences.containsKey(claim)) {
            claims.add(claim.replacing(null));
        }
        return claim;
    }

    /**
     * As the engine does: a claim that waits asks again, and one that is held as exclusive turns to shared, or asks
     * again because an answer was lost.
     */
    private Claim acquireAgain(Claim claim) {
        if (claim.owner().isLeft()) {
            // It has no client that could ask.
            return renew(claim);
        }
        boolean mayShare = id.kind() == LockKind.READ_WRITE && claim.mode() instanceof Mode.Exclusive;
        Claim asked = mayShare && random.nextBoolean() ? claim.inMode(Mode.shared()) : claim;
        claims.set(claims.indexOf(claim), asked);
        acquire(asked);
        return asked;
    }

    private void acquire(Claim claim) {
        step = "acquire " + claim + " waited=" + claim.waited() + " replaces=" + claim.replaces();
        boolean held = model.holds(claim);
        boolean expected = model.acquire(claim);
        Attempt attempt = client(claim).acquire(claim);
        if (turnsHold && expected && claim.replaces() != null && attempt instanceof Attempt.Busy) {
            // Those whose turn it has become with the end of the earlier claim come first, and have to find out.
            attempt = await(step)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> client(claim).acquire(claim.replacing(null)), Attempt.Granted.class::isInstance);
        }
        assertThat(attempt instanceof Attempt.Granted).as(step).isEqualTo(expected);
        if (!(attempt instanceof Attempt.Granted granted)) {
            return;
        }
        if (held) {
            assertThat(granted.fence()).as(step + ": fence").isEqualTo(fences.get(claim));
        } else {
            if (turnsHold && !(claim.mode() instanceof Mode.Exclusive)) {
                assertThat(fences.values()).as(step + ": fences").doesNotContain(granted.fence());
            } else {
                assertThat(granted.fence()).as(step + ": fence").isGreaterThan(lastFence);
            }
            lastFence = Math.max(lastFence, granted.fence());
            fences.put(claim, granted.fence());
        }
    }

    private Claim release(Claim claim) {
        step = "release " + claim;
        claims.remove(claim);
        boolean held = model.release(claim.owner());
        assertThat(client(claim).release(claim)).as(step).isEqualTo(held);
        if (held && releaseGrants && id.kind() == LockKind.LOCK) {
            // The next one asks, as its wake has it do, and is told of its grant.
            model.ready().stream().findFirst().ifPresent(this::acquire);
        }
        return claim;
    }

    private Duration anyLease() {
        return Duration.ofSeconds(clock == null ? 300 : 1 + random.nextInt(20));
    }

    private boolean leaves() {
        return clients.get(0).store().capabilities().contains(Capability.LAPSE);
    }

    /** Leaves a claim to lapse. The one that stays is a claim like any other, which anybody may end. */
    private Claim leave(Claim claim) {
        step = "leave " + claim;
        claims.remove(claim);
        Claim left = Claim.of(id, claim.mode(), claim.owner().left(), anyLease(), claim.party());
        boolean expected = model.lapse(claim, left);
        assertThat(client(claim).release(claim.lapsing(left.lease()))).as(step).isEqualTo(expected);
        if (expected) {
            claims.add(left);
            clientOf.put(left, client(claim));
            fences.put(left, Objects.requireNonNull(fences.get(claim)));
        }
        return claim;
    }

    private Claim renew(Claim claim) {
        step = "renew " + claim;
        assertThat(client(claim).renew(claim) == Renewal.HELD).as(step).isEqualTo(model.renew(claim));
        return claim;
    }

    private @Nullable Claim pass(Consumer<Duration> passing) {
        Duration time = Duration.ofMillis(1 + random.nextInt(random.nextInt(4) == 0 ? 8_000 : 800));
        step = "let pass " + time;
        passing.accept(time);
        model.advance(time);
        return null;
    }

    private void compare() {
        if (turnsHold) {
            // Whoever holds then has to find out first that it is its turn.
            await("holders and waiters after: " + step)
                    .pollInterval(Duration.ofMillis(2))
                    .pollDelay(Duration.ZERO)
                    .untilAsserted(this::compareNow);
        } else {
            compareNow();
        }
    }

    private void compareNow() {
        LockStatus status = clients.get(0).inspect(id);
        String seen = status.holders().stream()
                        .map(holder -> holder.owner() + " " + holder.mode())
                        .sorted()
                        .collect(Collectors.joining(", "))
                + " | "
                + status.waiters().stream()
                        .map(waiter -> waiter.owner() + " " + waiter.mode())
                        .collect(Collectors.joining(", "));
        assertThat(seen).as("holders | waiters after: %s", step).isEqualTo(model.picture(turnsHold));
    }

    /** Whose turn it has become by this step; what time alone brings about nobody is told. */
    private Set<Claim> newlyReady(Set<Claim> before, @Nullable Claim by) {
        if (by == null) {
            return Set.of();
        }
        Set<Claim> ready = model.ready();
        ready.removeAll(before);
        ready.remove(by);
        return ready;
    }

    private StoreClient client(Claim claim) {
        return Objects.requireNonNull(clientOf.get(claim));
    }
}
