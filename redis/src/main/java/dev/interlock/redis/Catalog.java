package dev.interlock.redis;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.LockId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Looks at locks: one by its name, or those with a prefix, found by the fences that they leave beside them. */
final class Catalog {

    private static final String MARK = "interlock";
    private static final int TOKENS_PER_FENCE = 1024;
    private static final String START = "0";
    private static final int BATCH = 100;

    /** Shown for a lease without an end. It is 292 years, and still fits into nanoseconds. */
    private static final Duration NO_END = Duration.ofNanos(Long.MAX_VALUE);

    private final Link link;

    Catalog(Link link) {
        this.link = link;
    }

    CompletableFuture<LockStatus> inspect(LockId id) {
        Keys keys = new Keys(id.name());
        TextCall call = new TextCall(link, Script.INSPECT, "name=" + id.name(), 2, keys.lock(), keys.waiters());
        link.send(call);
        return call.thenApply(reply -> status(id.name(), reply.elements()));
    }

    CompletableFuture<List<LockStatus>> list(String prefix, int limit) {
        Set<String> names = new ConcurrentSkipListSet<>();
        byte[] start = Text.of(prefix);
        return link.masters()
                .thenCompose(nodes -> CompletableFuture.allOf(nodes.stream()
                        .map(node -> scan(node, START, start, names))
                        .toArray(CompletableFuture[]::new)))
                .thenCompose(done -> inspectAll(names.iterator(), limit, new ArrayList<>()));
    }

    private CompletableFuture<Boolean> scan(NodeLink node, String cursor, byte[] prefix, Set<String> names) {
        TextCall call = new TextCall(link, Script.LIST, "all names", 0, Text.of(cursor), prefix);
        node.send(call);
        return call.thenCompose(reply -> {
            List<String> elements = reply.elements();
            elements.stream().skip(1).filter(Catalog::isName).forEach(names::add);
            String next = elements.get(0);
            return next.equals(START) ? CompletableFuture.completedFuture(true) : scan(node, next, prefix, names);
        });
    }

    /** Anybody may have written such a key. */
    private static boolean isName(String text) {
        try {
            return LockId.lock(text).name().equals(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** In batches, in the order of the names, until enough of them are found to be held. */
    private CompletableFuture<List<LockStatus>> inspectAll(Iterator<String> names, int limit, List<LockStatus> found) {
        List<CompletableFuture<LockStatus>> batch = new ArrayList<>();
        while (names.hasNext() && batch.size() < BATCH) {
            String name = names.next();
            batch.add(inspect(LockId.lock(name)).exceptionally(failure -> new LockStatus(name, List.of(), List.of())));
        }
        if (batch.isEmpty() || found.size() >= limit) {
            return CompletableFuture.completedFuture(found.stream().limit(limit).toList());
        }
        return CompletableFuture.allOf(batch.toArray(CompletableFuture[]::new)).thenCompose(done -> {
            batch.stream()
                    .map(CompletableFuture::join)
                    .filter(LockStatus::isLocked)
                    .forEach(found::add);
            return inspectAll(names, limit, found);
        });
    }

    private static LockStatus status(String name, List<String> elements) {
        long now = Long.parseLong(elements.get(0));
        long left = Long.parseLong(elements.get(1));
        int end = 3 + Integer.parseInt(elements.get(2));
        return new LockStatus(
                name,
                holders(elements.subList(3, end), now, left),
                waiters(elements.subList(end, elements.size()), now));
    }

    private static List<LockStatus.Holder> holders(List<String> hash, long now, long left) {
        Stamp mark = Stamp.parse(value(hash, MARK));
        Duration remaining = left == -1 ? NO_END : Duration.ofMillis(Math.max(0, left));
        List<LockStatus.Holder> holders = new ArrayList<>();
        for (int i = 0; i + 1 < hash.size(); i += 2) {
            String field = hash.get(i);
            if (field.equals(MARK) || field.equals("mode")) {
                continue;
            }
            Party party = mark == null ? Party.UNKNOWN : mark.party();
            Duration heldFor = mark == null ? Duration.ZERO : age(now, mark.second());
            long token = mark == null ? 0 : mark.first() * TOKENS_PER_FENCE;
            holders.add(new LockStatus.Holder(field, party, heldFor, remaining, token));
        }
        return holders;
    }

    private static List<LockStatus.Waiter> waiters(List<String> hash, long now) {
        List<LockStatus.Waiter> waiters = new ArrayList<>();
        for (int i = 0; i + 1 < hash.size(); i += 2) {
            Stamp entry = Stamp.parse(hash.get(i + 1));
            if (entry != null && entry.second() > now) {
                waiters.add(new LockStatus.Waiter(hash.get(i), entry.party(), age(now, entry.first())));
            }
        }
        waiters.sort(Comparator.comparing(LockStatus.Waiter::waitingFor).reversed());
        return waiters;
    }

    private static Duration age(long now, long since) {
        return Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(Math.max(0, now - since)));
    }

    private static @Nullable String value(List<String> hash, String field) {
        for (int i = 0; i + 1 < hash.size(); i += 2) {
            if (hash.get(i).equals(field)) {
                return hash.get(i + 1);
            }
        }
        return null;
    }
}
