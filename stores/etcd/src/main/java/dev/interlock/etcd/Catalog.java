package dev.interlock.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.comparing;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.StoreRefusal;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Who holds and who waits, for people. On the event loop. */
final class Catalog {

    /** How many keys a listing reads in one request. */
    private static final int PAGE = 1_000;

    private final Etcd etcd;
    private final Keys keys;
    private final Claims claims;

    Catalog(Etcd etcd, Keys keys, Claims claims) {
        this.etcd = etcd;
        this.keys = keys;
        this.claims = claims;
    }

    CompletableFuture<LockStatus> inspect(LockId id) {
        String prefix = keys.of(id);
        return etcd.txn(List.of(Operations.all(prefix))).thenApply(read -> status(Queue.of(id, prefix, read)));
    }

    /** The first names of each kind, in the order of the keys. */
    CompletableFuture<List<LockStatus>> list(String beginning, int limit) {
        CompletableFuture<List<LockStatus>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (LockKind kind : LockKind.values()) {
            String first = keys.of(kind, beginning);
            all = all.thenCompose(before -> page(kind, first, end(first), limit, new ArrayList<>())
                    .thenApply(found -> {
                        before.addAll(found);
                        return before;
                    }));
        }
        return all.thenApply(found -> found.stream()
                .sorted(comparing(LockStatus::name).thenComparing(LockStatus::kind))
                .limit(limit)
                .toList());
    }

    /** @param name the keys of the last name so far, of which there may be more; this method adds to them */
    private CompletableFuture<List<LockStatus>> page(
            LockKind kind, String from, ByteSequence end, int limit, List<StoredKey> name) {
        GetOption range = GetOption.builder().withRange(end).withLimit(PAGE).build();
        return etcd.get(from, range).thenCompose(read -> {
            List<LockStatus> found = new ArrayList<>();
            String last = from;
            for (KeyValue each : read.getKvs()) {
                StoredKey key = StoredKey.of(each);
                if (!name.isEmpty() && !isOfOneName(kind, name.get(0), key)) {
                    add(kind, name, found);
                    name.clear();
                }
                name.add(key);
                last = key.name() + '\0';
            }
            if (!read.isMore() || found.size() >= limit) {
                add(kind, name, found);
                return CompletableFuture.completedFuture(found);
            }
            return page(kind, last, end, limit - found.size(), name).thenApply(rest -> {
                found.addAll(rest);
                return found;
            });
        });
    }

    /** The first key behind all that begin with this text. */
    private static ByteSequence end(String beginning) {
        byte[] bytes = beginning.getBytes(UTF_8);
        // No byte of UTF-8 is 255.
        bytes[bytes.length - 1]++;
        return ByteSequence.from(bytes);
    }

    private boolean isOfOneName(LockKind kind, StoredKey one, StoredKey other) {
        LockId id = keys.idOf(kind, one.name());
        return id != null && id.equals(keys.idOf(kind, other.name()));
    }

    private void add(LockKind kind, List<StoredKey> name, List<LockStatus> to) {
        LockId id = name.isEmpty() ? null : keys.idOf(kind, name.get(0).name());
        if (id == null) {
            return;
        }
        LockStatus status;
        try {
            status = status(Queue.of(id, keys.of(id), name, 0));
        } catch (StoreRefusal somebodyElses) {
            // It keeps nobody from seeing the other names; a look at this one says what it is.
            return;
        }
        if (status.isLocked() || (kind == LockKind.LATCH && status.count() > 0)) {
            to.add(status);
        }
    }

    private LockStatus status(Queue queue) {
        List<LockStatus.Holder> holders = new ArrayList<>();
        List<LockStatus.Waiter> waiters = new ArrayList<>();
        long now = System.currentTimeMillis();
        Iterator<Entry> holding = queue.holding().iterator();
        Entry nextHolder = holding.hasNext() ? holding.next() : null;
        for (Entry entry : queue.entries()) {
            LocalClaim own = claims.known(entry.owner());
            Duration age = own != null
                    ? own.age()
                    : Duration.ofMillis(entry.since() == 0 ? 0 : Math.max(0, now - entry.since()));
            if (!entry.equals(nextHolder)) {
                waiters.add(new LockStatus.Waiter(entry.owner(), entry.party(), entry.mode(), age));
                continue;
            }
            nextHolder = holding.hasNext() ? holding.next() : null;
            // A claim that is older than its lease must have been renewed; only its own client knows when.
            Duration left = own != null && own.isHeld()
                    ? own.left()
                    : age.compareTo(entry.lease()) < 0 ? entry.lease().minus(age) : entry.lease();
            long token = Attempt.token(entry.key().created());
            holders.add(new LockStatus.Holder(entry.owner(), entry.party(), entry.mode(), age, left, token));
        }
        int count =
                switch (queue.id().kind()) {
                    case LOCK, READ_WRITE -> 1;
                    case SEMAPHORE -> queue.capacity();
                    case LATCH -> queue.state().count();
                };
        return new LockStatus(queue.id().name(), queue.id().kind(), holders, waiters, count);
    }
}
