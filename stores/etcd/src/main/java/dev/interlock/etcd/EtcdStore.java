package dev.interlock.etcd;

import dev.interlock.LockStatus;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Capability;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockCatalog;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import dev.interlock.spi.Wake;
import dev.interlock.support.Diagnosable;
import dev.interlock.support.EventLoop;
import dev.interlock.support.Examination;
import dev.interlock.support.Finding;
import dev.interlock.support.Futures;
import dev.interlock.support.SerialExecutor;
import dev.interlock.support.VirtualThreads;
import io.etcd.jetcd.Client;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A store on etcd 3.4 or later, on the client jetcd. The keys of plain locks are those of etcd's own locks, so that
 * clients of both exclude and wake each other.
 *
 * <p><b>Guarantees.</b> A claim is a key that is bound to a lease of etcd, the session of this client. It ends with its
 * own lease, which this client watches over, or with the session, whichever comes first: a lease ends here with
 * {@code SESSION_LOST} before etcd can grant its lock to another client, unless etcd revokes the session by mistake, as
 * a deposed leader may. A process that dies keeps its locks for the length of a session, whatever the lease. All claims
 * are served in the order of arrival, also those of locks that are not fair.
 *
 * <p>Closing the store leaves its claims to the end of the session.
 *
 * <p>Thread-safe. No method blocks, except {@link #diagnose()}.
 */
public final class EtcdStore implements LockStore, LockCatalog, Diagnosable {

    private final EventLoop loop = new EventLoop("interlock-etcd", thread -> false);
    private final String where;
    private final Etcd etcd;
    private final Keys keys;
    private final Claims claims;
    private final Catalog catalog;
    private final Diagnosis diagnosis;
    private volatile boolean closed;

    private EtcdStore(Supplier<Client> clients, boolean own, String path, Duration session, String where) {
        this.etcd = new Etcd(clients, own, path, where, loop);
        this.keys = new Keys(path);
        this.claims = new Claims(etcd, loop, keys, session);
        this.catalog = new Catalog(etcd, keys, claims);
        this.diagnosis = new Diagnosis(etcd, keys);
        this.where = where;
    }

    /**
     * A store with connections of its own. The first verb connects.
     *
     * @param uri {@code etcd://[user:password@]h1:2379,h2:2379/path}, or {@code etcds://} for TLS. All keys begin with
     *     the path, {@code interlock} by default: the lock {@code name} is etcd's own lock {@code path/name}. The
     *     options are {@code session}, the length of the session in seconds, 15 by default, and with TLS {@code trust},
     *     a PEM file with the certificates to trust
     * @throws IllegalArgumentException if the URI breaks a rule; the message names the rule, and contains no password
     */
    public static EtcdStore at(String uri) {
        EtcdUri parsed = EtcdUri.parse(uri);
        return new EtcdStore(
                parsed::open, true, parsed.path(), parsed.session(), parsed.members() + "/" + parsed.path());
    }

    /**
     * A store over the application's own client, which stays open when the store is closed, in the path
     * {@code interlock} and with a session of 15 s.
     */
    public static EtcdStore over(Client client) {
        return over(client, "interlock", EtcdUri.SESSION);
    }

    /**
     * A store over the application's own client, which stays open when the store is closed.
     *
     * @param path what all keys begin with, after the namespace of the client
     * @param session the length of the session, from 2 s to 1 hour
     * @throws IllegalArgumentException if the path or the length breaks a rule
     */
    public static EtcdStore over(Client client, String path, Duration session) {
        return new EtcdStore(() -> client, false, EtcdUri.path(path), EtcdUri.session(session), "a client/" + path);
    }

    /** All but asking a holder to let go, leaving a lock to lapse, and keeping it until somebody asks. */
    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.REVOCATION, Capability.LAPSE, Capability.RETENTION));
    }

    @Override
    public boolean isConnected() {
        return etcd.hasAnswered();
    }

    @Override
    public boolean isRefusal(Throwable failure) {
        return Etcd.isAnswer(failure);
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim) {
        return run(answer -> claims.acquire(claim, answer));
    }

    @Override
    public CompletionStage<Boolean> execute(Command command) {
        return run(answer -> command.action() instanceof Command.KeepPermits keep
                ? claims.keep(command.owner(), keep.count())
                : new StateChange(etcd, command, keys.of(command.id())).run());
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return run(answer -> claims.release(claim));
    }

    @Override
    public CompletionStage<Map<Claim, Renewal>> renew(Collection<Claim> batch) {
        List<Claim> renewed = List.copyOf(batch);
        // It has its turn now: the engine waits for no member that has got it and is silent.
        return run(answer -> answer.begin() ? claims.renew(renewed) : answer);
    }

    @Override
    public CompletionStage<LockStatus> inspect(LockId id) {
        return run(answer -> catalog.inspect(id));
    }

    @Override
    public CompletionStage<List<LockStatus>> list(String prefix, int limit) {
        return run(answer -> catalog.list(prefix, limit));
    }

    /** Empty: etcd has no clock that can be read. */
    @Override
    public OptionalLong readClock() {
        return OptionalLong.empty();
    }

    @Override
    public List<Finding> diagnose() {
        return Examination.await(run(answer -> diagnosis.findings()));
    }

    @Override
    public void onWake(Consumer<Wake> listener) {
        claims.listener(listener);
    }

    private <T> CompletableFuture<T> run(Function<QueuedAnswer<T>, CompletableFuture<T>> verb) {
        QueuedAnswer<T> answer = new QueuedAnswer<>();
        Runnable task = () -> {
            if (loop.isClosed()) {
                answer.completeExceptionally(SerialExecutor.closedException());
                return;
            }
            try {
                var unused = verb.apply(answer).whenComplete((value, failure) -> Futures.pass(value, failure, answer));
            } catch (RuntimeException | LinkageError e) {
                answer.completeExceptionally(e);
            }
        };
        // The first request makes the client, which takes long; and a virtual thread in its turn may wait for others.
        boolean open = (etcd.isOpen() && !VirtualThreads.isCurrent()) ? loop.runHere(task) : loop.run(task);
        // Also a verb that has just been queued behind the end of the loop.
        if (!open || closed) {
            answer.completeExceptionally(SerialExecutor.closedException());
        }
        return answer;
    }

    @Override
    public void close() {
        closed = true;
        loop.run(() -> {
            etcd.close();
            loop.close();
        });
    }

    /** The members and the path; no password. */
    @Override
    public String toString() {
        return "EtcdStore[" + where + "]";
    }
}
