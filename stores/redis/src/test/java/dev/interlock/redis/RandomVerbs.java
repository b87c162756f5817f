package dev.interlock.redis;

import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Some verbs of several clients on one name, one after the other, at random: each claim as an engine uses it. */
final class RandomVerbs {

    private static final int STEPS = 40;
    private static final int MOST_CLAIMS = 7;
    private static final int CAPACITY = 4;

    private final ModelRun run;
    private final List<String> clients;
    private final LockKind kind;
    private final Random random;
    private final LockId id;
    private final List<Claim> claims = new ArrayList<>();
    private final List<Claim> held = new ArrayList<>();
    private final List<Claim> forced = new ArrayList<>();
    private int sequence;

    RandomVerbs(ModelRun run, List<String> clients, LockKind kind, long seed) {
        this.run = run;
        this.clients = clients;
        this.kind = kind;
        this.random = new Random(seed);
        this.id = new LockId("random:" + UUID.randomUUID(), kind);
    }

    /** Plays them all, and releases what is left. */
    void play() {
        run.forget();
        for (int step = 0; step < STEPS; step++) {
            step();
        }
        List.copyOf(claims).forEach(this::release);
    }

    private void step() {
        int choice = random.nextInt(12);
        if (kind == LockKind.LATCH && choice < 6) {
            count(choice);
        } else if (claims.size() < MOST_CLAIMS && choice < 5) {
            Claim claim = fresh();
            ask(choice == 0 ? claim : claim.waiting(Duration.ofSeconds(1 + random.nextInt(1000))));
        } else if (!claims.isEmpty()) {
            Claim claim = claims.get(random.nextInt(claims.size()));
            switch (choice) {
                case 5, 6 -> release(claim);
                case 7 -> force(claim);
                case 8 -> renew(claim);
                case 9 -> change(claim);
                default -> ask(claim);
            }
        }
    }

    private void count(int choice) {
        Command.Action action = choice == 0 ? new Command.SetCount(1 + random.nextInt(4)) : new Command.CountDown();
        Command command = command(action);
        boolean executed = run.execute(command);
        if (executed && choice % 2 == 0) {
            // The answer was lost.
            run.execute(command);
        }
    }

    private void ask(Claim claim) {
        claims.remove(claim);
        held.remove(claim);
        boolean granted = run.acquire(claim);
        if (granted && claim.mode().holds()) {
            held.add(claim);
        }
        if (claim.waited() != null || granted) {
            claims.add(claim.replacing(null));
        }
    }

    private void release(Claim claim) {
        claims.remove(claim);
        held.remove(claim);
        run.release(claim);
    }

    private void force(Claim claim) {
        if (held.contains(claim)) {
            release(claim.byForce());
            forced.clear();
            forced.add(claim);
        }
    }

    /** Of a lock only the last one is remembered that was ended by force. */
    private void renew(Claim claim) {
        run.renew(claim);
        forced.forEach(run::renew);
    }

    private void change(Claim claim) {
        if (kind == LockKind.SEMAPHORE && random.nextBoolean()) {
            run.execute(command(new Command.Resize(1 + random.nextInt(2 * CAPACITY))));
        } else if (kind == LockKind.READ_WRITE && held.contains(claim) && claim.mode() instanceof Mode.Exclusive) {
            ask(claim.inMode(Mode.shared()));
        } else if (kind != LockKind.LATCH && held.contains(claim) && isAlone(claim)) {
            claims.remove(claim);
            held.remove(claim);
            OwnerId next = OwnerId.of(claim.owner().clientId(), ++sequence);
            Claim later = Claim.of(id, mode(), next, Probe.LEASE, Probe.PARTY);
            ask((random.nextBoolean() ? later.waiting(Duration.ofSeconds(random.nextInt(1000))) : later)
                    .replacing(claim.owner()));
        }
    }

    /** A client that takes turns has no other claim on the name. */
    private boolean isAlone(Claim claim) {
        return claims.stream()
                .noneMatch(other -> !other.equals(claim)
                        && other.owner().clientId().equals(claim.owner().clientId()));
    }

    private Claim fresh() {
        return Claim.of(id, mode(), owner(), Probe.LEASE, Probe.PARTY);
    }

    private Command command(Command.Action action) {
        return new Command(id, action, owner(), Probe.LEASE, Probe.PARTY);
    }

    private OwnerId owner() {
        return OwnerId.of(clients.get(random.nextInt(clients.size())), ++sequence);
    }

    private Mode mode() {
        return switch (kind) {
            case LOCK -> random.nextBoolean() ? Mode.exclusive() : Mode.fair();
            case READ_WRITE -> random.nextInt(3) == 0 ? Mode.fair() : Mode.shared();
            case SEMAPHORE -> new Mode.Permits(1 + random.nextInt(CAPACITY), CAPACITY);
            case LATCH -> new Mode.AwaitZero();
        };
    }
}
