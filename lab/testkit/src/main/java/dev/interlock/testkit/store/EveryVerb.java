package dev.interlock.testkit.store;

import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Asks a store for every verb, in every mode and with every action that it has, one after the other, as a user who may
 * lack a right. What the answers must be is in the contracts.
 */
public final class EveryVerb {

    private static final Duration WAITED = Duration.ofSeconds(1);

    private final BlockingClient client;
    private final BlockingClient other;
    private final Map<String, Throwable> failures = new LinkedHashMap<>();

    private EveryVerb(BlockingClient client, BlockingClient other) {
        this.client = client;
        this.other = other;
    }

    /**
     * What has failed, by what was asked; empty if nothing has.
     *
     * @param client asks
     * @param other another client with the same rights, which is in the way now and then
     * @param name nobody else uses it
     */
    public static Map<String, Throwable> failures(BlockingClient client, BlockingClient other, String name) {
        EveryVerb every = new EveryVerb(client, other);
        every.lock(LockId.lock(name + "-lock"));
        every.readWrite(new LockId(name + "-rw", LockKind.READ_WRITE));
        every.permits(new LockId(name + "-permits", LockKind.SEMAPHORE));
        every.latch(new LockId(name + "-latch", LockKind.LATCH));
        return every.failures;
    }

    private void lock(LockId id) {
        LockStore store = client.store();
        Claim held = client.claim(id);
        acquire("acquire", held);
        acquire("acquire again", held);
        renew("renew", held.withLease(held.lease().multipliedBy(2)));
        Claim waiting = other.claim(id).waiting(WAITED);
        ask("wait", () -> other.store().acquire(waiting));
        ask("inspect", () -> store.inspect(id));
        ask("list", () -> ((LockCatalog) store).list(id.name(), 10));
        if (store.capabilities().contains(Capability.REVOCATION)) {
            execute("ask", client.command(id, new Command.RequestRevocation()));
        }
        Claim next = client.claim(id).inMode(Mode.fair()).waiting(WAITED).replacing(held.owner());
        acquire("replace", next);
        ask("take the turn", () -> other.store().acquire(waiting));
        release("give up", next);
        ask("force", () -> store.release(waiting.byForce()));
        ask("renew what was ended by force", () -> other.store().renew(List.of(waiting)));
        ask("release what was ended by force", () -> other.store().release(waiting));
        release("release", held);
        release("release what is not there", client.claim(id));
        if (store.capabilities().contains(Capability.LAPSE)) {
            Claim left = client.claim(id);
            acquire("acquire", left);
            release("lapse", left.lapsing(Duration.ofMillis(1)));
        }
    }

    private void readWrite(LockId id) {
        Claim writer = client.claim(id);
        acquire("write", writer);
        renew("renew a writer", writer);
        Claim reader = other.claim(id).inMode(Mode.shared());
        ask("wait to read", () -> other.store().acquire(reader.waiting(WAITED)));
        acquire("downgrade", writer.inMode(Mode.shared()));
        ask("read", () -> other.store().acquire(reader));
        renew("renew a reader", writer.inMode(Mode.shared()));
        ask("inspect", () -> client.store().inspect(id));
        release("release a reader", writer.inMode(Mode.shared()));
        ask("release a reader", () -> other.store().release(reader));
    }

    private void permits(LockId id) {
        Claim permits = client.claim(id).inMode(new Mode.Permits(2, 3));
        acquire("take permits", permits);
        renew("renew permits", permits);
        Claim waiting = other.claim(id).inMode(new Mode.Permits(2, 3)).waiting(WAITED);
        ask("wait for permits", () -> other.store().acquire(waiting));
        execute("resize", client.command(id, new Command.Resize(3)));
        execute("resize again", client.command(id, new Command.Resize(4)));
        execute("add permits", client.command(id, new Command.AddPermits(1, 3)));
        ask("take permits that were added", () -> other.store().acquire(waiting));
        execute("return a permit", BlockingClient.command(permits, new Command.KeepPermits(1)));
        ask("inspect", () -> client.store().inspect(id));
        release("release permits", permits.inMode(new Mode.Permits(1, 3)));
        ask("release permits", () -> other.store().release(waiting));
    }

    private void latch(LockId id) {
        execute("set a count", client.command(id, new Command.SetCount(2)));
        Claim waiting = client.claim(id).inMode(new Mode.AwaitZero()).waiting(WAITED);
        acquire("wait for zero", waiting);
        ask("inspect", () -> client.store().inspect(id));
        execute("count down", client.command(id, new Command.CountDown()));
        execute("count down to zero", client.command(id, new Command.CountDown()));
        acquire("go on at zero", waiting);
        release("leave a latch", waiting);
    }

    private void acquire(String what, Claim claim) {
        ask(what, () -> client.store().acquire(claim));
    }

    private void execute(String what, Command command) {
        ask(what, () -> client.store().execute(command));
    }

    private void renew(String what, Claim claim) {
        ask(what, () -> client.store().renew(List.of(claim)));
    }

    private void release(String what, Claim claim) {
        ask(what, () -> client.store().release(claim));
    }

    /** Waits for the answer; longer if the machine is busy. */
    private <T> void ask(String what, Supplier<CompletionStage<T>> request) {
        try {
            var unused = BlockingClient.repeated(request);
        } catch (AssertionError e) {
            failures.putIfAbsent(what, Objects.requireNonNull(LockStore.causeOf(e.getCause())));
        }
    }
}
