package dev.interlock.zookeeper;

import dev.interlock.LockStatus;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.StoreRefusal;
import dev.interlock.support.Futures;
import dev.interlock.zookeeper.node.LatchCount;
import dev.interlock.zookeeper.node.NameEncoding;
import dev.interlock.zookeeper.node.NodeData;
import dev.interlock.zookeeper.node.NodeName;
import dev.interlock.zookeeper.node.NodeQueue;
import dev.interlock.zookeeper.node.Participant;
import dev.interlock.zookeeper.node.Paths;
import dev.interlock.zookeeper.node.SemaphoreCapacity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads who holds locks and who waits for them. Used on the event loop. */
final class Catalog {

    /** How many locks are read at once. */
    private static final int STRIDE = 64;

    private final Paths paths;
    private final Listing listing;
    private final Function<OwnerId, @Nullable Duration> left;

    /** @param left returns the rest of the lease of an owner, if this client holds the lease; null otherwise */
    Catalog(Paths paths, Listing listing, Function<OwnerId, @Nullable Duration> left) {
        this.paths = paths;
        this.listing = listing;
        this.left = left;
    }

    CompletableFuture<LockStatus> inspect(Session now, LockId id) {
        String path = paths.of(id);
        return switch (id.kind()) {
            case LOCK, READ_WRITE -> lock(now, id, path);
            case SEMAPHORE -> semaphore(now, id, path);
            case LATCH -> latch(now, id, path);
        };
    }

    private CompletableFuture<LockStatus> semaphore(Session now, LockId id, String path) {
        CompletableFuture<Optional<NodeData>> capacity =
                NodeExpiry.withClock(now, now.readIfThere(path + Paths.CAPACITY), path);
        CompletableFuture<List<Participant>> held = below(now, path, path + Paths.LEASES);
        CompletableFuture<List<Participant>> waiting = below(now, path, path + Paths.LOCKS);
        return Futures.all(List.of(capacity, held, waiting)).thenApply(done -> {
            // A claim of several permits is one holder.
            Map<String, Participant> holders = new LinkedHashMap<>();
            held.join().forEach(each -> holders.putIfAbsent(each.owner(), each));
            int claimed = Stream.concat(held.join().stream(), waiting.join().stream())
                    .mapToInt(Participant::capacity)
                    .max()
                    .orElse(0);
            return new LockStatus(
                    id.name(),
                    id.kind(),
                    holders.values().stream()
                            .map(each -> each.holder(each.permitsOf(claimed)))
                            .toList(),
                    waiting.join().stream()
                            .filter(each -> !holders.containsKey(each.owner()))
                            .map(each -> each.waiter(each.permitsOf(claimed)))
                            .toList(),
                    SemaphoreCapacity.of(capacity.join(), now.clock())
                            .map(SemaphoreCapacity::permits)
                            .orElse(claimed));
        });
    }

    private CompletableFuture<LockStatus> latch(Session now, LockId id, String path) {
        CompletableFuture<Optional<NodeData>> count =
                NodeExpiry.withClock(now, now.readIfThere(path + Paths.COUNT), path);
        return below(now, path, path + Paths.WAITERS)
                .thenCombine(
                        count,
                        (waiting, read) -> new LockStatus(
                                id.name(),
                                id.kind(),
                                List.of(),
                                waiting.stream()
                                        .map(each -> each.waiter(new Mode.AwaitZero()))
                                        .toList(),
                                LatchCount.of(read, now.clock(), path + Paths.COUNT)
                                        .map(LatchCount::count)
                                        .orElse(0)));
    }

    private CompletableFuture<LockStatus> lock(Session now, LockId id, String path) {
        return now.childrenOrNone(path)
                .thenCompose(
                        children -> Participants.read(now, path, path, NodeQueue.ofKind(id.kind(), children), left))
                .thenApply(participants -> {
                    Set<NodeName> holding = Set.copyOf(new NodeQueue(
                                    participants.stream().map(Participant::node).toList())
                            .holding());
                    List<LockStatus.Holder> holders = new ArrayList<>();
                    List<LockStatus.Waiter> waiters = new ArrayList<>();
                    for (Participant each : participants) {
                        if (holding.contains(each.node())) {
                            holders.add(each.holder(each.mode()));
                        } else {
                            waiters.add(each.waiter(each.mode()));
                        }
                    }
                    return new LockStatus(id.name(), id.kind(), holders, waiters, 1);
                });
    }

    private CompletableFuture<List<Participant>> below(Session now, String lock, String parent) {
        return now.childrenOrNone(parent)
                .thenCompose(children -> Participants.read(now, lock, parent, NodeQueue.ordered(children), left));
    }

    // ---- all locks

    CompletableFuture<List<LockStatus>> list(Session now, String prefix, int limit) {
        return listing.children(now, paths.base()).thenCompose(children -> {
            List<String> names = children.stream()
                    .map(NameEncoding::decode)
                    .filter(Objects::nonNull)
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
            return list(now, names, 0, limit, new ArrayList<>());
        });
    }

    private CompletableFuture<List<LockStatus>> list(
            Session now, List<String> names, int from, int limit, List<LockStatus> found) {
        if (from >= names.size() || found.size() >= limit) {
            return CompletableFuture.completedFuture(List.copyOf(found.subList(0, Math.min(limit, found.size()))));
        }
        int to = Math.min(names.size(), from + STRIDE);
        List<CompletableFuture<List<LockStatus>>> looks =
                names.subList(from, to).stream().map(name -> inUse(now, name)).toList();
        return Futures.all(looks).thenCompose(done -> {
            looks.forEach(look -> found.addAll(look.join()));
            return list(now, names, to, limit, found);
        });
    }

    /** Reads the locks of every kind that are in use under this name. */
    private CompletableFuture<List<LockStatus>> inUse(Session now, String name) {
        String path = paths.of(LockId.lock(name));
        return now.childrenOrNone(path).thenCompose(children -> {
            List<CompletableFuture<Optional<LockStatus>>> looks = kinds(children)
                    .map(kind -> ifReadable(inspect(now, new LockId(name, kind))))
                    .toList();
            return Futures.all(looks).thenApply(done -> looks.stream()
                    .flatMap(look -> look.join().stream())
                    .filter(Catalog::isInUse)
                    .toList());
        });
    }

    /** What somebody else has written keeps nobody from seeing the other names; a look at this one says what it is. */
    private static CompletableFuture<Optional<LockStatus>> ifReadable(CompletableFuture<LockStatus> look) {
        return Futures.either(
                look,
                (status, failure) -> LockStore.causeOf(failure) instanceof StoreRefusal
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : look.thenApply(Optional::of));
    }

    private static boolean isInUse(LockStatus status) {
        return status.isLocked() || (status.kind() == LockKind.LATCH && status.count() > 0);
    }

    private static Stream<LockKind> kinds(List<String> children) {
        Stream<LockKind> locks = NodeQueue.ordered(children).stream().map(node -> switch (node.role()) {
            case LOCK, LEADER -> LockKind.LOCK;
            default -> LockKind.READ_WRITE;
        });
        Stream<LockKind> others = children.stream().flatMap(child -> switch ('/' + child) {
            case Paths.LEASES -> Stream.of(LockKind.SEMAPHORE);
            case Paths.COUNT -> Stream.of(LockKind.LATCH);
            default -> Stream.empty();
        });
        return Stream.concat(locks, others).distinct().sorted();
    }
}
