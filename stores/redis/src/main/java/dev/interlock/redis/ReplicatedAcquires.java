package dev.interlock.redis;

import dev.interlock.StoreUnavailableException;
import dev.interlock.redis.command.PlainCommand;
import dev.interlock.redis.connection.Connector;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
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

/**
 * Acquires and commands that count only when enough replicas have confirmed them. Each is followed by {@code WAIT} on
 * the same connection, since that command waits for the writes of its connection. Meanwhile the server executes nothing
 * else there, so these requests have a few connections of their own, and do not delay releases and renewals.
 */
final class ReplicatedAcquires {

    /** The number of requests that wait for replicas at the same time on each server. Others wait for these. */
    private static final int LANES = 4;

    private final Settings settings;
    private final WakeReceiver wakes;
    private final Function<Claim, CompletionStage<Boolean>> release;
    private final ReplicatedGrants grants = new ReplicatedGrants();
    private final List<Lane> lanes = new ArrayList<>();

    /** A connection to each server, opened by its first request, and the number of requests on it. */
    private record Lane(Router router, AtomicInteger occupied) {}

    ReplicatedAcquires(
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

    CompletionStage<Attempt> acquire(Claim claim) {
        Lane lane = idlest();
        AcquireCommand call = AcquireCommand.send(lane.router(), claim, settings, wakes);
        return confirmed(lane, call, attempt -> confirm(attempt, claim, call));
    }

    CompletionStage<Boolean> execute(Command command) {
        Lane lane = idlest();
        ExecuteCommand call = ExecuteCommand.send(lane.router(), command, settings);
        return confirmed(lane, call, executed -> confirm(executed, command, call));
    }

    private static <T> CompletionStage<T> confirmed(
            Lane lane, ScriptCommand<T> call, Function<T, CompletionStage<T>> confirmation) {
        lane.occupied().incrementAndGet();
        Confirmed<T> confirmed = new Confirmed<>(call);
        var unused = call.thenCompose(confirmation).whenComplete((answer, failure) -> {
            lane.occupied().decrementAndGet();
            if (failure == null) {
                confirmed.complete(answer);
            } else {
                confirmed.completeExceptionally(failure);
            }
        });
        return confirmed;
    }

    /** Whether the connection of the next request is open. */
    boolean isConnected() {
        return idlest().router().isConnected();
    }

    /** Notes that these claims are being renewed. */
    void renewed(Collection<Claim> claims) {
        grants.renewed(claims, System.nanoTime());
    }

    /** Notes that this claim is being released. */
    void released(Claim claim) {
        grants.released(claim);
    }

    void close() {
        lanes.forEach(lane -> lane.router().close());
    }

    /** The first lane with the fewest requests: an application without concurrent acquires opens one connection. */
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
            // A writer that becomes a reader: to undo that would end the claim of its holder. So it does not wait for
            // replicas, as a renewal does not.
            renewed(List.of(claim));
            return CompletableFuture.completedFuture(attempt);
        }
        CompletableFuture<Attempt> confirmed = new CompletableFuture<>();
        String shortfall = "Too few replicas have confirmed the lock in time, so it is released again";
        var unused = replicas(connection, shortfall, claim.id()).whenComplete((done, failure) -> {
            if (failure != null) {
                undo(claim, failure, confirmed);
                return;
            }
            if (claim.mode().holds()) {
                grants.granted(claim, granted.fence(), System.nanoTime());
            }
            confirmed.complete(attempt);
        });
        return confirmed;
    }

    /** What is not confirmed stays, and the engine repeats the command: it is executed once. */
    private CompletionStage<Boolean> confirm(boolean executed, Command command, ExecuteCommand call) {
        RedisChannelHandler<?, ?> connection = call.connection();
        // To forget that a claim has fewer permits than before harms nobody.
        return !executed || connection == null || command.action() instanceof Command.KeepPermits
                ? CompletableFuture.completedFuture(executed)
                : replicas(connection, "Too few replicas have confirmed the change in time", command.id());
    }

    /** Waits for enough replicas to have the writes of this connection; fails with this message if they have not. */
    private CompletableFuture<Boolean> replicas(RedisChannelHandler<?, ?> connection, String shortfall, LockId id) {
        PlainCommand wait = new PlainCommand(
                CommandType.WAIT,
                Integer.toString(settings.replicas()),
                Long.toString(Settings.millis(settings.replicaTimeout())));
        CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
        var unused = wait.whenComplete((reply, failure) -> {
            // If the connection has been replaced, WAIT has counted replicas for a connection without writes.
            if (reply != null && reply.number() >= settings.replicas() && connection.isOpen()) {
                confirmed.complete(true);
                return;
            }
            String number = reply == null ? "unknown" : Long.toString(reply.number());
            confirmed.completeExceptionally(new StoreUnavailableException(
                    shortfall + ": replicas=" + settings.replicas() + ", confirmed=" + number + ", replicaTimeout="
                            + settings.replicaTimeout() + ", name=" + id.printable(),
                    failure));
        });
        connection.getChannelWriter().write(wait);
        return confirmed;
    }

    /**
     * Releases the claim, and fails the acquire after that. If the release fails, too, the engine releases the claim as
     * any whose outcome is unknown.
     */
    private void undo(Claim claim, Throwable shortfall, CompletableFuture<Attempt> confirmed) {
        var unused = release.apply(claim).whenComplete((released, problem) -> {
            if (problem != null) {
                shortfall.addSuppressed(problem);
            }
            confirmed.completeExceptionally(shortfall);
        });
    }

    /** The future that the caller holds. Cancelling it cancels the command. */
    private static final class Confirmed<T> extends CompletableFuture<T> {
        private final ScriptCommand<T> call;

        Confirmed(ScriptCommand<T> call) {
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
