package dev.interlock.quorum;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.Attempt;
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

/** The holders and waiters of a name, as a majority of the stores reports them. */
final class QuorumInspection {

    /** How many more names each store is asked for, because it may list some that no majority holds. */
    private static final int EXTRA = 100;

    private final Nodes nodes;

    QuorumInspection(Nodes nodes) {
        this.nodes = nodes;
    }

    /** The status of a name in one store, and the fence in its register. */
    private record Page(LockStatus lock, long fence) {}

    CompletableFuture<LockStatus> inspect(LockId id) {
        LockId register = FenceRegister.of(id);
        CompletableFuture<Responses.Tally<Page>> pages = Responses.collect(
                nodes.forEach(store -> {
                    LockStore node = nodes.get(store);
                    return nodes.time()
                            .within(nodes.timeout(), node.inspect(id))
                            .thenCombine(
                                    nodes.time().within(nodes.timeout(), node.inspect(register)),
                                    (lock, fence) -> new Page(lock, FenceRegister.fence(fence)));
                }),
                tally -> tally.open() == 0 && tally.received() >= nodes.majority() ? tally : null);
        return pages.thenApply(tally -> summary(id, present(tally)));
    }

    CompletableFuture<List<LockStatus>> list(String prefix, int limit) {
        return list(prefix, limit, (int) Math.min(Integer.MAX_VALUE, 2L * limit + EXTRA), nodes.timeout());
    }

    /**
     * @param each how many names each store is asked for
     * @param timeout how long a store may take for that many
     */
    private CompletableFuture<List<LockStatus>> list(String prefix, int limit, int each, Duration timeout) {
        CompletableFuture<Responses.Tally<List<LockStatus>>> lists = Responses.collect(
                nodes.request(timeout, store -> list(nodes.get(store), prefix, each)),
                tally -> tally.open() == 0 ? ifMajority(tally) : null,
                // Otherwise a silent store would take the whole timeout in each round.
                () -> nodes.time().upTo(nodes.timeout()),
                this::ifMajority);
        return lists.thenCompose(tally -> {
            List<String> names = names(tally, limit);
            // The registers, one for each name for an hour, may have displaced names that are held.
            boolean more = tally.count(list -> list.size() >= each) > 0 && each <= Integer.MAX_VALUE / 2;
            return names.size() < limit && more
                    ? list(prefix, limit, 2 * each, timeout.multipliedBy(2))
                    : inspectAll(names);
        });
    }

    private <T> Responses.@Nullable Tally<T> ifMajority(Responses.Tally<T> tally) {
        return tally.received() >= nodes.majority() ? tally : null;
    }

    /** The names that a majority lists, in order. */
    private List<String> names(Responses.Tally<List<LockStatus>> tally, int limit) {
        Map<String, Integer> listings = new TreeMap<>();
        for (List<LockStatus> list : present(tally)) {
            list.forEach(status -> listings.merge(status.name(), 1, Integer::sum));
        }
        return listings.entrySet().stream()
                .filter(entry -> entry.getValue() >= nodes.majority())
                .map(Map.Entry::getKey)
                .filter(name -> !name.startsWith(FenceRegister.PREFIX))
                .limit(limit)
                .toList();
    }

    /** The names that one claim holds in a majority of the stores, with their fences. */
    private CompletableFuture<List<LockStatus>> inspectAll(List<String> names) {
        List<CompletableFuture<LockStatus>> looks =
                names.stream().map(name -> inspect(LockId.lock(name))).toList();
        return CompletableFuture.allOf(looks.toArray(new @Nullable CompletableFuture<?>[0]))
                .thenApply(done -> looks.stream()
                        .map(CompletableFuture::join)
                        .filter(LockStatus::isLocked)
                        .toList());
    }

    private static CompletionStage<List<LockStatus>> list(LockStore node, String prefix, int limit) {
        if (node instanceof LockCatalog catalog) {
            return catalog.list(prefix, limit);
        }
        return CompletableFuture.failedFuture(new UnsupportedOperationException(
                "This store cannot list its locks: " + node.getClass().getName()));
    }

    private static <T> List<T> present(Responses.Tally<T> tally) {
        return tally.responses().stream().flatMap(Stream::ofNullable).toList();
    }

    private LockStatus summary(LockId id, List<Page> pages) {
        long token = Attempt.token(pages.stream().mapToLong(Page::fence).max().orElse(0));
        List<LockStatus.Holder> holders = new ArrayList<>();
        byOwner(pages, page -> page.lock().holders(), LockStatus.Holder::owner)
                .forEach((owner, same) -> holders.add(holder(owner, same, token)));
        List<LockStatus.Waiter> waiters = new ArrayList<>();
        byOwner(pages, page -> page.lock().waiters(), LockStatus.Waiter::owner)
                .forEach((owner, same) -> waiters.add(waiter(owner, same)));
        waiters.sort(Comparator.comparing(LockStatus.Waiter::waitingFor).reversed());
        return new LockStatus(id.name(), holders, waiters);
    }

    /** The entries that a majority reports, by the owner of the acquisition. */
    private <T> Map<String, List<T>> byOwner(
            List<Page> pages, Function<Page, List<T>> entries, Function<T, String> owner) {
        Map<String, List<T>> byOwner = new LinkedHashMap<>();
        for (Page page : pages) {
            for (T entry : entries.apply(page)) {
                String ofQuorum =
                        Owners.ofQuorum(new OwnerId(owner.apply(entry))).value();
                byOwner.computeIfAbsent(ofQuorum, key -> new ArrayList<>()).add(entry);
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
