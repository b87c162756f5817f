package dev.interlock.quorum;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who holds and who waits: what a majority of the stores says. */
final class Survey {

    /** What a token is wider than a fence: the room for hand-overs inside a process. */
    private static final long TOKENS_PER_FENCE = 1024;

    /** What a store may list that no majority holds. */
    private static final int ROOM = 100;

    private final Nodes nodes;

    Survey(Nodes nodes) {
        this.nodes = nodes;
    }

    /** What one store says of a name, and of the register of its fence. */
    private record Page(LockStatus lock, long fence) {}

    CompletableFuture<LockStatus> inspect(LockId id) {
        LockId register = FenceRegister.of(id);
        CompletableFuture<Poll.Count<Page>> pages = Poll.take(
                nodes.each(store -> {
                    LockStore node = nodes.get(store);
                    return Nodes.within(nodes.patience(), node.inspect(id))
                            .thenCombine(
                                    Nodes.within(nodes.patience(), node.inspect(register)),
                                    (lock, fence) -> new Page(lock, FenceRegister.fence(fence)));
                }),
                count -> count.open() == 0 && count.answered() >= nodes.majority() ? count : null);
        return pages.thenApply(count -> summary(id, present(count)));
    }

    CompletableFuture<List<LockStatus>> list(String prefix, int limit) {
        return list(prefix, limit, (int) Math.min(Integer.MAX_VALUE, 2L * limit + ROOM), nodes.patience());
    }

    /**
     * @param each how many names each store is asked for
     * @param patience how long it may take for so many
     */
    private CompletableFuture<List<LockStatus>> list(String prefix, int limit, int each, Duration patience) {
        CompletableFuture<Poll.Count<List<LockStatus>>> lists = Poll.take(
                nodes.ask(patience, store -> list(nodes.get(store), prefix, each)),
                count -> count.open() == 0 ? answered(count) : null,
                // One that is silent would take all of that in each round.
                nodes.patience(),
                this::answered);
        return lists.thenCompose(count -> {
            List<String> names = names(count, limit);
            // Registers, of which each name has one for an hour, may have left no room for the names that are held.
            boolean more = count.of(list -> list.size() >= each) > 0 && each <= Integer.MAX_VALUE / 2;
            return names.size() < limit && more
                    ? list(prefix, limit, 2 * each, patience.multipliedBy(2))
                    : inspectAll(names);
        });
    }

    private <T> Poll.@Nullable Count<T> answered(Poll.Count<T> count) {
        return count.answered() >= nodes.majority() ? count : null;
    }

    /** The names that a majority lists, in order. */
    private List<String> names(Poll.Count<List<LockStatus>> count, int limit) {
        Map<String, Integer> listings = new TreeMap<>();
        for (List<LockStatus> list : present(count)) {
            list.forEach(status -> listings.merge(status.name(), 1, Integer::sum));
        }
        return listings.entrySet().stream()
                .filter(entry -> entry.getValue() >= nodes.majority())
                .map(Map.Entry::getKey)
                .filter(name -> !name.startsWith(FenceRegister.PREFIX))
                .limit(limit)
                .toList();
    }

    /** What of these is held by one and the same claim in a majority, with its fence. */
    private CompletableFuture<List<LockStatus>> inspectAll(List<String> names) {
        CompletableFuture<List<LockStatus>> found = CompletableFuture.completedFuture(List.of());
        for (CompletableFuture<LockStatus> status :
                names.stream().map(name -> inspect(LockId.lock(name))).toList()) {
            found = found.thenCombine(status, Survey::withLocked);
        }
        return found;
    }

    private static List<LockStatus> withLocked(List<LockStatus> found, LockStatus status) {
        return status.isLocked()
                ? Stream.concat(found.stream(), Stream.of(status)).toList()
                : found;
    }

    private static CompletionStage<List<LockStatus>> list(LockStore node, String prefix, int limit) {
        if (node instanceof LockCatalog catalog) {
            return catalog.list(prefix, limit);
        }
        return CompletableFuture.failedFuture(new UnsupportedOperationException(
                "This store cannot list its locks: " + node.getClass().getName()));
    }

    private static <T> List<T> present(Poll.Count<T> count) {
        return count.answers().stream().flatMap(Stream::ofNullable).toList();
    }

    private LockStatus summary(LockId id, List<Page> pages) {
        long token =
                TOKENS_PER_FENCE * pages.stream().mapToLong(Page::fence).max().orElse(0);
        List<LockStatus.Holder> holders = new ArrayList<>();
        byOwner(pages, page -> page.lock().holders(), LockStatus.Holder::owner)
                .forEach((owner, same) -> holders.add(holder(owner, same, token)));
        List<LockStatus.Waiter> waiters = new ArrayList<>();
        byOwner(pages, page -> page.lock().waiters(), LockStatus.Waiter::owner)
                .forEach((owner, same) -> waiters.add(waiter(owner, same)));
        waiters.sort(Comparator.comparing(LockStatus.Waiter::waitingFor).reversed());
        return new LockStatus(id.name(), holders, waiters);
    }

    /** What at least a majority says, by the owner outside. */
    private <T> Map<String, List<T>> byOwner(
            List<Page> pages, Function<Page, List<T>> entries, Function<T, String> owner) {
        Map<String, List<T>> byOwner = new LinkedHashMap<>();
        for (Page page : pages) {
            for (T entry : entries.apply(page)) {
                String outside = Owners.outside(new OwnerId(owner.apply(entry))).value();
                byOwner.computeIfAbsent(outside, key -> new ArrayList<>()).add(entry);
            }
        }
        byOwner.values().removeIf(same -> same.size() < nodes.majority());
        return byOwner;
    }

    /** A lease lasts as long as a majority keeps it. */
    private LockStatus.Holder holder(String owner, List<LockStatus.Holder> same, long token) {
        List<Duration> remaining = same.stream()
                .map(LockStatus.Holder::remainingLease)
                .sorted(Comparator.reverseOrder())
                .toList();
        Party party = same.get(0).party();
        Duration heldFor = same.stream()
                .map(LockStatus.Holder::heldFor)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        return new LockStatus.Holder(owner, party, heldFor, remaining.get(nodes.majority() - 1), token);
    }

    private static LockStatus.Waiter waiter(String owner, List<LockStatus.Waiter> same) {
        Duration longest = same.stream()
                .map(LockStatus.Waiter::waitingFor)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        return new LockStatus.Waiter(owner, same.get(0).party(), longest);
    }
}
