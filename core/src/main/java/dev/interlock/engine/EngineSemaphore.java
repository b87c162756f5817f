package dev.interlock.engine;

import dev.interlock.DistributedSemaphore;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

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
    public Lease acquire() throws InterruptedException {
        return acquire(1);
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
    public Optional<Lease> tryAcquire() {
        return tryAcquire(1);
    }

    @Override
    public Optional<Lease> tryAcquire(int permits) {
        return Optional.ofNullable(acquisition(permits, options.lease()).once());
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
        return acquisition(permits, options.lease()).async();
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(int permits, Duration wait) {
        return acquisition(permits, options.lease()).asyncWithin(wait);
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
    public int availablePermits() {
        return available(inspect());
    }

    private int available(LockStatus status) {
        int taken = status.holders().stream()
                .mapToInt(holder -> holder.mode() instanceof Mode.Permits permits ? permits.count() : 0)
                .sum();
        return capacityOf(status) - taken;
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
        LeaseTerm life = LeaseTerm.fixed(RESIZED_LIFE);
        new Administration(core).act(new Request(id, new Mode.Resize(newCapacity), options, life));
    }

    @Override
    public LockStatus inspect() {
        return new Administration(core).inspect(id);
    }

    @Override
    public String toString() {
        return "DistributedSemaphore[name=" + id.name() + ", capacity=" + capacity + "]";
    }

    private Acquisition acquisition(int permits, LeaseTerm term) {
        checked(id, "The number of permits", permits, capacity);
        return new Acquisition(core, new Request(id, new Mode.Permits(permits, capacity), options, term));
    }

    private static int checked(LockId id, String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(what + " of semaphore '" + id.name() + "' must be "
                    + (most == Integer.MAX_VALUE ? "1 or more" : "from 1 to its capacity, " + most) + ": " + value);
        }
        return value;
    }
}
