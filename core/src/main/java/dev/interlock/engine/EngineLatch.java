package dev.interlock.engine;

import dev.interlock.DistributedLatch;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A latch: a claim waits in the store's queue, and is over as soon as it is granted. */
final class EngineLatch implements DistributedLatch {

    /** How long the store remembers a latch that nobody uses. */
    private static final Duration LIFE = Duration.ofDays(1);

    private final EngineCore core;
    private final LockId id;

    EngineLatch(EngineCore core, LockId id) {
        this.core = core;
        this.id = id;
    }

    @Override
    public String name() {
        return id.name();
    }

    @Override
    public boolean trySetCount(int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "The count of latch '" + id.printable() + "' must be 1 or more: " + count);
        }
        return execute(new Command.SetCount(count));
    }

    @Override
    public CompletionStage<Boolean> trySetCountAsync(int count) {
        return core.context().callbacks().supplyAsync(() -> trySetCount(count));
    }

    @Override
    public void countDown() {
        execute(new Command.CountDown());
    }

    @Override
    public CompletionStage<Void> countDownAsync() {
        return core.context().callbacks().runAsync(this::countDown);
    }

    @Override
    public int count() {
        return inspect().count();
    }

    @Override
    public void await() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        acquisition().untilInterrupted().close();
    }

    @Override
    public boolean await(Duration wait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        EngineLease zero = acquisition().within(wait);
        if (zero != null) {
            zero.close();
        }
        return zero != null;
    }

    @Override
    public CompletionStage<Void> awaitAsync() {
        return acquisition().async(zero -> {
            isZero(zero);
            return null;
        });
    }

    @Override
    public CompletionStage<Boolean> awaitAsync(Duration wait) {
        return acquisition().asyncWithin(wait, EngineLatch::isZero);
    }

    /** The claim is over when it is granted: the store keeps nothing of it. */
    private static boolean isZero(Optional<Lease> granted) {
        granted.ifPresent(Lease::releaseAsync);
        return granted.isPresent();
    }

    @Override
    public LockStatus inspect() {
        return new Administration(core).inspect(id);
    }

    @Override
    public String toString() {
        return "DistributedLatch[name=" + id.printable() + "]";
    }

    private Acquisition acquisition() {
        return new Acquisition(
                core, new Request(id, new Mode.AwaitZero(), LockOptions.defaults(), LeaseTerm.fixed(LIFE)));
    }

    private boolean execute(Command.Action action) {
        return new Administration(core).execute(id, action, LIFE, LockOptions.defaults());
    }
}
