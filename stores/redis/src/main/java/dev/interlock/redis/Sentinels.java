package dev.interlock.redis;

import dev.interlock.StoreUnavailableException;
import dev.interlock.redis.command.Failures;
import dev.interlock.redis.command.PlainCommand;
import dev.interlock.redis.connection.DedicatedClient;
import dev.interlock.redis.connection.NodeConnector;
import dev.interlock.support.Host;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The Sentinels of the URI. All of them are asked for the master at once, and the answer with the highest epoch counts:
 * so the answer of a Sentinel that is cut off, and still names a former master, is ignored. Nor is it believed when the
 * others are silent, if they have named another master with a higher epoch before. Only when all of them answer with
 * older epochs, they have been set up anew. Thread-safe.
 */
final class Sentinels {

    /** How long to wait for the others when the first has answered. */
    private static final Duration GRACE = Duration.ofMillis(300);

    private static final String UNKNOWN_MASTER = "No such master";

    private final NodeConnector template;
    private final List<Host> hosts;
    private final String master;
    private volatile boolean protectedByPassword;

    /** The answer with the highest epoch so far; null before the first. Written under the monitor. */
    private volatile @Nullable Answer newest;

    /** @param template has the client for the Sentinels, and credentials in case they want some */
    Sentinels(NodeConnector template, List<Host> hosts, String master) {
        this.template = template;
        this.hosts = hosts;
        this.master = master;
    }

    /** The answer of a Sentinel. */
    private record Answer(@Nullable Host master, long epoch, @Nullable Throwable failure) {
        boolean isUnknownMaster() {
            return failure != null && String.valueOf(failure.getMessage()).contains(UNKNOWN_MASTER);
        }

        /** Whether a failover that the other answer knows of has been missed. */
        boolean isBehind(@Nullable Answer other) {
            return other != null && epoch < other.epoch && !Objects.equals(master, other.master);
        }
    }

    String masterName() {
        return master;
    }

    List<Host> hosts() {
        return hosts;
    }

    /** Returns a connector to one of them. */
    NodeConnector connector(Host host) {
        return protectedByPassword ? template.withoutDatabase(host) : template.withoutCredentials(host);
    }

    String description() {
        return template.scheme("redis-sentinel", "rediss-sentinel") + "://"
                + hosts.stream().map(Host::toString).collect(Collectors.joining(",")) + "/" + master;
    }

    /**
     * Asks for the present master. Fails if no Sentinel answers, or if those that do have missed a failover that is
     * known here.
     */
    CompletableFuture<Host> master() {
        Answer before = newest;
        List<CompletableFuture<Answer>> asked = new ArrayList<>();
        CompletableFuture<Boolean> enough = new CompletableFuture<>();
        for (Host host : hosts) {
            CompletableFuture<Answer> answer = ask(host, true);
            var unused = answer.thenAccept(told -> {
                if (told.master() != null && !told.isBehind(before)) {
                    template.schedule(() -> enough.complete(true), GRACE);
                }
            });
            asked.add(answer);
        }
        var ignored = CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .whenComplete((nothing, failure) -> enough.complete(true));
        return enough.thenApply(done -> choose(asked, before));
    }

    private Host choose(List<CompletableFuture<Answer>> asked, @Nullable Answer before) {
        List<Answer> told = asked.stream()
                .filter(CompletableFuture::isDone)
                .map(CompletableFuture::join)
                .toList();
        List<Answer> named =
                told.stream().filter(answer -> answer.master() != null).toList();
        Answer best =
                named.stream().max(Comparator.comparingLong(Answer::epoch)).orElse(null);
        if (best != null && best.master() != null) {
            accept(best, named.size() == hosts.size() ? before : null);
            return best.master();
        }
        if (told.stream().anyMatch(Answer::isUnknownMaster)) {
            throw new StoreUnavailableException(
                    "The Sentinels know no such master; the URI must end with the name that they have in"
                            + " 'sentinel monitor': name="
                            + master + ", " + description(),
                    null);
        }
        Throwable first = told.isEmpty() ? null : told.get(0).failure();
        throw new StoreUnavailableException("No Sentinel can be asked for the master: " + description(), first);
    }

    /**
     * Keeps the answer if it is the newest.
     *
     * @param outdated the answer that all Sentinels have gone back behind; null if some have not answered
     * @throws StoreUnavailableException if it is behind another answer
     */
    private synchronized void accept(Answer answer, @Nullable Answer outdated) {
        Answer latest = newest;
        if (answer.isBehind(latest) && !Objects.equals(latest, outdated)) {
            throw new StoreUnavailableException(
                    "The Sentinels that answer name a master that is older than the one before, and are not believed"
                            + " until the others answer, too: master="
                            + answer.master() + ", epoch=" + answer.epoch() + ", " + description(),
                    null);
        }
        if (latest == null || answer.epoch() >= latest.epoch() || answer.isBehind(latest)) {
            newest = answer;
        }
    }

    /** Never fails: a failure is part of the answer. */
    private CompletableFuture<Answer> ask(Host host, boolean mayAuthenticate) {
        try {
            return connector(host)
                    .connect()
                    .thenCompose(opened -> ask(opened.connection()))
                    .handle((answer, failure) -> {
                        if (answer != null) {
                            return CompletableFuture.completedFuture(answer);
                        }
                        if (mayAuthenticate && Failures.wantsPassword(failure)) {
                            protectedByPassword = true;
                            return ask(host, false);
                        }
                        return CompletableFuture.completedFuture(
                                new Answer(null, 0, Failures.withoutArguments(failure)));
                    })
                    .thenCompose(answer -> answer)
                    .toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(new Answer(null, 0, e));
        }
    }

    private CompletableFuture<Answer> ask(StatefulRedisConnection<byte[], byte[]> sentinel) {
        PlainCommand question = new PlainCommand(CommandType.SENTINEL, "MASTER", master);
        template.schedule(() -> question.cancel(false), DedicatedClient.CONNECT_TIMEOUT);
        ((RedisChannelHandler<?, ?>) sentinel).getChannelWriter().write(question);
        return question.thenApply(reply -> {
                    List<String> pairs = reply.elements();
                    Host address = new Host(value(pairs, "ip"), Integer.parseInt(value(pairs, "port")));
                    return new Answer(address, Long.parseLong(value(pairs, "config-epoch")), null);
                })
                .whenComplete((answer, failure) -> {
                    var unused = sentinel.closeAsync();
                });
    }

    private static String value(List<String> pairs, String key) {
        int at = pairs.indexOf(key);
        if (at < 0 || at + 1 == pairs.size()) {
            throw new IllegalStateException("The answer of a Sentinel has no " + key);
        }
        return pairs.get(at + 1);
    }
}
