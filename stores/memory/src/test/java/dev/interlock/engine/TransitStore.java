package dev.interlock.engine;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.StoreRefusal;
import dev.interlock.spi.Tether;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The road to a real store, with a test as its guard: requests pass, or are kept in transit, or their answers are, or
 * either is lost. What the store does with a request is the store's own affair. As on a wire, a request that was sent
 * arrives even if its sender stopped waiting. Thread-safe.
 */
class TransitStore extends ForwardingStore {

    enum Verb {
        ACQUIRE,
        EXECUTE,
        RELEASE,
        RENEW
    }

    enum Road {
        OPEN,
        /** Requests stop before the store until {@link #letGo()}. */
        KEEP_REQUESTS,
        /** The store acts at once, its answers stop until {@link #letGo()}. */
        KEEP_ANSWERS,
        LOSE_REQUESTS,
        LOSE_ANSWERS,
        /** Requests fail at once, before the store. */
        REFUSE,
        /** The same for the next request only. */
        REFUSE_ONCE,
        /** The store acts upon the next request, and its answer is a failure. */
        BREAK_ONCE
    }

    /** One request, as the engine sent it, with its claims: a command has none. */
    record Request(Verb verb, List<Claim> claims) {
        Claim claim() {
            return claims.get(0);
        }
    }

    private final Map<Verb, Road> roads = new EnumMap<>(Verb.class);
    private final Queue<Runnable> kept = new ConcurrentLinkedQueue<>();
    private final Queue<CompletableFuture<?>> keptAnswers = new ConcurrentLinkedQueue<>();
    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    private final Queue<Command> commands = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> beforeAcquire = new ConcurrentLinkedQueue<>();
    private volatile Predicate<Claim> refused = claim -> false;
    private volatile @Nullable Long fence;
    private volatile @Nullable Tether tether;
    private volatile boolean hasLine;
    private volatile String closedMessage = "The road to the store is closed";
    private volatile boolean ordered;
    private volatile boolean connected = true;

    TransitStore(LockStore delegate) {
        super(delegate);
    }

    /** Sets the road of these verbs; of all, if none is named. */
    void road(Road road, Verb... verbs) {
        synchronized (roads) {
            for (Verb verb : verbs.length == 0 ? Verb.values() : verbs) {
                roads.put(verb, road);
            }
        }
    }

    /** From now on the store refuses these for good. */
    void refuse(Predicate<Claim> those) {
        refused = those;
    }

    /** From now on this is what a road that is closed says. */
    void failsWith(String message) {
        closedMessage = message;
    }

    /** From now on all is granted with this fence. */
    void fence(long instead) {
        fence = instead;
    }

    /** From now on all is granted with this tether. */
    void tether(Tether instead) {
        tether = instead;
    }

    /** From now on what does not arrive yet stands in a line of the store's own, from which it can be withdrawn. */
    void keepsALine() {
        hasLine = true;
    }

    /** From now on the store says that it executes the verbs of a name in the order in which they are sent. */
    void promisesOrder() {
        ordered = true;
    }

    /** From now on the store says that it is connected, or is connecting. */
    void connected(boolean is) {
        connected = is;
    }

    /** This happens when the next acquire has been decided upon, and before it is on its way. */
    void beforeNextAcquire(Runnable event) {
        beforeAcquire.add(event);
    }

    /** Lets everything go on its way that is kept now, in the order in which it was sent. */
    void letGo() {
        letGo(kept.size());
    }

    /** The same for so many at most. */
    void letGo(int most) {
        for (int left = Math.min(most, kept.size()); left > 0; left--) {
            Runnable next = kept.poll();
            if (next != null) {
                next.run();
            }
        }
    }

    /** The requests that were kept fail, and do not arrive. */
    void failKept() {
        kept.clear();
        for (CompletableFuture<?> answer = keptAnswers.poll(); answer != null; answer = keptAnswers.poll()) {
            answer.completeExceptionally(new IOException("The road to the store broke"));
        }
    }

    List<Request> requests(Verb verb) {
        return requests.stream().filter(r -> r.verb() == verb).toList();
    }

    List<Command> commands() {
        return List.copyOf(commands);
    }

    int count(Verb verb) {
        return requests(verb).size();
    }

    void forgetRequests() {
        requests.clear();
        commands.clear();
    }

    /** Those of the store, which is no catalog here. */
    @Override
    public Set<Capability> capabilities() {
        Set<Capability> capabilities = EnumSet.copyOf(delegate.capabilities());
        capabilities.remove(Capability.LISTING);
        return capabilities;
    }

    @Override
    public boolean keepsOrder() {
        return ordered;
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        Runnable event = beforeAcquire.poll();
        if (event != null) {
            event.run();
        }
        return travel(
                Verb.ACQUIRE,
                List.of(claim),
                () -> refused.test(claim)
                        ? CompletableFuture.failedFuture(new StoreRefusal("Never: " + claim.mode()))
                        : delegate.acquire(claim).thenApply(this::granted));
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        commands.add(command);
        return travel(Verb.EXECUTE, List.of(), () -> delegate.execute(command));
    }

    private Attempt granted(Attempt attempt) {
        return attempt instanceof Attempt.Granted granted
                ? Attempt.granted(
                        Objects.requireNonNullElse(fence, granted.fence()),
                        Objects.requireNonNullElse(tether, granted.tether()))
                : attempt;
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return travel(Verb.RELEASE, List.of(claim), () -> delegate.release(claim));
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> claims) {
        return travel(Verb.RENEW, List.copyOf(claims), () -> delegate.renew(claims));
    }

    private <T> CompletionStage<T> travel(Verb verb, List<Claim> claims, Supplier<CompletionStage<T>> request) {
        CompletableFuture<T> answer = hasLine ? new QueuedAnswer<>() : new CompletableFuture<>();
        Road road;
        synchronized (roads) {
            road = roads.getOrDefault(verb, Road.OPEN);
            if (road == Road.REFUSE_ONCE || road == Road.BREAK_ONCE) {
                roads.put(verb, Road.OPEN);
            }
        }
        if (road == Road.KEEP_REQUESTS) {
            // First: a test that sees the request may let it go at once.
            kept.add(() -> send(request, answer));
            keptAnswers.add(answer);
        }
        requests.add(new Request(verb, claims));
        switch (road) {
            case OPEN -> send(request, answer);
            case KEEP_ANSWERS -> {
                var unused = isSent(answer);
                CompletionStage<T> answered = request.get();
                kept.add(() -> arrive(answered, answer));
            }
            case KEEP_REQUESTS, LOSE_REQUESTS -> {}
            case LOSE_ANSWERS -> {
                var unused = request.get();
            }
            case BREAK_ONCE -> {
                var unused = request.get();
                answer.completeExceptionally(new IOException("The road to the store broke"));
            }
            case REFUSE, REFUSE_ONCE -> answer.completeExceptionally(new IOException(closedMessage));
        }
        return answer;
    }

    private static <T> void send(Supplier<CompletionStage<T>> request, CompletableFuture<T> answer) {
        if (isSent(answer)) {
            arrive(request.get(), answer);
        }
    }

    private static boolean isSent(CompletableFuture<?> answer) {
        return !(answer instanceof QueuedAnswer<?> queued) || queued.begin();
    }

    private static <T> void arrive(CompletionStage<T> from, CompletableFuture<T> to) {
        var unused = from.whenComplete((value, error) -> {
            if (error == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(error);
            }
        });
    }
}
