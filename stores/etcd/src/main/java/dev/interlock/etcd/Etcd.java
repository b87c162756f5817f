package dev.interlock.etcd;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Printable;
import dev.interlock.support.DaemonThreads;
import dev.interlock.support.EventLoop;
import dev.interlock.support.Examination;
import dev.interlock.support.SerialExecutor;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Watch.Listener;
import io.etcd.jetcd.Watch.Watcher;
import io.etcd.jetcd.cluster.Member;
import io.etcd.jetcd.cluster.MemberListResponse;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.lease.LeaseGrantResponse;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.maintenance.AlarmMember;
import io.etcd.jetcd.maintenance.AlarmResponse;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.WatchOption;
import io.grpc.Status;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests to etcd. They are sent on the event loop, which guards every field, and their answers arrive on it. An
 * answer that fails leaves open whether the request was executed.
 */
final class Etcd {

    /**
     * How long an answer is waited for: three requests to a member that is silent fit into half of the usual session.
     */
    static final Duration PATIENCE = Duration.ofMillis(2_300);

    /** The same until the first answer: the client connects, and its classes are loaded. */
    private static final Duration FIRST_PATIENCE = Duration.ofSeconds(10);

    /** Two requests, one after the other, fit into the time of a diagnosis. */
    private static final Duration PATIENCE_OF_PEOPLE = Examination.PATIENCE.dividedBy(3);

    private final Supplier<Client> clients;
    private final boolean own;
    private final String path;
    private final String where;
    private final EventLoop loop;
    private volatile @Nullable Client client;

    /** Whether a member has answered. Written by the loop. */
    private volatile boolean answered;

    /**
     * Requests by a client.
     *
     * @param clients makes the client; called once, by the first request
     * @param own whether to close it
     * @param path what all keys begin with, for messages
     * @param where the members and the path, for messages
     */
    Etcd(Supplier<Client> clients, boolean own, String path, String where, EventLoop loop) {
        this.clients = clients;
        this.own = own;
        this.path = path;
        this.where = where;
        this.loop = loop;
    }

    private Client client() {
        Client open = client;
        if (open == null) {
            open = clients.get();
            client = open;
        }
        return open;
    }

    /** Whether there is a client, so that a request takes no time. */
    boolean isOpen() {
        return client != null;
    }

    /** Whether a member has answered before. */
    boolean hasAnswered() {
        return answered;
    }

    CompletableFuture<TxnResponse> txn(List<Cmp> conditions, List<Op> then, List<Op> otherwise) {
        return send(open -> commit(open, conditions, then, otherwise));
    }

    private static CompletableFuture<TxnResponse> commit(
            Client open, List<Cmp> conditions, List<Op> then, List<Op> otherwise) {
        return open.getKVClient()
                .txn()
                .If(conditions.toArray(new Cmp[0]))
                .Then(then.toArray(new Op[0]))
                .Else(otherwise.toArray(new Op[0]))
                .commit();
    }

    CompletableFuture<TxnResponse> txn(List<Op> operations) {
        return txn(List.of(), operations, List.of());
    }

    CompletableFuture<GetResponse> get(String key, GetOption option) {
        return send(open -> open.getKVClient().get(Operations.bytes(key), option));
    }

    /** Makes a lease of this length, or of the shortest one that etcd has; rounded up to seconds. */
    CompletableFuture<LeaseGrantResponse> grant(Duration length) {
        return send(open ->
                open.getLeaseClient().grant(length.plusNanos(999_999_999).toSeconds()));
    }

    CompletableFuture<LeaseKeepAliveResponse> keepAlive(long lease) {
        return send(open -> open.getLeaseClient().keepAliveOnce(lease));
    }

    CompletableFuture<List<Member>> members() {
        return ask(open -> open.getClusterClient().listMember().thenApply(MemberListResponse::getMembers));
    }

    /** What a member says of itself, on a connection of its own. */
    CompletableFuture<StatusResponse> status(URI member) {
        return ask(open -> open.getMaintenanceClient().statusMember(member.toString()));
    }

    CompletableFuture<List<AlarmMember>> alarms() {
        return ask(open -> open.getMaintenanceClient().listAlarms().thenApply(AlarmResponse::getAlarms));
    }

    /** A transaction that somebody waits for who wants to know whether it is refused. */
    CompletableFuture<TxnResponse> tryOut(List<Cmp> conditions, List<Op> then, List<Op> otherwise) {
        return ask(open -> commit(open, conditions, then, otherwise));
    }

    /** Revokes a lease, without waiting. */
    void revoke(long lease) {
        var unused = send(open -> open.getLeaseClient().revoke(lease));
    }

    Watcher watch(String key, WatchOption option, Listener listener) {
        return client().getWatchClient().watch(Operations.bytes(key), option, listener);
    }

    private <T> CompletableFuture<T> send(Function<Client, CompletableFuture<T>> request) {
        return send(request, PATIENCE);
    }

    /** Sends what only people want to know. */
    private <T> CompletableFuture<T> ask(Function<Client, CompletableFuture<T>> request) {
        return send(request, PATIENCE_OF_PEOPLE);
    }

    private <T> CompletableFuture<T> send(Function<Client, CompletableFuture<T>> request, Duration patience) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        // Before the time of the request begins: this loads classes.
        Client open = client();
        boolean first = !answered && patience.compareTo(FIRST_PATIENCE) < 0;
        Duration limit = first ? FIRST_PATIENCE : patience;
        Future<?> silence = loop.later(limit, () -> answer.completeExceptionally(silence(first)));
        var unused = request.apply(open).whenComplete((value, failure) -> {
            boolean running = loop.runHere(() -> {
                silence.cancel(false);
                complete(answer, value, LockStore.causeOf(failure));
            });
            if (!running) {
                answer.completeExceptionally(SerialExecutor.closedException());
            }
        });
        return answer;
    }

    private <T> void complete(CompletableFuture<T> answer, T value, @Nullable Throwable failure) {
        if (failure == null) {
            answered = true;
            answer.complete(value);
        } else {
            answer.completeExceptionally(explained(failure));
        }
    }

    private StoreUnavailableException silence(boolean first) {
        return new StoreUnavailableException(
                first
                        ? "etcd could not be connected to within " + FIRST_PATIENCE.toMillis() + " ms: " + where
                        : "etcd did not answer in time",
                null);
    }

    /** The failure; a problem of set-up as an exception that says so. */
    private Throwable explained(Throwable failure) {
        Status status = Status.fromThrowable(failure);
        String said = String.valueOf(status.getDescription());
        if (status.getCode() == Status.Code.PERMISSION_DENIED) {
            return new StoreUnavailableException(
                    "The user of etcd lacks the right to read and write all keys that begin with the store's path;"
                            + " `" + grant(path) + "` gives it: path=" + path + " (" + said + ")",
                    failure);
        } else if (status.getCode() == Status.Code.UNAUTHENTICATED || said.contains("authentication failed")) {
            return new StoreUnavailableException(
                    "etcd refused the user or the password of the store's URI: check both", failure);
        } else if (said.contains("space exceeded")) {
            return new StoreUnavailableException(
                    "etcd has no space left and refuses to write: compact and defragment it, then disarm its alarm: "
                            + said,
                    failure);
        }
        return status.getCode() == Status.Code.UNAVAILABLE ? unavailable(failure, where) : failure;
    }

    /** The exception for a member that could not be reached, or that reports that it cannot serve, which names it. */
    static StoreUnavailableException unavailable(Throwable failure, String where) {
        String said = String.valueOf(Status.fromThrowable(failure).getDescription());
        String what =
                said.startsWith("etcdserver:") ? "etcd cannot serve requests for now: " : "etcd cannot be reached: ";
        String reason = said.startsWith("io exception") ? ofNetwork(failure) : said;
        return new StoreUnavailableException(what + where + ": " + reason, failure);
    }

    /** What the network has said. Only the outer one of the exceptions of a refused connection has its address. */
    private static String ofNetwork(Throwable failure) {
        Throwable said = failure;
        while (said.getCause() != null && !(said instanceof ConnectException)) {
            said = said.getCause();
        }
        return Printable.messageOf(said);
    }

    /** The command that gives a role the rights that the store needs. */
    static String grant(String path) {
        return "etcdctl role grant-permission ROLE --prefix=true readwrite " + path;
    }

    /** Whether a request was refused because the user lacks a right. */
    static boolean isRefused(@Nullable Throwable failure) {
        return failure != null && Status.fromThrowable(failure).getCode() == Status.Code.PERMISSION_DENIED;
    }

    /** Whether etcd itself has answered that it does not do this: a missing right or user, no space. */
    static boolean isAnswer(Throwable failure) {
        return switch (Status.fromThrowable(failure).getCode()) {
            case PERMISSION_DENIED, UNAUTHENTICATED, RESOURCE_EXHAUSTED, INVALID_ARGUMENT, FAILED_PRECONDITION -> true;
            default -> false;
        };
    }

    /** Whether a request was refused because its lease is gone: then it was not executed. */
    static boolean isLeaseGone(@Nullable Throwable failure) {
        return failure != null && Status.fromThrowable(failure).getCode() == Status.Code.NOT_FOUND;
    }

    /** Closes the client if it is the store's own, on a thread of its own: that waits for what is under way. */
    void close() {
        Client open = client;
        if (own && open != null) {
            DaemonThreads.create("interlock-etcd-close", open::close).start();
        }
    }
}
