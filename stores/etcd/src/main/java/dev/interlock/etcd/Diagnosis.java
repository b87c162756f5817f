package dev.interlock.etcd;

import dev.interlock.spi.LockKind;
import dev.interlock.spi.OwnerId;
import dev.interlock.support.Examination;
import dev.interlock.support.Finding;
import dev.interlock.support.Futures;
import io.etcd.jetcd.cluster.Member;
import io.etcd.jetcd.maintenance.AlarmMember;
import io.etcd.jetcd.maintenance.AlarmType;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.etcd.jetcd.op.Op;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** What the members of etcd say of themselves, and what this client may do, for people. On the event loop. */
final class Diagnosis {

    private static final String BEHIND_A_PROXY =
            "start it; or, if only this machine cannot reach it, mend the --advertise-client-urls of the member";

    private final Etcd etcd;
    private final Keys keys;

    Diagnosis(Etcd etcd, Keys keys) {
        this.etcd = etcd;
        this.keys = keys;
    }

    CompletableFuture<List<Finding>> findings() {
        CompletableFuture<List<AlarmMember>> alarms = etcd.alarms();
        CompletableFuture<?> rights = useRights();
        return Futures.either(etcd.members(), (members, unknown) -> {
            Map<Member, CompletableFuture<StatusResponse>> answers = new LinkedHashMap<>();
            if (unknown == null) {
                members.forEach(member -> answers.put(member, status(member)));
            }
            List<CompletableFuture<?>> all = new ArrayList<>(answers.values());
            all.addAll(List.of(alarms, rights));
            return Futures.all(all).handle((done, failure) -> {
                Examination found = new Examination();
                answers.forEach((member, answer) -> member(member, answer, found));
                found.attempt("failover", "see the message", () -> {
                    rethrow(unknown);
                    failover(answers, found);
                });
                found.attempt("alarms", "see `etcdctl alarm list`", () -> alarms(alarms.get(), found));
                rights(rights, found);
                return found.findings();
            });
        });
    }

    private CompletableFuture<StatusResponse> status(Member member) {
        try {
            URI url = member.getClientURIs().stream()
                    .filter(each -> "http".equals(each.getScheme()) || "https".equals(each.getScheme()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("it has no URL for clients"));
            return etcd.status(url);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Writes nothing, since no key is created before the first revision. etcd refuses the transaction all the same if
     * the user lacks a right for what it would do.
     */
    private CompletableFuture<?> useRights() {
        List<Op> writes = new ArrayList<>();
        Arrays.stream(LockKind.values()).forEach(kind -> writes.add(Operations.put(keys.of(kind), "", 0)));
        writes.add(Operations.put(keys.forced(new OwnerId("nobody")), "", 0));
        writes.add(Operations.put(keys.released(keys.of(LockKind.LOCK)), "", 0));
        List<Op> reads = List.of(Operations.count(keys.path()));
        return etcd.tryOut(List.of(Operations.isCreated(keys.path(), -1)), writes, reads);
    }

    private static void member(Member member, CompletableFuture<StatusResponse> answer, Examination found) {
        String check = "member " + (member.getName().isEmpty() ? Long.toHexString(member.getId()) : member.getName());
        try {
            StatusResponse status = answer.get();
            String state = "etcd " + status.getVersion() + ", "
                    + (status.getLeader() == member.getId() ? "the leader" : "a follower") + ", "
                    + status.getDbSize() / 1_000 + " kB of data";
            if (isOld(status.getVersion())) {
                found.bad(check, state, "use etcd 3.4 or later");
            } else {
                found.good(check, state);
            }
        } catch (ExecutionException e) {
            found.warn(check, "it does not answer at " + member.getClientURIs(), BEHIND_A_PROXY);
        } catch (InterruptedException e) {
            throw new IllegalStateException("an answer that has come cannot be waited for", e);
        }
    }

    /** A text that is no version counts as a later one. */
    private static boolean isOld(String version) {
        return version.matches("[0-2]\\..*|3\\.[0-3]\\..*");
    }

    private static void failover(Map<Member, CompletableFuture<StatusResponse>> answers, Examination found) {
        long voting =
                answers.keySet().stream().filter(member -> !member.isLearner()).count();
        boolean hasLeader = answers.values().stream()
                .filter(answer -> !answer.isCompletedExceptionally())
                .anyMatch(answer -> answer.join().getLeader() != 0);
        if (!hasLeader) {
            found.bad("failover", "no member knows a leader", "start a majority of the members");
        } else if (voting == 1) {
            found.note(
                    "failover",
                    "one member: while it is down, nobody acquires a lock, and sessions end if it takes too long",
                    "use three members if that may not be");
        } else if (voting % 2 == 0) {
            found.note(
                    "failover",
                    "a majority of " + voting + " members has each lock; " + (voting - 1) / 2 + " may be down",
                    "with one member less, as many may be down; with one more, one more may");
        } else {
            found.good(
                    "failover",
                    "a failover forgets no lock: a majority of " + voting + " members has each; " + (voting - 1) / 2
                            + " may be down");
        }
    }

    private static void alarms(List<AlarmMember> raised, Examination found) {
        if (raised.isEmpty()) {
            found.good("alarms", "none");
        } else if (raised.stream().anyMatch(alarm -> alarm.getAlarmType() == AlarmType.NOSPACE)) {
            found.bad(
                    "alarms",
                    "NOSPACE: the data have reached --quota-backend-bytes, and etcd writes no key",
                    "`etcdctl compact` and `etcdctl defrag`, then `etcdctl alarm disarm`");
        } else {
            found.bad("alarms", raised.size() + " raised, another one than NOSPACE", "see `etcdctl alarm list`");
        }
    }

    private void rights(CompletableFuture<?> used, Examination found) {
        String advice = Etcd.grant(keys.path());
        Throwable failure = used.handle((value, problem) -> problem).join();
        if (Etcd.isRefused(failure)) {
            found.bad("rights", "the user may not read and write all keys that begin with " + keys.path(), advice);
        } else {
            found.attempt("rights", "see the message", () -> {
                rethrow(failure);
                found.good("rights", "all keys that begin with " + keys.path() + " may be read and written");
            });
        }
    }

    private static void rethrow(@Nullable Throwable failure) throws Exception {
        if (failure != null) {
            throw new ExecutionException(failure);
        }
    }
}
