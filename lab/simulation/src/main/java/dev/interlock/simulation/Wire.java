package dev.interlock.simulation;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store of one process: what it sends passes here to a server and back, or does not.
 *
 * <p>On one connection all requests arrive in the order in which they were sent, and so do the replies. A pool keeps no
 * order but that of renewals, on which the engine relies. Wakes have a connection of their own.
 */
// A history is numbers: cheap to keep, and to compare. Futures are equal to themselves only, which tells replies apart.
@SuppressWarnings({"CollectionUndefinedEquality", "EnumOrdinal"})
final class Wire implements LockStore {

    /** What is sent. */
    enum Verb {
        ACQUIRE,
        RELEASE,
        RENEW,
        EXECUTE,
        INSPECT
    }

    private static final long REFUSAL_NANOS = 100_000;

    /** The process whose store it is: what arrives there, unless it stands still or is dead. */
    interface Arrivals {

        /** Something arrives at this moment. */
        void now(Runnable event);

        /** Something arrives after this time. */
        void after(long nanos, Runnable event);

        /** The engine has thrown this, where it must not. */
        void threw(Throwable e);
    }

    private final Arrivals process;
    private final int number;
    private final Setting setting;
    private final Timeline timeline;
    private final History history;
    private final Server server;
    private final Chance chance;

    /** The faults of this process that last now, each with its size. */
    private final Map<Fault.Kind, Fault> faults = new EnumMap<>(Fault.Kind.class);

    /** What waits for a connection, in order. */
    private final List<Runnable> line = new ArrayList<>();

    private final Set<CompletableFuture<?>> underWay = new LinkedHashSet<>();
    private @Nullable Consumer<Wake> listener;
    private int sent;
    private int connection;
    private long lastArrivalNanos;
    private long lastReplyNanos;

    /** When the last request is executed whose order counts. */
    private long lastServedNanos = -1;

    Wire(
            Arrivals process,
            int number,
            Setting setting,
            Timeline timeline,
            History history,
            Server server,
            Chance chance) {
        this.process = process;
        this.number = number;
        this.setting = setting;
        this.timeline = timeline;
        this.history = history;
        this.server = server;
        this.chance = chance;
    }

    // ---- faults

    void begin(Fault fault) {
        faults.put(fault.kind(), fault);
    }

    void end(Fault fault) {
        faults.remove(fault.kind(), fault);
        if (fault.kind() == Fault.Kind.REFUSED && !faults.containsKey(Fault.Kind.REFUSED)) {
            List<Runnable> waiting = List.copyOf(line);
            line.clear();
            process.now(() -> waiting.forEach(Runnable::run));
        }
    }

    /** The connection is reset: what is under way may have been executed or not, and no reply arrives. */
    void reset() {
        connection++;
        List<CompletableFuture<?>> broken = List.copyOf(underWay);
        underWay.clear();
        process.now(() -> broken.forEach(reply -> reply.completeExceptionally(new IOException("Connection reset"))));
    }

    private boolean suffers(Fault.Kind kind) {
        return faults.containsKey(kind);
    }

    private long travelNanos() {
        long nanos = chance.between(setting.fastNanos(), setting.slowNanos());
        if (chance.oneIn(25)) {
            nanos = chance.between(nanos, Setting.SLOWER * setting.slowNanos());
        }
        Fault slow = faults.get(Fault.Kind.SLOW_NETWORK);
        return slow == null ? nanos : nanos + chance.nextLong(slow.size());
    }

    /** What is in a partition arrives when that is over. */
    private long arrivalNanos() {
        long arrival = timeline.now() + travelNanos();
        Fault partition = faults.get(Fault.Kind.PARTITION);
        return partition == null
                ? arrival
                : Math.max(arrival, partition.atNanos() + partition.lastsNanos() + setting.fastNanos());
    }

    // ---- verbs

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        return send(Verb.ACQUIRE, () -> server.acquire(claim), Attempt.Granted.class::isInstance);
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return send(Verb.EXECUTE, () -> server.execute(command), executed -> executed);
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return send(Verb.RELEASE, () -> server.release(claim), held -> held);
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        List<Claim> renewed = List.copyOf(claims);
        return send(Verb.RENEW, () -> server.renew(renewed), answers -> answers.values().stream()
                .allMatch(answer -> answer == Renewal.HELD));
    }

    private <T> CompletionStage<T> send(Verb verb, Supplier<T> execution, Predicate<T> confirms) {
        int request = sent++;
        if (setting.queues()) {
            QueuedAnswer<T> queued = new QueuedAnswer<>();
            Runnable send = () -> {
                if (queued.begin()) {
                    transmit(verb, execution, confirms, queued);
                }
            };
            if (suffers(Fault.Kind.REFUSED)) {
                line.add(send);
            } else {
                send.run();
            }
            return queued;
        }
        Reply<T> reply = new Reply<>(request, process::threw);
        if (!suffers(Fault.Kind.REFUSED)) {
            transmit(verb, execution, confirms, reply);
        } else if (chance.oneIn(2)) {
            refuse(reply);
        } else {
            process.after(REFUSAL_NANOS, () -> refuse(reply));
        }
        return reply;
    }

    private static void refuse(CompletableFuture<?> reply) {
        reply.completeExceptionally(new IOException("Connection refused"));
    }

    private <T> void transmit(Verb verb, Supplier<T> execution, Predicate<T> confirms, CompletableFuture<T> reply) {
        see(Event.Kind.SENT, verb, 0);
        underWay.add(reply);
        long sentAt = timeline.now();
        if (suffers(Fault.Kind.LOSE_REQUESTS)) {
            see(Event.Kind.VANISHED, verb, 0);
            return;
        }
        long arrival = arrivalNanos();
        if (setting.ordered() || verb == Verb.RENEW) {
            arrival = Math.max(arrival, lastArrivalNanos + 1);
            lastArrivalNanos = arrival;
        }
        int sentOn = connection;
        timeline.at(arrival, () -> arrived(verb, execution, confirms, reply, sentAt, sentOn));
    }

    private <T> void arrived(
            Verb verb,
            Supplier<T> execution,
            Predicate<T> confirms,
            CompletableFuture<T> reply,
            long sentAt,
            int sentOn) {
        if (sentOn != connection && chance.oneIn(2)) {
            see(Event.Kind.VANISHED, verb, 0);
            return;
        }
        if (server.isDown()) {
            fail(reply);
            return;
        }
        long ready = server.readyNanos();
        if (ready > timeline.now()) {
            long inOrder = setting.ordered() || verb == Verb.RENEW ? Math.max(ready, lastServedNanos + 1) : ready;
            lastServedNanos = Math.max(lastServedNanos, inOrder);
            timeline.at(inOrder, () -> served(verb, execution, confirms, reply, sentAt, sentOn));
        } else if ((setting.ordered() || verb == Verb.RENEW) && lastServedNanos >= timeline.now()) {
            lastServedNanos++;
            timeline.at(lastServedNanos, () -> served(verb, execution, confirms, reply, sentAt, sentOn));
        } else {
            served(verb, execution, confirms, reply, sentAt, sentOn);
        }
    }

    private <T> void served(
            Verb verb,
            Supplier<T> execution,
            Predicate<T> confirms,
            CompletableFuture<T> reply,
            long sentAt,
            int sentOn) {
        if (server.isDown()) {
            fail(reply);
            return;
        }
        if (timeline.now() - sentAt > setting.attemptTimeout().toNanos()) {
            see(Event.Kind.LATE, verb, 0);
        }
        T value = execution.get();
        if (suffers(Fault.Kind.DUPLICATE) && chance.oneIn(2)) {
            T unused = execution.get();
        }
        if (suffers(Fault.Kind.LOSE_REPLIES) || sentOn != connection) {
            see(Event.Kind.VANISHED, verb, 1);
            return;
        }
        long arrival = arrivalNanos();
        if (setting.ordered()) {
            arrival = Math.max(arrival, lastReplyNanos + 1);
            lastReplyNanos = arrival;
        }
        timeline.at(arrival, () -> {
            if (sentOn == connection) {
                process.now(() -> {
                    underWay.remove(reply);
                    see(Event.Kind.REPLIED, verb, confirms.test(value) ? 1 : 0);
                    reply.complete(value);
                });
            }
        });
    }

    private void fail(CompletableFuture<?> reply) {
        process.after(travelNanos(), () -> {
            underWay.remove(reply);
            reply.completeExceptionally(new IOException("Connection reset"));
        });
    }

    private void see(Event.Kind kind, Verb verb, long other) {
        history.add(kind, number, -1, -1, verb.ordinal(), other);
    }

    // ---- wakes

    @Override
    public void onWake(Consumer<Wake> newListener) {
        listener = newListener;
    }

    /** The server sends a wake. */
    void wake(Wake wake) {
        Consumer<Wake> hears = listener;
        if (hears == null || suffers(Fault.Kind.LOSE_WAKES) || suffers(Fault.Kind.PARTITION)) {
            return;
        }
        timeline.after(
                travelNanos(),
                () -> process.now(() -> {
                    history.add(Event.Kind.WOKEN, number, -1, Server.number(wake.id()), 0, 0);
                    hears.accept(wake);
                }));
    }

    // ---- the rest

    @Override
    public boolean keepsOrder() {
        return setting.ordered();
    }

    @Override
    public Set<Capability> capabilities() {
        Set<Capability> all = EnumSet.allOf(Capability.class);
        all.remove(Capability.LISTING);
        if (setting.polled()) {
            all.remove(Capability.RETENTION);
        }
        return all;
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return send(Verb.INSPECT, () -> server.inspect(id), status -> true);
    }

    @Override
    public void close() {
        // No process closes its client: it crashes, or lives to the end.
    }
}
