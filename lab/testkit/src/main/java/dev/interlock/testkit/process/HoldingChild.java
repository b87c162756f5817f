package dev.interlock.testkit.process;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockLostException;
import dev.interlock.LockObserver;
import dev.interlock.LossCause;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A process that says what time it is and holds a lock with a renewing lease (URI, name, length), and does what it is
 * told, while it waits for the lock too: check, told, renewed, release, clock (how far it is ahead from now on), try
 * (another name, how long). And the same of another lock, which its thread owns: own, unlock.
 */
public final class HoldingChild implements LockObserver {

    private final ChildMain parent = new ChildMain();
    private final Queue<LossCause> told = new ConcurrentLinkedQueue<>();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final AtomicInteger renewals = new AtomicInteger();
    private final CompletableFuture<Lease> lease = new CompletableFuture<>();
    private final Interlock client;
    private final DistributedLock owned;
    private final LeaseTerm term;

    private HoldingChild(String uri, String name, Duration ttl) {
        client = Interlock.builder(uri)
                .attemptTimeout(Patience.FULL)
                .storeTimeout(Patience.FULL)
                .observer(this)
                .build();
        owned = client.lock(name + "-owned");
        term = LeaseTerm.renewing(ttl);
    }

    public static void main(String[] arguments) throws Exception {
        HoldingChild child = new HoldingChild(arguments[0], arguments[1], Duration.parse(arguments[2]));
        Thread orders = new Thread(child::obey, "orders");
        orders.setDaemon(true);
        orders.start();
        child.hold(arguments[1]);
        orders.join();
    }

    private void hold(String name) throws InterruptedException {
        parent.say("asking at " + System.currentTimeMillis());
        Lease held = client.lock(name).acquire(term);
        held.onLost(told::add);
        lease.complete(held);
        parent.say("held " + held.token());
    }

    private void obey() {
        while (true) {
            String[] words = parent.hearOrDie().split(" ", 3);
            switch (words[0]) {
                case "check" -> parent.say("checked " + lease.join().isValid() + " " + failureOfCheck());
                case "told" -> tell();
                case "renewed" -> tellOfTheNextRenewal();
                case "own" -> own();
                case "unlock" -> parent.say("unlocked " + outcomeOfUnlock());
                case "release" -> parent.say("released " + lease.join().release());
                case "clock" -> set(Duration.parse(words[1]));
                case "try" -> new Thread(() -> tryOther(words[1], Duration.parse(words[2])), "try").start();
                default ->
                    throw new IllegalArgumentException("check, told, renewed, release, clock, try, own or unlock");
            }
        }
    }

    private void own() {
        owned.lock(term);
        parent.say("owned " + owned.remainingLease());
    }

    private String outcomeOfUnlock() {
        try {
            owned.unlock();
            return "normally";
        } catch (LockLostException e) {
            return "LockLostException " + e.lossCause();
        }
    }

    private String failureOfCheck() {
        try {
            lease.join().ensureValid();
            return "valid";
        } catch (IllegalMonitorStateException e) {
            return e.getClass().getSimpleName() + " " + e.getMessage();
        }
    }

    /** The callback runs on another thread, soon. */
    private void tell() {
        await(() -> !told.isEmpty());
        parent.say("told " + told.size() + " " + told.peek());
    }

    private void tellOfTheNextRenewal() {
        int before = renewals.get();
        parent.say("renewed " + await(() -> renewals.get() > before));
    }

    private void set(Duration ahead) {
        WrongClock.shift(ahead);
        parent.say("time " + System.currentTimeMillis());
    }

    /** Says how long it has waited, by the clock that nobody sets and by the one that may have been set meanwhile. */
    private void tryOther(String name, Duration budget) {
        long begunMillis = System.currentTimeMillis();
        long begunNanos = System.nanoTime();
        String outcome = outcomeOf(name, budget);
        long waitedMillis = Duration.ofNanos(System.nanoTime() - begunNanos).toMillis();
        parent.say("tried " + outcome + " " + waitedMillis + " " + (System.currentTimeMillis() - begunMillis));
    }

    private String outcomeOf(String name, Duration budget) {
        try {
            Optional<Lease> got = client.lock(name).tryAcquire(budget);
            return got.isPresent() ? "held" : "busy";
        } catch (StoreUnavailableException e) {
            // On a busy machine it may not have answered.
            return "busy";
        } catch (InterruptedException e) {
            return "interrupted";
        }
    }

    private static boolean await(BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()
                && System.nanoTime() - begun < Patience.limit().toNanos()) {
            sleep();
        }
        return condition.getAsBoolean();
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(10);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode) {
        return null;
    }

    @Override
    public void requested(String name, String owner) {
        if (asked.add(name)) {
            parent.say("asked for " + name);
        }
    }

    @Override
    public void renewed(String name, String owner) {
        renewals.incrementAndGet();
    }
}
