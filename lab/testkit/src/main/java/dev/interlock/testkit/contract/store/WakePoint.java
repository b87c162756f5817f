package dev.interlock.testkit.contract.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.Tap;
import dev.interlock.testkit.store.BlockingClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** One wait behind a proxy of its own, and what happens at its k-th request. */
final class WakePoint implements AutoCloseable {

    /** A store keeps a claim that sleeps for 5 s: if the release comes later than this, the point is tried again. */
    private static final Duration SURELY_LISTED = Duration.ofSeconds(3);

    /** What becomes of the request. */
    enum Fault {
        /** It arrives when the holder has released. */
        LATE,
        /** It arrives when the claim before it in the line has given up; the holder releases later. */
        BEHIND,
        /** Its connection is cut before it arrives. */
        LOST,
        /** The next answer is lost, with its connection. */
        UNANSWERED
    }

    /** What the claim waits for: a name of this kind, how it is held, and how it is wanted. */
    record Wanted(LockKind kind, Mode held, Mode mode) {
        static final Wanted LOCK = new Wanted(LockKind.LOCK, Mode.exclusive(), Mode.exclusive());
        static final Wanted SHARE = new Wanted(LockKind.READ_WRITE, Mode.exclusive(), Mode.shared());
        static final Wanted PERMITS = new Wanted(LockKind.SEMAPHORE, new Mode.Permits(2, 3), new Mode.Permits(2, 3));
    }

    private final WakeWalkContract test;
    private final Wanted wanted;
    private final Fault fault;
    private volatile int at;
    private final AtomicInteger requests = new AtomicInteger();
    private final CompletableFuture<Boolean> struck = new CompletableFuture<>();
    private final CompletableFuture<Boolean> released = new CompletableFuture<>();
    private final List<LastingWait> waits = new CopyOnWriteArrayList<>();
    private final LockId id;
    private final FaultProxy proxy;
    private final BlockingClient holder;
    private final BlockingClient waiter;
    private final Claim held;

    WakePoint(WakeWalkContract test, Wanted wanted, BlockingClient holder, Fault fault, int at) {
        this.test = test;
        this.wanted = wanted;
        this.holder = holder;
        this.fault = fault;
        this.at = at;
        id = new LockId("walk-" + UUID.randomUUID(), wanted.kind);
        held = holder.claim(id).inMode(wanted.held);
        holder.granted(held);
        proxy = FaultProxy.to("127.0.0.1", test.serverPort(), tap());
        waiter = new BlockingClient(test.openAt(proxy.port()));
        waiter.store().onWake(wake -> waits.forEach(each -> each.wake(wake)));
    }

    /** Whether the request was sent at all; repeated if the store may have taken the claim off its list. */
    static boolean pass(WakeWalkContract test, Wanted wanted, BlockingClient holder, Fault fault, int at) {
        while (true) {
            try (WakePoint point = new WakePoint(test, wanted, holder, fault, at)) {
                if (point.isPassed()) {
                    return point.struck.isDone();
                }
            }
        }
    }

    /** As {@link #pass}, of the requests after the connections of a claim that slept were cut: one is lost, too. */
    static boolean passAfterACut(WakeWalkContract test, BlockingClient holder, int at) {
        while (true) {
            try (WakePoint point = new WakePoint(test, Wanted.LOCK, holder, Fault.LOST, 0)) {
                point.sleeps();
                point.at = point.requests.get() + at;
                point.cutAll();
                if (point.releaseWakes(point.waits.get(0))) {
                    return point.struck.isDone();
                }
            }
        }
    }

    private Tap tap() {
        return () -> chunk -> {
            if (requests.incrementAndGet() == at) {
                strike();
            }
            return chunk;
        };
    }

    private void strike() {
        struck.complete(true);
        switch (fault) {
            case LATE, BEHIND -> released.join();
            case LOST -> throw new UncheckedIOException(new IOException("request " + at + " is lost"));
            case UNANSWERED -> proxy.dropNextReply(Duration.ZERO);
        }
    }

    private boolean isPassed() {
        if (fault == Fault.BEHIND) {
            return isPassedBehindAnother();
        }
        LastingWait wait = waits();
        if (fault == Fault.LATE) {
            await().until(() -> struck.isDone() || wait.isGranted() || wait.isSleeping());
        } else {
            settle(wait);
            awaitConnected();
        }
        return releaseWakes(wait);
    }

    private boolean isPassedBehindAnother() {
        Claim before = holder.claim(id).inMode(wanted.mode).waiting(Duration.ofMillis(1));
        holder.busy(before);
        LastingWait wait = waits();
        await().until(() -> struck.isDone() || wait.isSleeping());
        holder.release(before);
        released.complete(true);
        await().until(wait::isSleeping);
        return releaseWakes(wait);
    }

    /** False if the release came too late. */
    private boolean releaseWakes(LastingWait wait) {
        if (isLate()) {
            return false;
        }
        release();
        if (isLate()) {
            return false;
        }
        wait.granted();
        return true;
    }

    /** Each claim is woken by the release of the one before; false if that came too late for one that sleeps. */
    boolean passesOn() {
        release();
        List<LastingWait> left = new ArrayList<>(waits);
        while (!left.isEmpty()) {
            if (isLate()) {
                return false;
            }
            await().until(() -> left.stream().anyMatch(LastingWait::isGranted));
            LastingWait next =
                    left.stream().filter(LastingWait::isGranted).findFirst().orElseThrow();
            next.granted();
            left.remove(next);
            assertThat(waiter.release(next.claim())).isTrue();
        }
        return true;
    }

    /** Whether the store may have forgotten a claim before the name was released. */
    boolean isLate() {
        return waits.stream()
                .anyMatch(wait -> wait.isSleeping() && System.nanoTime() - wait.askedNanos() > SURELY_LISTED.toNanos());
    }

    private LastingWait waits() {
        LastingWait wait = LastingWait.begin(waiter, waiter.claim(id).inMode(wanted.mode));
        waits.add(wait);
        return wait;
    }

    /** Begins to wait; returns when the store lets the claim sleep. */
    void sleeps() {
        settle(waits());
    }

    /** Returns when the claim sleeps, and its client hears. */
    private void settle(LastingWait wait) {
        if (test.watchesAgain()) {
            await().until(wait::isSleeping);
            return;
        }
        do {
            await().until(() -> {
                if (wait.isSleeping() && !test.isHeard(proxy)) {
                    wait.poll();
                }
                return wait.isSleeping() && test.isHeard(proxy);
            });
            // It may have been answered before the connection was cut.
            int before = wait.answers();
            wait.poll();
            await().until(() -> wait.answers() > before && wait.isSleeping());
        } while (!test.isHeard(proxy));
    }

    /** Cuts all connections of the client that waits, and lets its claims settle again. */
    void cutAll() {
        proxy.reset();
        waits.forEach(this::settle);
        awaitConnected();
    }

    /** Some clients take a second to connect again, and tell their claims of nothing until then. */
    private void awaitConnected() {
        await().until(() -> proxy.connections() > 0);
    }

    private void release() {
        assertThat(holder.release(held)).isTrue();
        released.complete(true);
    }

    @Override
    public void close() {
        released.complete(true);
        waits.forEach(LastingWait::end);
        waiter.close();
        proxy.close();
    }
}
