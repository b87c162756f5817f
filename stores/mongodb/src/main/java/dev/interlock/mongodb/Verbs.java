package dev.interlock.mongodb;

import dev.interlock.LockStatus;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import dev.interlock.support.rules.Decision;
import dev.interlock.support.rules.NameState;
import dev.interlock.support.rules.Waiter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** The verbs besides acquire, as pieces of blocking work. */
final class Verbs {

    private static final int PAGE = 1_000;

    /** A swap is lost to another one that succeeds: pauses only keep many clients from meeting again and again. */
    private static final int MAX_PAUSE_DOUBLINGS = 5;

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private Verbs() {}

    /** Executes the command: the document with the time, a decision and a swap, until no other client is faster. */
    static boolean execute(Documents documents, Command command, Runnable wanted) {
        for (int lost = 0; ; lost++) {
            wanted.run();
            NameDocument read = documents.stampOrMake(command.id());
            Decision<Boolean> decision = NameDocument.RULES.execute(read.state(), command, read.now());
            wanted.run();
            if (write(documents, read, decision)) {
                return decision.answer();
            }
            pauseAfter(lost);
        }
    }

    /** Writes what is decided, unless it is so already; returns false if another client has written since. */
    static boolean write(Documents documents, NameDocument read, Decision<?> decision) {
        return read.isStill(decision.state()) || documents.swap(read, decision.state(), woken(read, decision));
    }

    /** The waiters whose turn has come by this, not those who could be granted before: they have been woken. */
    private static List<OwnerId> woken(NameDocument read, Decision<?> decision) {
        Set<Waiter> before = new HashSet<>(
                NameDocument.RULES.wake(read.state(), 0, read.now()).woken());
        return decision.woken().stream()
                .filter(each -> !before.contains(each))
                .map(Waiter::owner)
                .toList();
    }

    /** @param lost how many swaps have been lost before */
    static void pauseAfter(int lost) {
        long most = PAUSE_NANOS << Math.min(lost, MAX_PAUSE_DOUBLINGS);
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
    }

    /** Ends the claim: one command if it is alone; otherwise the document with the time, a decision and a swap. */
    static boolean release(Documents documents, Claim claim) {
        boolean isMore = claim.forced() || claim.lapses();
        Boolean freed = isMore ? null : documents.free(claim);
        while (freed == null) {
            NameDocument read = documents.stamp(claim.id());
            if (read == null) {
                return false;
            }
            // Written even if nothing changes: an acquire of this claim that is still under way fails then. And all
            // whose turn it is are woken again: one that was woken may be the one that gives up.
            Decision<Boolean> decision = NameDocument.RULES.release(read.state(), claim, read.now());
            List<OwnerId> woken =
                    new ArrayList<>(decision.woken().stream().map(Waiter::owner).toList());
            if (claim.forced() && decision.answer()) {
                // Its client learns of it at once, if it listens.
                woken.add(claim.owner());
            }
            if (documents.swap(read, decision.state(), woken)) {
                return decision.answer();
            }
        }
        return freed;
    }

    /**
     * Renews the claims in three commands however many there are: one has the server write its time, one reads, one
     * writes. If another client has written in between, all that were held are renewed once more, which does no harm.
     * Those that are too large to be read together come one part after the other.
     */
    static Map<Claim, Renewal> renew(Documents documents, Collection<Claim> claims, Runnable wanted) {
        Map<Claim, Renewal> result = new HashMap<>();
        Collection<Claim> left = claims;
        while (!left.isEmpty()) {
            wanted.run();
            Documents.Stamped stamped =
                    documents.stamp(left.stream().map(Claim::id).collect(Collectors.toSet()));
            Map<NameDocument, NameState> changes = new HashMap<>();
            List<Claim> held = new ArrayList<>();
            List<Claim> unread = new ArrayList<>();
            for (Claim claim : left) {
                Optional<NameDocument> found = stamped.names().get(claim.id());
                if (found == null && !stamped.isWhole()) {
                    unread.add(claim);
                } else if (found == null) {
                    result.put(claim, Renewal.DELETED);
                } else if (found.isEmpty()) {
                    // Nothing is known of it, and the others do not suffer.
                    result.remove(claim);
                } else {
                    NameDocument read = found.get();
                    NameState state = changes.getOrDefault(read, read.state());
                    Decision<Renewal> decision = NameDocument.RULES.renew(state, claim, read.now());
                    result.put(claim, decision.answer());
                    if (decision.answer() == Renewal.HELD) {
                        changes.put(read, decision.state());
                        held.add(claim);
                    }
                }
            }
            wanted.run();
            if (!changes.isEmpty() && !documents.swapAll(changes)) {
                unread.addAll(held);
            }
            left = unread;
        }
        return result;
    }

    /** Requests the server's time first: what was over then is over. */
    static LockStatus inspect(Documents documents, LockId id) {
        long now = documents.now();
        return NameDocument.RULES.status(documents.read(id, now).state(), now);
    }

    static List<LockStatus> list(Documents documents, String prefix, int limit, Runnable wanted) {
        long now = documents.now();
        List<LockStatus> listed = new ArrayList<>();
        for (LockKind kind : LockKind.values()) {
            listed.addAll(list(documents, Documents.key(kind, prefix), limit, now, wanted));
        }
        listed.sort(Comparator.comparing(LockStatus::name).thenComparing(LockStatus::kind));
        return List.copyOf(listed.subList(0, Math.min(limit, listed.size())));
    }

    /** The first of one kind. There may be very many that are over: it ends when nobody waits for it any more. */
    private static List<LockStatus> list(Documents documents, String prefix, int limit, long now, Runnable wanted) {
        List<LockStatus> listed = new ArrayList<>();
        String from = prefix;
        while (true) {
            wanted.run();
            Documents.Batch page = documents.pageInUse(prefix, from, PAGE);
            for (Documents.Found found : page.found()) {
                NameDocument read = found.document() == null ? null : Documents.anyName(found.document(), now);
                LockStatus status = read == null ? null : NameDocument.RULES.status(read.state(), now);
                if (status != null && (status.isLocked() || (status.kind() == LockKind.LATCH && status.count() > 0))) {
                    listed.add(status);
                }
                if (listed.size() == limit) {
                    return listed;
                }
            }
            if (page.isWhole() && page.found().size() < PAGE) {
                return listed;
            }
            from = page.after();
        }
    }
}
