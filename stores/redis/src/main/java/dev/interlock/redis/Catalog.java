package dev.interlock.redis;

import dev.interlock.LockStatus;
import dev.interlock.redis.command.Script;
import dev.interlock.redis.connection.NodeConnection;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Log;
import dev.interlock.spi.Printable;
import dev.interlock.spi.StoreRefusal;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/** Inspects one lock, or lists those with a prefix, which it finds by their keys. */
final class Catalog {

    private static final String START = "0";
    private static final int BATCH = 100;

    /** The most names to collect: a server may report more and more. */
    private static final int MOST_NAMES = 1_000_000;

    private static final Comparator<LockId> ORDER =
            Comparator.comparing(LockId::name).thenComparing(LockId::kind);

    private static final System.Logger LOG = Log.named("dev.interlock.redis");

    private final Router router;

    Catalog(Router router) {
        this.router = router;
    }

    CompletableFuture<LockStatus> inspect(LockId id) {
        PlainScriptCommand call = new PlainScriptCommand(router, "name=" + id.printable(), arguments(id));
        router.send(call);
        return call.thenApply(reply -> StatusParser.parse(id, reply.elements()));
    }

    private static ScriptArguments arguments(LockId id) {
        Keys keys = new Keys(id.name());
        return switch (id.kind()) {
            case LOCK -> ScriptArguments.of(Script.INSPECT, List.of(keys.lock(), keys.waiters()), List.of());
            case READ_WRITE ->
                ScriptArguments.of(
                        Script.LOOK_SHARED,
                        List.of(keys.shared(), keys.fence(), keys.sharedWaiters(), keys.lock()),
                        List.of(keys.sharesPrefix()));
            case SEMAPHORE ->
                ScriptArguments.of(
                        Script.LOOK_PERMITS,
                        List.of(keys.semaphore(), keys.fence(), keys.semaphoreWaiters()),
                        List.of());
            case LATCH -> ScriptArguments.of(Script.COUNT, List.of(keys.latch(), keys.latchWaiters()), List.of());
        };
    }

    CompletableFuture<List<LockStatus>> list(String prefix, int limit) {
        Set<LockId> names = new ConcurrentSkipListSet<>(ORDER);
        byte[] start = Bytes.of(prefix);
        return router.masters()
                .thenCompose(nodes -> CompletableFuture.allOf(nodes.stream()
                        .map(node -> scan(node, START, start, names))
                        .toArray(CompletableFuture[]::new)))
                .thenCompose(done -> inspectAll(names.iterator(), limit, new ArrayList<>()));
    }

    private CompletableFuture<Boolean> scan(NodeConnection node, String cursor, byte[] prefix, Set<LockId> names) {
        ScriptArguments arguments = ScriptArguments.of(Script.LIST, List.of(), List.of(Bytes.of(cursor), prefix));
        PlainScriptCommand call = new PlainScriptCommand(router, "all names", arguments);
        node.send(call);
        return call.thenCompose(reply -> {
            List<String> elements = reply.elements();
            for (String element : elements.subList(1, elements.size())) {
                LockId id = id(element);
                if (id != null) {
                    names.add(id);
                }
            }
            if (names.size() > MOST_NAMES) {
                throw new StoreRefusal(
                        "Too many names to list; ask for those with a longer prefix: more than " + MOST_NAMES);
            }
            String next = elements.get(0);
            return next.equals(START) ? CompletableFuture.completedFuture(true) : scan(node, next, prefix, names);
        });
    }

    /** Returns null if it is not the name of a lock: any client may have written such a key. */
    private static @Nullable LockId id(String element) {
        LockKind kind = KindLetter.kind(element.charAt(0));
        try {
            return kind == null ? null : new LockId(element.substring(1), kind);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Inspects names in order, in batches, until enough of them are in use. */
    private CompletableFuture<List<LockStatus>> inspectAll(Iterator<LockId> ids, int limit, List<LockStatus> found) {
        List<CompletableFuture<LockStatus>> batch = new ArrayList<>();
        while (ids.hasNext() && batch.size() < BATCH) {
            LockId id = ids.next();
            batch.add(inspect(id).exceptionally(failure -> withoutHolders(id, failure)));
        }
        if (batch.isEmpty() || found.size() >= limit) {
            return CompletableFuture.completedFuture(found.stream().limit(limit).toList());
        }
        return CompletableFuture.allOf(batch.toArray(CompletableFuture[]::new)).thenCompose(done -> {
            batch.stream().map(CompletableFuture::join).filter(Catalog::isInUse).forEach(found::add);
            return inspectAll(ids, limit, found);
        });
    }

    /**
     * Leaves out a name whose key is something else, so that it does not hide the others. Any other failure fails the
     * listing, since this name may be held.
     */
    private static LockStatus withoutHolders(LockId id, Throwable failure) {
        Throwable cause = LockStore.causeOf(failure);
        if (!(cause instanceof IllegalStateException)) {
            throw new CompletionException(cause);
        }
        LOG.log(Level.WARNING, "A name is left out of a listing: " + Printable.of(String.valueOf(cause.getMessage())));
        return new LockStatus(id.name(), id.kind(), List.of(), List.of(), 0);
    }

    private static boolean isInUse(LockStatus status) {
        return status.isLocked() || (status.kind() == LockKind.LATCH && status.count() > 0);
    }
}
