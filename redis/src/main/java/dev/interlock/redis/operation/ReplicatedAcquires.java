package dev.interlock.redis.operation;

import dev.interlock.StoreUnavailableException;
import dev.interlock.redis.command.PlainCommand;
import dev.interlock.redis.config.Settings;
import dev.interlock.redis.connection.Connector;
import dev.interlock.redis.topology.Router;
import dev.interlock.redis.wake.WakeReceiver;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Acquires that count only when enough replicas have them: each is followed by {@code WAIT} on its own connection,
 * since that counts what this very connection has written. Meanwhile the server answers nothing else there. So these
 * have connections of their own, a few, and releases and renewals are not behind them.
 */
public final class ReplicatedAcquires {

    /** As many wait for replicas at the same time, on each server; more of them stand in line. */
    private static final int LANES = 4;

    private final Settings settings;
    private final WakeReceiver wakes;
    private final Function<Claim, CompletionStage<Boolean>> release;
    private final ReplicatedGrants grants = new ReplicatedGrants();
    private final List<Lane> lanes = new ArrayList<>();

    /** A connection to each server, opened by the first acquire that goes there. */
    private record Lane(Router link, AtomicInteger occupied) {}

    public ReplicatedAcquires(
            Connector connector,
            Settings settings,
            WakeReceiver wakes,
            Function<Claim, CompletionStage<Boolean>> release) {
        this.settings = settings;
        this.wakes = wakes;
        this.release = release;
        for (int i = 0; i < LANES; i++) {
            lanes.add(new Lane(new Router(connector), new AtomicInteger()));
        }
    }

    public CompletionStage<Attempt> acquire(Claim claim) {
        Lane lane = idlest();
        AcquireCommand call = AcquireCommand.send(lane.link(), claim, settings, wakes);
        lane.occupied().incrementAndGet();
        Confirmed confirmed = new Confirmed(call);
        var unused = call.thenCompose(attempt -> confirm(attempt, claim, call)).whenComplete((attempt, failure) -> {
            lane.occupied().decrementAndGet();
            if (failure == null) {
                confirmed.complete(attempt);
            } else {
                confirmed.completeExceptionally(failure);
            }
        });
        return confirmed;
    }

    /** These claims are being renewed. */
    public void renewed(Collection<Claim> claims) {
        grants.renewed(claims, System.nanoTime());
    }

    /** This claim is being released. */
    public void released(Claim claim) {
        grants.released(claim);
    }

    public void close() {
        lanes.forEach(lane -> lane.link().close());
    }

    /** The first of those with the fewest: so an application that seldom asks at the same time opens one connection. */
    private Lane idlest() {
        return lanes.stream()
                .min(Comparator.comparingInt(lane -> lane.occupied().get()))
                .orElseThrow();
    }

    private CompletionStage<Attempt> confirm(Attempt attempt, Claim claim, AcquireCommand call) {
        RedisChannelHandler<?, ?> connection = call.connection();
        if (!(attempt instanceof Attempt.Granted granted) || connection == null) {
            return CompletableFuture.completedFuture(attempt);
        }
        if (grants.has(claim, granted.fence())) {
            // A writer that goes on as a reader: to undo that would end the claim under its holder. So it waits for
            // nobody, as a renewal does not.
            renewed(List.of(claim));
            return CompletableFuture.completedFuture(attempt);
        }
        PlainCommand wait = new PlainCommand(
                CommandType.WAIT,
                Integer.toString(settings.replicas()),
                Long.toString(Settings.millis(settings.replicaTimeout())));
        CompletableFuture<Attempt> confirmed = new CompletableFuture<>();
        var unused = wait.whenComplete((reply, failure) -> {
            // On another connection, which has written nothing, every replica has confirmed that.
            if (reply != null && reply.number() >= settings.replicas() && connection.isOpen()) {
                if (claim.mode().holds()) {
                    grants.granted(claim, granted.fence(), System.nanoTime());
                }
                confirmed.complete(attempt);
            } else {
                undo(claim, reply == null ? "unknown" : Long.toString(reply.number()), failure, confirmed);
            }
        });
        connection.getChannelWriter().write(wait);
        return confirmed;
    }

    /**
     * Fails when the claim is gone, or when that could not be said: then the engine takes it back as any of unknown
     * outcome.
     */
    private void undo(Claim claim, String number, @Nullable Throwable failure, CompletableFuture<Attempt> confirmed) {
        StoreUnavailableException shortfall = new StoreUnavailableException(
                "Too few replicas have confirmed the lock in time, so it is released again: replicas="
                        + settings.replicas() + ", confirmed=" + number + ", replicaTimeout="
                        + settings.replicaTimeout() + ", name=" + claim.id().name(),
                failure);
        var unused = release.apply(claim).whenComplete((released, problem) -> {
            if (problem != null) {
                shortfall.addSuppressed(problem);
            }
            confirmed.completeExceptionally(shortfall);
        });
    }

    /** What the caller holds; if it is given up, so is the call. */
    private static final class Confirmed extends CompletableFuture<Attempt> {
        private final AcquireCommand call;

        Confirmed(AcquireCommand call) {
            this.call = call;
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            boolean cancelled = super.cancel(mayInterrupt);
            call.cancel(mayInterrupt);
            return cancelled;
        }
    }
}
