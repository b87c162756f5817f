package dev.interlock.engine;

import dev.interlock.DistributedSemaphore;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.LossCause;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A semaphore: each holder has a claim of its own, acquired for it or handed over by another caller of this process.
 */
final class EngineSemaphore implements DistributedSemaphore {

    /** How long the store remembers a capacity that was set. */
    private static final Duration RESIZED_LIFE = Duration.ofDays(1);

    private final EngineCore core;
    private final LockId id;
    private final int capacity;
    private final LockOptions options;

    EngineSemaphore(EngineCore core, LockId id, int capacity, LockOptions options) {
        this.core = core;
        this.id = id;
        this.capacity = checked(id, "The capacity", capacity, Integer.MAX_VALUE);
        this.options = options;
    }

    @Override
    public String name() {
        return id.name();
    }

    @Override
    public Lease acquire(int permits) throws InterruptedException {
        return acquire(permits, options.lease());
    }

    @Override
    public Lease acquire(int permits, LeaseTerm term) throws InterruptedException {
        Acquisition acquisition = acquisition(permits, term);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return acquisition.untilInterrupted();
    }

    @Override
    public Optional<Lease> tryAcquire(int permits) {
        return tryAcquire(permits, options.lease());
    }

    @Override
    public Optional<Lease> tryAcquire(int permits, LeaseTerm term) {
        return Optional.ofNullable(acquisition(permits, term).once());
    }

    @Override
    public Optional<Lease> tryAcquire(int permits, Duration wait) throws InterruptedException {
        return tryAcquire(permits, wait, options.lease());
    }

    @Override
    public Optional<Lease> tryAcquire(int permits, Duration wait, LeaseTerm term) throws InterruptedException {
        Acquisition acquisition = acquisition(permits, term);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return Optional.ofNullable(acquisition.within(wait));
    }

    @Override
    public CompletionStage<Lease> acquireAsync(int permits) {
        return acquireAsync(permits, options.lease());
    }

    @Override
    public CompletionStage<Lease> acquireAsync(int permits, LeaseTerm term) {
        return acquisition(permits, term, Acquisition::async);
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(int permits) {
        return tryAcquireAsync(permits, options.lease());
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(int permits, LeaseTerm term) {
        return acquisition(permits, term, Acquisition::asyncOnce);
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(int permits, Duration wait) {
        return tryAcquireAsync(permits, wait, options.lease());
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(int permits, Duration wait, LeaseTerm term) {
        return acquisition(permits, term, acquisition -> acquisition.asyncWithin(wait));
    }

    @Override
    public Optional<Lease> drain() {
        int most = capacity;
        int before = -1;
        while (true) {
            LockStatus status = inspect();
            int available = available(status);
            int free = Math.min(available, most);
            if (free < 1) {
                return Optional.empty();
            }
            Optional<Lease> all = tryAcquire(free);
            if (all.isPresent() || !inspect().waiters().isEmpty()) {
                return all;
            }
            // Others were faster, and fewer permits are left; or the store counts by the capacity that this client
            // gives, and would refuse the same number for ever.
            int byOurs = available + capacity - capacityOf(status);
            most = available == before && byOurs > 0 && byOurs < free ? byOurs : free - 1;
            before = available;
        }
    }

    @Override
    public void release(Lease lease, int permits) {
        if (!(lease instanceof EngineLease ours && ours.life().claim().id().equals(id))) {
            throw new IllegalArgumentException("The lease must be of semaphore '" + id.printable() + "': " + lease);
        }
        int rest = ours.reduce(permits);
        if (rest == 0) {
            LossCause cause = ours.release().lossCause();
            if (cause != null) {
                throw ours.lostByRelease(cause);
            }
        } else if (!keep(ours.life().claim(), rest)) {
            // The claim is gone: a renewal learns why. It makes no lease longer.
            ours.extend(LeaseTerm.MIN);
        }
    }

    private boolean keep(Claim claim, int permits) {
        Command.Action fewer = new Command.KeepPermits(permits);
        return new Administration(core).execute(new Command(id, fewer, claim.owner(), claim.lease(), claim.party()));
    }

    @Override
    public boolean release(String leaseId) {
        OwnerId owner = new OwnerId(leaseId);
        if (!owner.isOfAcquisition()) {
            // It may be anything, and too long to be quoted.
            throw new IllegalArgumentException("The id of a lease must be one that Lease.id() has returned, a UUID, a"
                    + " colon and a number: this text of " + leaseId.length() + " characters is not");
        }
        return new Administration(core).end(id, owner, "release permits of");
    }

    @Override
    public int availablePermits() {
        return available(inspect());
    }

    private int available(LockStatus status) {
        int free = capacityOf(status);
        for (LockStatus.Holder holder : status.holders()) {
            if (holder.mode() instanceof Mode.Permits permits) {
                free -= permits.count();
            }
        }
        return free;
    }

    @Override
    public int capacity() {
        return capacityOf(inspect());
    }

    private int capacityOf(LockStatus status) {
        return status.count() == 0 ? capacity : status.count();
    }

    @Override
    public void resize(int newCapacity) {
        checked(id, "The new capacity", newCapacity, Integer.MAX_VALUE);
        execute(new Command.Resize(newCapacity));
    }

    @Override
    public CompletionStage<Void> resizeAsync(int newCapacity) {
        return core.context().callbacks().runAsync(() -> resize(newCapacity));
    }

    @Override
    public void addPermits(int permits) {
        if (!execute(new Command.AddPermits(permits, capacity))) {
            throw new IllegalArgumentException("Semaphore '" + id.printable() + "' must keep from 1 to "
                    + Integer.MAX_VALUE + " permits, and would not with these: " + permits);
        }
    }

    @Override
    public CompletionStage<Void> addPermitsAsync(int permits) {
        return core.context().callbacks().runAsync(() -> addPermits(permits));
    }

    private boolean execute(Command.Action action) {
        return new Administration(core).execute(id, action, RESIZED_LIFE, options);
    }

    @Override
    public LockStatus inspect() {
        return new Administration(core).inspect(id);
    }

    @Override
    public String toString() {
        return "DistributedSemaphore[name=" + id.printable() + ", capacity=" + capacity + "]";
    }

    /** Asks the store for its capacity if that has to be larger than ours. */
    private Acquisition acquisition(int permits, LeaseTerm term) {
        int known = permits > capacity ? capacity() : capacity;
        checked(id, "The number of permits", permits, known);
        return new Acquisition(core, new Request(id, new Mode.Permits(permits, known), options, term));
    }

    /** The same for an asynchronous call, which leaves it to the executor to wait for the store's capacity. */
    private <T> CompletableFuture<T> acquisition(
            int permits, LeaseTerm term, Function<Acquisition, CompletableFuture<T>> start) {
        if (permits <= capacity) {
            return start.apply(acquisition(permits, term));
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        core.context().callbacks().run(() -> {
            try {
                CompletableFuture<T> started = start.apply(acquisition(permits, term));
                var unusedGiven = started.whenComplete((lease, failure) -> {
                    if (failure != null) {
                        result.completeExceptionally(failure);
                    } else if (!result.complete(lease)) {
                        // The caller gave up after the grant, and before it was told.
                        giveBack(lease);
                    }
                });
                // Does nothing if it was granted; ends it if the caller gives up before.
                var unused = result.whenComplete((lease, failure) -> started.cancel(false));
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static void giveBack(Object granted) {
        Object lease = granted instanceof Optional<?> one ? one.orElse(null) : granted;
        if (lease instanceof Lease ours) {
            var unused = ours.releaseAsync();
        }
    }

    private static int checked(LockId id, String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(what + " of semaphore '" + id.printable() + "' must be "
                    + (most == Integer.MAX_VALUE ? "1 or more" : "from 1 to its capacity, " + most) + ": " + value);
        }
        return value;
    }
}
