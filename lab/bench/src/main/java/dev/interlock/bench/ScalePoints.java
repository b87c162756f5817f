package dev.interlock.bench;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import dev.interlock.redis.RedisStore;
import dev.interlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Measures one point of each curve, with clients of this process on one server. */
final class ScalePoints {

    static final List<String> HELD = List.of(
            "client, CPU µs per lease and renewal",
            "server, CPU µs per lease and renewal",
            "client, bytes per lease",
            "requests per 100 leases and renewal",
            "server, bytes per lease",
            "client, CPU µs per acquire",
            "lost");

    static final List<String> CLIENTS = List.of(
            "server, CPU µs per hand-over of one name",
            "requests per hand-over",
            "server, CPU µs per pair of names of their own",
            "server, bytes per client",
            "client, bytes per client",
            "requests per client in 10 s, holding one lease");

    static final List<String> WAITERS = List.of(
            "client, CPU µs per waiter served",
            "server, CPU µs per waiter served",
            "requests per waiter served",
            "client, bytes per waiter",
            "server, bytes per waiter",
            "requests per 100 waiters in 10 s of waiting");

    static final List<String> USED = List.of(
            "client, CPU µs per acquire and release",
            "server, CPU µs per acquire and release",
            "client, bytes kept per name",
            "server, bytes kept per name, for the life of a fence");

    /** As many requests are under way at once. */
    private static final int UNDER_WAY = 256;

    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final Duration PERIOD = LEASE.dividedBy(3);
    private static final Duration REST = Duration.ofSeconds(10);
    private static final Duration BUSY = Duration.ofSeconds(3);
    private static final LeaseTerm LONG = LeaseTerm.fixed(Duration.ofHours(1));

    private final RedisServer server;

    ScalePoints(RedisServer server) {
        this.server = server;
    }

    /** One client that holds leases for one period of renewal. */
    List<Double> held(long number) {
        Interlock client = client();
        connect(client);
        double heap = Meter.heap();
        double memory = Meter.serverMemory(server);
        Meter begun = Meter.read(server);
        List<Lease> leases = leases(number, i -> client.lock("held:" + i).acquireAsync(LeaseTerm.renewing(LEASE)));
        Meter acquired = Meter.read(server).since(begun).per(number);
        double kept = (Meter.heap() - heap) / number;
        double stored = (Meter.serverMemory(server) - memory) / number;
        Meter before = Meter.read(server);
        Pause.of(PERIOD);
        Meter renewal = Meter.read(server).since(before).per(number);
        double lost = leases.stream().filter(lease -> !lease.isValid()).count();
        end(client);
        return List.of(
                renewal.clientMicros(),
                renewal.serverMicros(),
                kept,
                100 * renewal.requests(),
                stored,
                acquired.clientMicros(),
                lost);
    }

    /** Clients that share threads, as none of this number would in one process, and have connections of their own. */
    List<Double> clients(long number) {
        Interlock first = client();
        connect(first);
        end(first);
        RedisClient shared = RedisClient.create(server.uri());
        double heap = Meter.heap();
        double memory = Meter.serverMemory(server);
        List<Interlock> clients = new ArrayList<>();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Interlock client = Interlock.builder(RedisStore.over(shared)).build();
            clients.add(client);
            // One after the other: each opens connections.
            leases.addAll(leases(1, own(client, i)));
        }
        double kept = (Meter.heap() - heap) / number;
        double stored = (Meter.serverMemory(server) - memory) / number;
        Meter before = Meter.read(server);
        Pause.of(REST);
        Meter rest = Meter.read(server).since(before).per(number);
        release(leases);
        Meter pairs = busy(clients, i -> "own:" + i);
        Meter handOvers = busy(clients, i -> "one");
        clients.forEach(this::end);
        shared.shutdown(0, 0, TimeUnit.SECONDS);
        return List.of(
                handOvers.serverMicros(), handOvers.requests(), pairs.serverMicros(), stored, kept, rest.requests());
    }

    private static LongFunction<CompletionStage<Lease>> own(Interlock client, long number) {
        return once -> client.lock("own:" + number).acquireAsync();
    }

    /** Each client acquires and releases again and again; what one pair costs. */
    private Meter busy(List<Interlock> clients, LongFunction<String> name) {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong pairs = new AtomicLong();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        Meter before = Meter.read(server);
        for (int i = 0; i < clients.size(); i++) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            ends.add(end);
            repeatPairs(clients.get(i), name.apply(i), pairs, over, end);
        }
        Pause.of(BUSY);
        Meter used = Meter.read(server).since(before).per(pairs.get());
        over.set(true);
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
        return used;
    }

    private static void repeatPairs(
            Interlock client, String name, AtomicLong pairs, AtomicBoolean over, CompletableFuture<Void> end) {
        client.lock(name).acquireAsync().thenCompose(Lease::releaseAsync).whenComplete((outcome, failure) -> {
            pairs.incrementAndGet();
            if (failure != null) {
                end.completeExceptionally(failure);
            } else if (over.get()) {
                end.complete(null);
            } else {
                repeatPairs(client, name, pairs, over, end);
            }
        });
    }

    /** Callers of one client that wait for one lock. */
    List<Double> waitersOfOneName(long number) {
        return waiters(number, LockOptions.defaults(), i -> "one");
    }

    /** The same for a fair lock: each has an entry of its own in the store. */
    List<Double> waitersInOrder(long number) {
        return waiters(number, LockOptions.builder().fair(true).build(), i -> "fair");
    }

    /** As many callers, of one client, for as many names. */
    List<Double> waitersOfManyNames(long number) {
        return waiters(number, LockOptions.defaults(), i -> "name:" + i);
    }

    private List<Double> waiters(long number, LockOptions options, LongFunction<String> name) {
        Interlock holder = client();
        Interlock client = client();
        connect(client);
        Stream<String> held = LongStream.range(0, number).mapToObj(name).distinct();
        List<String> names = held.toList();
        List<Lease> leases = leases(
                names.size(), i -> holder.lock(names.get((int) i), options).acquireAsync(LONG));
        double heap = Meter.heap();
        double memory = Meter.serverMemory(server);
        double asked = Meter.read(server).requests();
        // The callers of one plain lock are one claim.
        long listed = names.size() == 1 && !options.isFair() ? 1 : number;
        List<CompletableFuture<?>> served = new ArrayList<>();
        for (long i = 0; i < number; i++) {
            served.add(client.lock(name.apply(i), options)
                    .acquireAsync()
                    .thenCompose(Lease::releaseAsync)
                    .toCompletableFuture());
            if (listed > 1 && i % UNDER_WAY == 0) {
                // Else all requests would be under way at once.
                awaitRequests(asked, i);
            }
        }
        awaitRequests(asked, listed);
        double kept = (Meter.heap() - heap) / number;
        double stored = (Meter.serverMemory(server) - memory) / number;
        Meter before = Meter.read(server);
        Pause.of(REST);
        Meter waiting = Meter.read(server).since(before).per(number);
        Meter begun = Meter.read(server);
        release(leases);
        CompletableFuture.allOf(served.toArray(CompletableFuture[]::new)).join();
        Meter cost = Meter.read(server).since(begun).per(number);
        end(client);
        end(holder);
        return List.of(
                cost.clientMicros(), cost.serverMicros(), cost.requests(), kept, stored, 100 * waiting.requests());
    }

    /** Until those that began to wait have been listed: then requests come at the rhythm of those that wait. */
    private void awaitRequests(double from, long number) {
        while (Meter.read(server).requests() < from + number) {
            Pause.of(Duration.ofMillis(100));
        }
    }

    /** Names that are each locked once. */
    List<Double> used(long number) {
        Interlock client = client();
        connect(client);
        double heap = Meter.heap();
        double memory = Meter.serverMemory(server);
        Meter before = Meter.read(server);
        Semaphore underWay = new Semaphore(UNDER_WAY);
        for (long i = 0; i < number; i++) {
            underWay.acquireUninterruptibly();
            client.lock("used:" + i)
                    .acquireAsync()
                    .thenCompose(Lease::releaseAsync)
                    .whenComplete((outcome, failure) -> underWay.release());
        }
        underWay.acquireUninterruptibly(UNDER_WAY);
        Meter cost = Meter.read(server).since(before).per(number);
        double kept = (Meter.heap() - heap) / number;
        double stored = (Meter.serverMemory(server) - memory) / number;
        end(client);
        return List.of(cost.clientMicros(), cost.serverMicros(), kept, stored);
    }

    private Interlock client() {
        return Interlock.builder(server.uri())
                .closeTimeout(Duration.ofSeconds(1))
                .build();
    }

    /** The first lock opens the connections, and loads what every client has. */
    private static void connect(Interlock client) {
        release(leases(1, i -> client.lock("first").acquireAsync()));
    }

    /** Closes the client, and forgets its claims: the next point begins with an empty server. */
    private void end(Interlock client) {
        client.close();
        server.command("FLUSHALL");
    }

    private static List<Lease> leases(long number, LongFunction<CompletionStage<Lease>> acquiring) {
        Semaphore underWay = new Semaphore(UNDER_WAY);
        List<CompletableFuture<Lease>> asked = new ArrayList<>();
        for (long i = 0; i < number; i++) {
            underWay.acquireUninterruptibly();
            asked.add(acquiring
                    .apply(i)
                    .whenComplete((lease, failure) -> underWay.release())
                    .toCompletableFuture());
        }
        return asked.stream().map(CompletableFuture::join).toList();
    }

    private static void release(List<Lease> leases) {
        Semaphore underWay = new Semaphore(UNDER_WAY);
        for (Lease lease : leases) {
            underWay.acquireUninterruptibly();
            lease.releaseAsync().whenComplete((outcome, failure) -> underWay.release());
        }
        underWay.acquireUninterruptibly(UNDER_WAY);
    }
}
