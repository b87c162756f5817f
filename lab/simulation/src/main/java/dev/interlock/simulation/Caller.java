package dev.interlock.simulation;

import dev.interlock.DistributedLock;
import dev.interlock.DistributedReadWriteLock;
import dev.interlock.DistributedSemaphore;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A user's code: asks, looks at the lease while it works, lets go. All of it runs on threads of its process. */
// A history is numbers: cheap to keep, and to compare.
@SuppressWarnings("EnumOrdinal")
final class Caller {

    private static final int LOOKS = 3;
    private static final Duration HAND_OVER_TIME = Duration.ofMillis(100);

    private final World world;
    private final SimulatedProcess process;
    private final Ask ask;
    private @Nullable Lease lease;
    private boolean holds;

    /** Whether it has released its lease early, and an observer has not learnt the outcome yet. */
    private boolean releasedEarly;

    private boolean asked;
    private boolean done;

    Caller(World world, SimulatedProcess process, Ask ask) {
        this.world = world;
        this.process = process;
        this.ask = ask;
    }

    int name() {
        return ask.name();
    }

    /** Whether nothing more comes from this, unless one that it follows lets go. */
    boolean isOver() {
        boolean follows = ask.atNanos() == Ask.FOLLOWS && !asked;
        return process.isDead() || follows || (done && !holds);
    }

    /** Whether it asks when that one lets go. */
    boolean follows(Ask released) {
        return !asked && ask.atNanos() == Ask.FOLLOWS && ask.number() == released.number() + 1;
    }

    /**
     * Whether it waits for the outcome of the release of the lease with this token. When a server has forgotten its
     * fences, two leases of a process may have one token.
     */
    boolean awaitsOutcome(int inProcess, int name, long token) {
        Lease had = lease;
        return releasedEarly
                && had != null
                && had.token() == token
                && ask.name() == name
                && process.number() == inProcess;
    }

    // ---- asking

    void ask() {
        see(Event.Kind.ASKED, 0, 0);
        asked = true;
        CompletionStage<Optional<Lease>> outcome;
        try {
            outcome = send();
        } catch (RuntimeException e) {
            decided(null, e);
            return;
        }
        var unused = outcome.whenComplete(this::decided);
        if (ask.leaveNanos() > 0) {
            process.runAfter(ask.leaveNanos(), this::leave);
        }
    }

    private @Nullable Runnable canceller;

    private void leave() {
        if (!done && canceller != null) {
            canceller.run();
        }
    }

    private CompletionStage<Optional<Lease>> send() {
        Setting setting = world.setting();
        LockOptions.Builder chosen = LockOptions.builder()
                .lease(term())
                .handOver(setting.handOvers(), HAND_OVER_TIME)
                .fair(setting.kind() == Setting.Kind.FAIR)
                .releaseEarly(setting.kind() == Setting.Kind.EARLY);
        if (setting.retainedNanos() > 0 && !ask.isFixed()) {
            chosen.retained(Duration.ofNanos(setting.retainedNanos()));
        }
        LockOptions options = chosen.build();
        String name = Integer.toString(ask.name());
        return switch (setting.kind()) {
            case EARLY, LOCK, FAIR, QUORUM -> send(process.engine().lock(LockId.lock(name), options));
            case READ_WRITE -> {
                DistributedReadWriteLock both =
                        process.engine().readWriteLock(new LockId(name, LockKind.READ_WRITE), options);
                yield send(ask.share() == 0 ? both.readLock() : both.writeLock());
            }
            case SEMAPHORE ->
                send(process.engine().semaphore(new LockId(name, LockKind.SEMAPHORE), setting.capacity(), options));
        };
    }

    private CompletionStage<Optional<Lease>> send(DistributedLock lock) {
        return switch (ask.want()) {
            case FOR_EVER -> cancellable(lock.acquireAsync()).thenApply(Optional::of);
            case TIMED -> cancellable(lock.tryAcquireAsync(Duration.ofNanos(ask.waitNanos())));
            case ONCE -> cancellable(lock.tryAcquireAsync());
        };
    }

    private CompletionStage<Optional<Lease>> send(DistributedSemaphore semaphore) {
        return ask.want() == Ask.Want.FOR_EVER
                ? cancellable(semaphore.acquireAsync(ask.share())).thenApply(Optional::of)
                : cancellable(semaphore.tryAcquireAsync(
                        ask.share(), Duration.ofNanos(ask.want() == Ask.Want.ONCE ? 0 : ask.waitNanos())));
    }

    private <T> CompletionStage<T> cancellable(CompletionStage<T> stage) {
        canceller = () -> stage.toCompletableFuture().cancel(false);
        return stage;
    }

    private LeaseTerm term() {
        Duration length = Duration.ofNanos(ask.leaseNanos());
        if (ask.isFixed()) {
            return LeaseTerm.fixed(length);
        }
        LeaseTerm term = LeaseTerm.renewing(length);
        return ask.mostNanos() > 0 ? term.maxHold(Duration.ofNanos(ask.mostNanos())) : term;
    }

    // As a stage calls it: there is a value, or a failure.
    @SuppressWarnings("NullableOptional")
    private void decided(@Nullable Optional<Lease> granted, @Nullable Throwable failure) {
        done = true;
        if (failure != null) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            if (cause instanceof CancellationException) {
                see(Event.Kind.LEFT, 0, 0);
            } else if (cause instanceof StoreUnavailableException) {
                see(Event.Kind.FAILED, 0, 0);
            } else {
                process.threw(cause);
            }
        } else if (granted == null || granted.isEmpty()) {
            see(Event.Kind.REFUSED, 0, 0);
        } else {
            hold(granted.get());
        }
        world.somethingEnded();
    }

    // ---- holding

    private void hold(Lease granted) {
        lease = granted;
        holds = true;
        see(Event.Kind.GRANTED, granted.token(), ask.share());
        if (ask.number() % LOOKS == 0) {
            process.runAfter(ask.holdNanos() / LOOKS, this::listen);
        } else {
            listen();
        }
        world.look(ask.name());
        for (int i = 1; i < LOOKS; i++) {
            process.runAfter(ask.holdNanos() * i / LOOKS, () -> world.look(ask.name()));
        }
        if (ask.end() != Ask.End.FORGET) {
            process.runAfter(ask.holdNanos(), this::release);
        }
    }

    private void listen() {
        Lease held = lease;
        if (held != null && holds) {
            see(Event.Kind.LISTENS, held.token(), 0);
            held.onLost(this::lost);
        }
    }

    /** Says whether the lease counts, at this moment, if there is one. */
    void look() {
        Lease held = lease;
        if (held != null && holds && !process.isDead()) {
            see(held.isValid() ? Event.Kind.VALID : Event.Kind.INVALID, held.token(), ask.share());
        }
    }

    private void lost(LossCause cause) {
        holds = false;
        Lease held = lease;
        see(Event.Kind.LOST, cause.ordinal(), held != null && held.isValid() ? 1 : 0);
        world.somethingEnded();
    }

    private void release() {
        Lease held = lease;
        if (held == null) {
            return;
        }
        look();
        holds = false;
        see(Event.Kind.RELEASES, held.token(), 0);
        if (world.setting().kind() == Setting.Kind.EARLY) {
            // An observer learns the outcome, of a loss maybe earlier.
            boolean over = !held.isValid();
            releasedEarly = true;
            held.close();
            ReleaseOutcome loss = over ? process.lossOf(ask.name(), held.token()) : null;
            if (loss != null) {
                process.later(() -> learns(loss));
            }
        } else {
            var unused = held.releaseAsync().thenAccept(this::released);
        }
        if (ask.end() == Ask.End.RELEASE_TWICE) {
            var unused = held.releaseAsync().thenAccept(this::released);
        }
        world.letGo(ask);
    }

    /** An observer learns the outcome of its early release. */
    void learns(ReleaseOutcome outcome) {
        releasedEarly = false;
        released(outcome);
    }

    private void released(ReleaseOutcome outcome) {
        LossCause cause = outcome.lossCause();
        see(Event.Kind.RELEASED, outcome.status().ordinal(), cause == null ? -1 : cause.ordinal());
        world.somethingEnded();
    }

    /** Whether it has asked, and waits. */
    boolean isWaiting() {
        return asked && !done;
    }

    private void see(Event.Kind kind, long value, long other) {
        world.history().add(kind, process.number(), ask.number(), ask.name(), value, other);
    }
}
