package dev.interlock.zookeeper;

import dev.interlock.LockStatus;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who holds and who waits. Used on the loop only. */
final class Catalog {

    /** How many locks are looked at in one go. */
    private static final int STRIDE = 64;

    private final Standings all;
    private final Listing listing;

    Catalog(Standings all, Listing listing) {
        this.all = all;
        this.listing = listing;
    }

    CompletableFuture<LockStatus> inspect(LockId id) {
        return all.session().thenCompose(now -> inspect(now, id));
    }

    private CompletableFuture<LockStatus> inspect(Session now, LockId id) {
        String path = all.paths().of(id);
        return switch (id.kind()) {
            case LOCK, READ_WRITE -> line(now, id, path);
            case SEMAPHORE -> semaphore(now, id, path);
            case LATCH -> latch(now, id, path);
        };
    }

    private CompletableFuture<LockStatus> semaphore(Session now, LockId id, String path) {
        CompletableFuture<Optional<Session.Read>> capacity =
                Life.dated(now, now.readIfThere(path + Paths.CAPACITY), path);
        CompletableFuture<List<Seen>> held = seenBelow(now, path + Paths.LEASES);
        CompletableFuture<List<Seen>> waiting = seenBelow(now, path + Paths.LOCKS);
        return Answers.all(List.of(capacity, held, waiting)).thenApply(done -> {
            // A claim of several permits is one holder.
            Map<String, Seen> holders = new LinkedHashMap<>();
            held.join().forEach(each -> holders.putIfAbsent(each.owner(), each));
            int said = Stream.concat(held.join().stream(), waiting.join().stream())
                    .mapToInt(Seen::capacity)
                    .max()
                    .orElse(0);
            return new LockStatus(
                    id.name(),
                    id.kind(),
                    holders.values().stream()
                            .map(each -> each.holder(each.permitsOf(said)))
                            .toList(),
                    waiting.join().stream()
                            .filter(each -> !holders.containsKey(each.owner()))
                            .map(each -> each.waiter(each.permitsOf(said)))
                            .toList(),
                    Capacity.of(capacity.join(), now.clock())
                            .map(Capacity::permits)
                            .orElse(said));
        });
    }

    private CompletableFuture<List<Seen>> seenBelow(Session now, String path) {
        return now.childrenOrNone(path).thenCompose(children -> seen(now, path, Line.ordered(children)));
    }

    private CompletableFuture<LockStatus> latch(Session now, LockId id, String path) {
        CompletableFuture<Optional<Session.Read>> count = Life.dated(now, now.readIfThere(path + Paths.COUNT), path);
        return seenBelow(now, path + Paths.WAITERS)
                .thenCombine(
                        count,
                        (waiting, read) -> new LockStatus(
                                id.name(),
                                id.kind(),
                                List.of(),
                                waiting.stream()
                                        .map(each -> each.waiter(new Mode.AwaitZero()))
                                        .toList(),
                                LatchCount.of(read, now.clock())
                                        .map(LatchCount::count)
                                        .orElse(0)));
    }

    private CompletableFuture<LockStatus> line(Session now, LockId id, String path) {
        return now.childrenOrNone(path)
                .thenCompose(children -> seen(now, path, Line.of(id.kind(), children)))
                .thenApply(seen -> {
                    Line line = new Line(seen.stream().map(Seen::node).toList());
                    List<LockStatus.Holder> holders = new ArrayList<>();
                    List<LockStatus.Waiter> waiters = new ArrayList<>();
                    for (Seen each : seen) {
                        if (line.holds(each.node())) {
                            holders.add(each.holder(each.mode()));
                        } else {
                            waiters.add(each.waiter(each.mode()));
                        }
                    }
                    return new LockStatus(id.name(), id.kind(), holders, waiters, 1);
                });
    }

    /** Reads these nodes in one go; those that go meanwhile are left out. */
    CompletableFuture<List<Seen>> seen(Session now, String path, List<NodeName> nodes) {
        if (nodes.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return now.learnClock(all.paths().child("")).thenCompose(known -> {
            List<CompletableFuture<Optional<Session.Read>>> reads = nodes.stream()
                    .map(node -> now.readIfThere(path + '/' + node.text()))
                    .toList();
            return Answers.all(reads).thenApply(done -> {
                List<Seen> seen = new ArrayList<>();
                for (int i = 0; i < nodes.size(); i++) {
                    NodeName node = nodes.get(i);
                    reads.get(i).join().ifPresent(read -> seen.add(Seen.of(node, read, now.clock(), left(read))));
                }
                return seen;
            });
        });
    }

    /** What is left of the lease, if the claim is of this client. */
    private @Nullable Duration left(Session.Read read) {
        Payload payload = Payload.decode(read.data);
        Standing own = payload == null ? null : all.get(new OwnerId(payload.owner()));
        return own != null && own.isHeld() ? own.left() : null;
    }

    // ---- all

    CompletableFuture<List<LockStatus>> list(String prefix, int limit) {
        return all.session()
                .thenCompose(now -> listing.children(now, all.paths().base()).thenCompose(children -> {
                    List<String> names = children.stream()
                            .map(Names::decode)
                            .filter(Objects::nonNull)
                            .filter(name -> name.startsWith(prefix))
                            .sorted()
                            .toList();
                    return list(now, names, 0, limit, new ArrayList<>());
                }));
    }

    private CompletableFuture<List<LockStatus>> list(
            Session now, List<String> names, int from, int limit, List<LockStatus> found) {
        if (from >= names.size() || found.size() >= limit) {
            return CompletableFuture.completedFuture(List.copyOf(found.subList(0, Math.min(limit, found.size()))));
        }
        int to = Math.min(names.size(), from + STRIDE);
        List<CompletableFuture<List<LockStatus>>> looks =
                names.subList(from, to).stream().map(name -> look(now, name)).toList();
        return Answers.all(looks).thenCompose(done -> {
            looks.forEach(look -> found.addAll(look.join()));
            return list(now, names, to, limit, found);
        });
    }

    /** What is held under this name, of every kind. */
    private CompletableFuture<List<LockStatus>> look(Session now, String name) {
        String path = all.paths().of(LockId.lock(name));
        return now.childrenOrNone(path).thenCompose(children -> {
            List<CompletableFuture<LockStatus>> looks = kinds(children)
                    .map(kind -> inspect(now, new LockId(name, kind)))
                    .toList();
            return Answers.all(looks).thenApply(done -> looks.stream()
                    .map(CompletableFuture::join)
                    .filter(Catalog::isInUse)
                    .toList());
        });
    }

    private static boolean isInUse(LockStatus status) {
        return status.isLocked() || (status.kind() == LockKind.LATCH && status.count() > 0);
    }

    private static Stream<LockKind> kinds(List<String> children) {
        Stream<LockKind> lines = Line.ordered(children).stream()
                .map(node -> node.role() == NodeName.Role.LOCK ? LockKind.LOCK : LockKind.READ_WRITE);
        Stream<LockKind> others = children.stream().flatMap(child -> switch ('/' + child) {
            case Paths.LEASES -> Stream.of(LockKind.SEMAPHORE);
            case Paths.COUNT -> Stream.of(LockKind.LATCH);
            default -> Stream.empty();
        });
        return Stream.concat(lines, others).distinct().sorted();
    }
}
