package dev.interlock.etcd;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.support.EventLoop;
import dev.interlock.support.Futures;
import dev.interlock.support.SessionClaims;
import io.etcd.jetcd.Watch.Watcher;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The claims of this client, and the verbs on them. Every method is called on the event loop, which guards every field,
 * except for {@link #listener}.
 *
 * <p><b>Acquiring</b> is one transaction, which makes the key of the claim and reads those before it. A try reads
 * first, so that it writes nothing if it fails. A claim that waits watches what is in its way. When that is gone it
 * reads again, and if nothing else is in its way, its client is woken and gets it without another request.
 *
 * <p><b>Releasing</b> deletes the key. If a request to make it has no answer, it may be executed later; so the release
 * leaves another key, which that request finds.
 *
 * <p><b>Time.</b> This client deletes a key when the lease is over, and a waiting one when nobody asks for it any more.
 * No other client does. If this one cannot, the end of the session does.
 */
final class Claims {

    /** When a deletion that has failed is tried again. */
    private static final Duration DELETE_AGAIN = Duration.ofMillis(500);

    /** How many keys one request reads: etcd allows 128 operations in a transaction. */
    private static final int BATCH = 100;

    private final Etcd etcd;
    private final EventLoop loop;
    private final Keys keys;
    private final Duration length;
    private final SessionClaims<LocalClaim> books;
    private CompletableFuture<Session> session = CompletableFuture.failedFuture(new IllegalStateException("none yet"));

    /** Reports which claims of this client are ended by force, as long as there is a session. */
    private @Nullable Watcher forces;

    private final Session.Host host = new Session.Host() {
        @Override
        public boolean needs(Session present) {
            return books.all().stream().anyMatch(claim -> claim.session == present);
        }

        @Override
        public void accept(Session ended) {
            endForces();
            books.sessionEnded(claim -> claim.session == ended);
        }
    };

    Claims(Etcd etcd, EventLoop loop, Keys keys, Duration length) {
        this.etcd = etcd;
        this.loop = loop;
        this.keys = keys;
        this.length = length;
        this.books = new SessionClaims<>(loop, own -> {
            var unused = delete(own);
        });
    }

    /** Sets the receiver of wakes. Any thread may call it. */
    void listener(Consumer<Wake> newListener) {
        books.listener(newListener);
    }

    /** The claim of this owner, if it is one of this client that holds or waits; otherwise null. */
    @Nullable
    LocalClaim known(String owner) {
        LocalClaim known = books.of(new OwnerId(owner));
        return known != null && known.isAlive() ? known : null;
    }

    private CompletableFuture<Session> session() {
        boolean isDone = session.isDone();
        if (isDone && (session.isCompletedExceptionally() || session.join().isOver())) {
            session = Session.begin(etcd, loop, length, host);
        }
        return session;
    }

    // ---- acquire

    /** @param answer begins when there is a session, so that etcd can receive the request */
    CompletableFuture<Attempt> acquire(Claim claim, QueuedAnswer<Attempt> answer) {
        return session().thenCompose(now -> {
            if (!answer.begin()) {
                return abandoned();
            }
            watchForces(claim.owner().clientId(), now);
            LocalClaim known = books.of(claim.owner());
            if (known == null || known.state() == LocalClaim.State.LOST) {
                return claim.replaces() != null
                        ? replace(claim, claim.replaces(), now, answer)
                        : claim.waited() == null ? tryOnce(claim, now, answer) : enter(create(claim, now), claim, null);
            } else if (known.state() == LocalClaim.State.ENDED) {
                return abandoned();
            } else if (known.revision == 0) {
                return enter(known, claim, claim.replaces() == null ? null : books.of(claim.replaces()));
            } else if (known.claim().mode().equals(claim.mode())) {
                boolean isTurn =
                        known.state() == LocalClaim.State.READY && now.tether().leftNanos() > 0;
                return isTurn && claim.mode().holds() ? hold(known, claim) : look(known, claim);
            }
            return claim.mode() instanceof Mode.Shared ? share(known, claim) : enterAnew(known, claim);
        });
    }

    private static CompletableFuture<Attempt> abandoned() {
        return CompletableFuture.failedFuture(LocalClaim.abandoned());
    }

    private LocalClaim create(Claim claim, Session now) {
        LocalClaim created = new LocalClaim(books, claim, now, keys.of(claim.id()));
        books.put(created);
        return created;
    }

    /** A failed try writes nothing. */
    private CompletableFuture<Attempt> tryOnce(Claim claim, Session now, QueuedAnswer<Attempt> answer) {
        String prefix = keys.of(claim.id());
        return now.during(etcd.txn(List.of(Operations.all(prefix)))).thenCompose(read -> {
            Queue queue = Queue.of(claim.id(), prefix, read);
            if (!queue.hasRoomFor(claim.mode())) {
                return CompletableFuture.completedFuture(Attempt.busy(LocalClaim.RETRY));
            } else if (claim.mode() instanceof Mode.AwaitZero) {
                return CompletableFuture.completedFuture(Attempt.granted(queue.revision()));
            }
            return !answer.isWanted() || now.isOver() ? abandoned() : enter(create(claim, now), claim, null);
        });
    }

    private CompletableFuture<Attempt> replace(Claim claim, OwnerId owner, Session now, QueuedAnswer<Attempt> answer) {
        LocalClaim known = books.of(owner);
        if (known != null) {
            return enter(create(claim, now), claim, known);
        }
        // It is gone, or another client's.
        String prefix = keys.of(claim.id());
        return now.during(etcd.txn(List.of(Operations.all(prefix)))
                        .thenCompose(read -> endIn(Queue.of(claim.id(), prefix, read), claim, owner)))
                .thenCompose(ended ->
                        !answer.isWanted() || now.isOver() ? abandoned() : enter(create(claim, now), claim, null));
    }

    /** @param earlier the claim that ends with this request; null if none does */
    private CompletableFuture<Attempt> enter(LocalClaim own, Claim claim, @Nullable LocalClaim earlier) {
        List<Cmp> conditions = List.of(Operations.isCreated(own.key, 0), Operations.isCreated(released(own), 0));
        List<Op> then = new ArrayList<>();
        if (earlier != null) {
            then.addAll(removal(earlier));
        }
        own.become(claim);
        then.add(put(own, claim));
        then.addAll(reads(own));
        own.unanswered++;
        return Futures.either(etcd.txn(conditions, then, List.of(Operations.get(own.key))), (entered, failure) -> {
            Throwable cause = LockStore.causeOf(failure);
            if (cause == null || Etcd.isLeaseGone(cause)) {
                own.unanswered--;
            }
            boolean isIn = cause == null && entered.isSucceeded();
            if (earlier != null && cause == null) {
                earlier.deleting--;
            }
            if (earlier != null && isIn) {
                earlier.forget("another claim replaces it");
                earlier.deleted();
            } else if (earlier != null) {
                var unused = delete(earlier);
            }
            if (cause != null) {
                if (Etcd.isLeaseGone(cause)) {
                    own.session.end();
                }
                return CompletableFuture.failedFuture(cause);
            } else if (isIn) {
                own.revision = entered.getHeader().getRevision();
                own.written = own.revision;
                return decide(own, claim, Queue.of(claim.id(), keys.of(claim.id()), entered));
            }
            List<StoredKey> there = StoredKey.in(entered);
            if (!there.isEmpty() && own.isAlive()) {
                own.revision = there.get(0).created();
                own.written = there.get(0).written();
                return look(own, claim);
            }
            own.forget("its key may not be made");
            return CompletableFuture.completedFuture(Attempt.busy(LocalClaim.RETRY));
        });
    }

    /** What a claim has to know of those before it. */
    private List<Op> reads(LocalClaim own) {
        String prefix = keys.of(own.claim().id());
        if (own.claim().mode() instanceof Mode.Exclusive) {
            return List.of(Operations.youngestTwo(prefix, own.revision));
        }
        return own.claim().mode() instanceof Mode.AwaitZero
                ? List.of(Operations.get(own.key), Operations.get(prefix))
                : List.of(Operations.all(prefix));
    }

    private CompletableFuture<Attempt> look(LocalClaim own, Claim claim) {
        LockId id = claim.id();
        return etcd.txn(reads(own)).thenCompose(read -> decide(own, claim, Queue.of(id, keys.of(id), read)));
    }

    private CompletableFuture<Attempt> decide(LocalClaim own, Claim claim, Queue queue) {
        if (!own.isAlive()) {
            return abandoned();
        }
        Entry entry = queue.entry(own.key);
        if (entry == null) {
            // Somebody has deleted it: it has lost its place.
            own.forget("its key was deleted by somebody else");
            return claim.waited() == null
                    ? CompletableFuture.completedFuture(Attempt.busy(LocalClaim.RETRY))
                    : enter(create(claim, own.session), claim, null);
        }
        StoredKey head = queue.head();
        if (head != null && head.lease() != 0 && own.isToProlong(head.lease())) {
            // A use.
            var unused = etcd.keepAlive(head.lease())
                    .thenAccept(answer -> own.prolonged(head.lease(), Duration.ofSeconds(answer.getTTL())));
        }
        Queue.Obstacle obstacle = queue.obstacleOf(entry);
        if (obstacle == null || own.isHeld()) {
            return claim.mode().holds()
                    ? hold(own, claim)
                    : delete(own).thenApply(gone -> Attempt.granted(queue.revision()));
        } else if (claim.waited() == null) {
            return delete(own).thenApply(gone -> Attempt.busy(LocalClaim.RETRY));
        }
        CompletableFuture<Attempt> busy = own.waitInQueue();
        watch(own, obstacle, queue.revision());
        return busy;
    }

    private void watch(LocalClaim own, Queue.Obstacle obstacle, long revision) {
        if (!own.isWatching(obstacle)) {
            own.watch(new Watch(etcd, loop, obstacle, revision, () -> reconsider(own)));
        }
    }

    /**
     * What was in the way of a claim that waits may be gone: its client is woken if nothing else is in the way, or if
     * there is no answer, for then nothing watches for it any more.
     */
    private void reconsider(LocalClaim own) {
        LockId id = own.claim().id();
        var unused = etcd.txn(reads(own)).whenComplete((read, failure) -> {
            if (failure != null) {
                if (own.isWaiting()) {
                    own.wake();
                }
                return;
            }
            Queue queue = Queue.of(id, keys.of(id), read);
            Entry entry = queue.entry(own.key);
            Queue.Obstacle next = entry == null ? null : queue.obstacleOf(entry);
            if (!own.isWaiting()) {
                return;
            } else if (next != null) {
                watch(own, next, queue.revision());
                return;
            } else if (entry != null) {
                own.ready();
            }
            own.wake();
        });
    }

    private static CompletableFuture<Attempt> hold(LocalClaim own, Claim claim) {
        own.become(claim);
        return own.isHeld()
                ? CompletableFuture.completedFuture(own.keepHeld(own.revision))
                : own.hold(own.session.tether(), own.revision);
    }

    /** A writer becomes a reader, in its place. */
    private CompletableFuture<Attempt> share(LocalClaim own, Claim claim) {
        String prefix = keys.of(claim.id());
        return write(own, () -> claim, List.of(Operations.all(prefix))).thenCompose(shared -> {
            own.become(claim);
            return decide(own, claim, Queue.of(claim.id(), prefix, shared));
        });
    }

    /** The holder of permits keeps this many of them; false if it holds none. */
    CompletableFuture<Boolean> keep(OwnerId owner, int count) {
        LocalClaim known = books.of(owner);
        if (known == null || !known.isHeld() || !(known.claim().mode() instanceof Mode.Permits had)) {
            return CompletableFuture.completedFuture(false);
        }
        // Known before the answer: whatever is written next must not say more.
        known.become(known.claim().inMode(new Mode.Permits(Math.min(had.count(), count), had.capacity())));
        return write(known, known::claim, List.of()).thenApply(TxnResponse::isSucceeded);
    }

    /**
     * Writes into a claim's key what the claim is now, and reads besides; does neither if the key is gone.
     *
     * <p>It writes only over what this client knows to be there. To compare the creation of the key would not be
     * enough: a request that was given up could be executed after a later one, and bring back permits that the later
     * one has returned, or make a reader a writer again. If such a request was executed before, the key is read, and
     * then written again.
     *
     * @param now the claim to write, asked for each attempt
     * @param reads what to read after the key was written
     */
    private CompletableFuture<TxnResponse> write(LocalClaim own, Supplier<Claim> now, List<Op> reads) {
        List<Op> then = new ArrayList<>(List.of(put(own, now.get())));
        then.addAll(reads);
        return etcd.txn(List.of(Operations.isWritten(own.key, own.written)), then, List.of(Operations.get(own.key)))
                .thenCompose(answer -> {
                    long found = answer.isSucceeded()
                            ? answer.getHeader().getRevision()
                            : StoredKey.in(answer).stream()
                                    .filter(key -> key.created() == own.revision)
                                    .mapToLong(StoredKey::written)
                                    .findFirst()
                                    .orElse(0);
                    // Of two answers, the one to the earlier request may come last.
                    own.written = Math.max(own.written, found);
                    return answer.isSucceeded() || found == 0
                            ? CompletableFuture.completedFuture(answer)
                            : write(own, now, reads);
                });
    }

    /** A reader becomes a writer, at the end of the queue: those behind it have seen that it only reads. */
    private CompletableFuture<Attempt> enterAnew(LocalClaim old, Claim claim) {
        return enter(create(claim, old.session), claim, old);
    }

    // ---- release

    /** Ends the claim; returns whether it was held. */
    CompletableFuture<Boolean> release(Claim claim) {
        LocalClaim known = books.of(claim.owner());
        if (known == null || claim.forced()) {
            return releaseUnknown(claim);
        }
        boolean held = known.isHeld();
        return delete(known).thenApply(gone -> gone && held);
    }

    /** A claim of another client, or one that this client does not know any more. */
    private CompletableFuture<Boolean> releaseUnknown(Claim claim) {
        String prefix = keys.of(claim.id());
        return etcd.txn(List.of(Operations.all(prefix)))
                .thenCompose(read -> endIn(Queue.of(claim.id(), prefix, read), claim, claim.owner()));
    }

    /** Ends the claim of this owner, if it is in the queue, for the sake of a claim. */
    private CompletableFuture<Boolean> endIn(Queue queue, Claim claim, OwnerId owner) {
        for (Entry entry : queue.entries()) {
            if (entry.owner().equals(owner.value())) {
                return end(claim, entry.key(), queue.holds(entry));
            }
        }
        return CompletableFuture.completedFuture(false);
    }

    private CompletableFuture<Boolean> end(Claim claim, StoredKey key, boolean held) {
        List<Op> then = new ArrayList<>(List.of(Operations.delete(key.name())));
        if (claim.forced() && held && key.lease() != 0) {
            then.add(Operations.put(keys.forced(claim.owner()), "", key.lease()));
        }
        return etcd.txn(List.of(Operations.isCreated(key.name(), key.created())), then, List.of())
                .thenApply(ended -> ended.isSucceeded() && held);
    }

    private static Op put(LocalClaim own, Claim claim) {
        return Operations.put(own.key, Entry.of(claim, own.sinceMillis), own.session.lease());
    }

    private String released(LocalClaim own) {
        return keys.released(own.key);
    }

    /** Ends it by a request with these operations, which is sent next. */
    private List<Op> removal(LocalClaim own) {
        own.end("its key is deleted");
        own.deleting++;
        own.marked |= own.unanswered > 0;
        Op delete = Operations.delete(own.key);
        return own.marked ? List.of(Operations.put(released(own), "", own.session.lease()), delete) : List.of(delete);
    }

    /** Deletes the key now, or as soon as that is possible; returns whether it was there. */
    private CompletableFuture<Boolean> delete(LocalClaim own) {
        return Futures.either(etcd.txn(removal(own)), (answer, failure) -> {
            if (failure == null || own.session.isOver() || Etcd.isLeaseGone(LockStore.causeOf(failure))) {
                own.forget("its key is gone");
                if (failure == null) {
                    own.deleting--;
                    own.deleted();
                }
                return CompletableFuture.completedFuture(
                        failure == null && answer.getDeleteResponses().get(0).getDeleted() > 0);
            }
            var unused = loop.later(DELETE_AGAIN, () -> {
                if (!own.session.isOver()) {
                    var unusedToo = delete(own);
                }
            });
            return CompletableFuture.failedFuture(LockStore.causeOf(failure));
        });
    }

    // ---- renew

    CompletableFuture<Map<Claim, Renewal>> renew(List<Claim> claims) {
        List<Claim> held = new ArrayList<>();
        List<CompletableFuture<Map<Claim, Renewal>>> parts = new ArrayList<>();
        for (Claim claim : claims) {
            LocalClaim known = books.of(claim.owner());
            if (known != null && known.isUnproved()) {
                known.session.end();
            }
            if (known != null && known.state() == LocalClaim.State.LOST) {
                parts.add(CompletableFuture.completedFuture(Map.of(claim, Renewal.SESSION_LOST)));
            } else if (known != null && known.isHeld()) {
                held.add(claim);
            } else {
                parts.add(whyAbsent(claim));
            }
        }
        for (int from = 0; from < held.size(); from += BATCH) {
            parts.add(renewHeld(held.subList(from, Math.min(held.size(), from + BATCH))));
        }
        return Futures.either(Futures.all(parts), (done, failure) -> {
            Map<Claim, Renewal> known = new HashMap<>();
            parts.stream().filter(part -> !part.isCompletedExceptionally()).forEach(part -> known.putAll(part.join()));
            return known.isEmpty() && failure != null
                    ? CompletableFuture.failedFuture(failure)
                    : CompletableFuture.completedFuture(known);
        });
    }

    /** The keys live as long as the session. But are they still there? */
    private CompletableFuture<Map<Claim, Renewal>> renewHeld(List<Claim> claims) {
        List<Op> reads = new ArrayList<>();
        claims.forEach(claim -> reads.add(Operations.get(keyOf(claim))));
        return etcd.txn(reads).thenCompose(read -> {
            Map<String, Long> there = new HashMap<>();
            StoredKey.in(read).forEach(key -> there.put(key.name(), key.created()));
            Map<Claim, Renewal> renewed = new HashMap<>();
            List<CompletableFuture<?>> more = new ArrayList<>();
            for (Claim claim : claims) {
                LocalClaim known = books.of(claim.owner());
                boolean isThere = known != null && Long.valueOf(known.revision).equals(there.get(known.key));
                Duration shown = known == null ? claim.lease() : known.claim().lease();
                Renewal outcome = known == null ? null : known.renewed(isThere, claim.lease());
                if (outcome == null) {
                    more.add(whyAbsent(claim).thenAccept(renewed::putAll));
                } else {
                    renewed.put(claim, outcome);
                }
                if (known != null && outcome == Renewal.HELD && !shown.equals(claim.lease())) {
                    // For people who look.
                    more.add(write(known, known::claim, List.of()));
                }
            }
            return Futures.all(more).handle((done, failure) -> renewed);
        });
    }

    private String keyOf(Claim claim) {
        LocalClaim known = books.of(claim.owner());
        return known == null ? keys.of(claim.id()) : known.key;
    }

    private CompletableFuture<Map<Claim, Renewal>> whyAbsent(Claim claim) {
        String prefix = keys.of(claim.id());
        String mark = keys.forced(claim.owner());
        return etcd.txn(List.of(Operations.get(mark), Operations.all(prefix))).thenApply(read -> {
            List<StoredKey> found = StoredKey.in(read);
            List<StoredKey> rest =
                    found.stream().filter(key -> !key.name().equals(mark)).toList();
            boolean isFree = Queue.of(claim.id(), prefix, rest, 0).hasRoomFor(claim.mode());
            return Map.of(
                    claim,
                    rest.size() < found.size()
                            ? Renewal.FORCED
                            : isFree || claim.id().kind() == LockKind.LATCH ? Renewal.DELETED : Renewal.TAKEN);
        });
    }

    // ---- force

    /**
     * One watch for all claims of this client: whoever ends one by force leaves a key that names it. If the watch
     * fails, the next renewal finds that key.
     */
    private void watchForces(String clientId, Session now) {
        if (forces != null || now.isOver()) {
            return;
        }
        String marks = keys.forced(clientId + ':');
        WatchOption option = WatchOption.builder()
                .isPrefix(true)
                .withNoDelete(true)
                .withRevision(now.since() + 1)
                .build();
        forces = etcd.watch(
                marks,
                option,
                io.etcd.jetcd.Watch.listener(
                        event -> loop.run(() -> event.getEvents().forEach(this::forced))));
    }

    private void forced(WatchEvent event) {
        LocalClaim own =
                known(keys.forcedOwner(StoredKey.of(event.getKeyValue()).name()));
        if (own != null && own.isHeld()) {
            own.wake();
        }
    }

    private void endForces() {
        if (forces != null) {
            forces.close();
            forces = null;
        }
    }
}
