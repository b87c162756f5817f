package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GroupAcquireTest {

    /** A request to a member, which the test answers. It can be granted although it was given up. */
    private static final class Request extends CompletableFuture<Optional<Lease>> {
        private final String member;
        private final String method;
        private final List<Object> arguments;

        Request(String member, String method, Object[] arguments) {
            this.member = member;
            this.method = method;
            this.arguments = arguments == null ? List.of() : List.of(arguments);
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            return false;
        }
    }

    /** Of a caller that has waited for long. */
    private static final Deadline OVER = new Deadline(false, System.nanoTime(), false, false);

    private final List<Request> requests = new ArrayList<>();

    private final DistributedLock member = member("a");

    /** A member that answers when the test says. */
    private DistributedLock member(String name) {
        return (DistributedLock) Proxy.newProxyInstance(
                GroupAcquireTest.class.getClassLoader(),
                new Class<?>[] {DistributedLock.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("name")) {
                        return name;
                    }
                    requests.add(new Request(name, method.getName(), arguments));
                    return requests.get(requests.size() - 1);
                });
    }

    private List<DistributedLock> members(String... names) {
        return Stream.of(names).map(this::member).toList();
    }

    private static GroupAcquire<Optional<GroupLease>> attempt(
            List<DistributedLock> members, @Nullable LeaseTerm term, Deadline deadline) {
        return new GroupAcquire<>("a", members, term, deadline, Function.identity());
    }

    private static <T> T result(CompletableFuture<T> future) throws Exception {
        return future.get(Patience.seconds(), TimeUnit.SECONDS);
    }

    @Test
    void lateGrant_afterItWasGivenUp_goesBack() throws Exception {
        for (boolean granted : List.of(true, false)) {
            requests.clear();
            try (Interlock client = Interlock.inMemory()) {
                Lease lease = client.lock("a").acquire();
                CompletableFuture<Optional<GroupLease>> attempt = new GroupAcquire<>(
                                "a", List.of(member), null, Deadline.after(Duration.ofMinutes(1)), Function.identity())
                        .start();
                assertThat(attempt.cancel(true)).isTrue();
                requests.get(0).complete(granted ? Optional.of(lease) : Optional.empty());
                assertThat(requests).as("granted late: %s", granted).hasSize(1);
                assertThat(lease.isValid()).isEqualTo(!granted);
            }
        }
    }

    /** Its members may be released after the time is over; that does not make a failure a refusal. */
    @Test
    void P10_aFailureStays_howeverLongTheReleasesTake() {
        RuntimeException silence = new StoreUnavailableException("no answer", null);
        RuntimeException wrong = new IllegalStateException("another kind");
        Map<List<CompletableFuture<?>>, Optional<RuntimeException>> expected = Map.of(
                List.of(failed(silence), busy()), Optional.empty(),
                List.of(failed(silence), failed(wrong)), Optional.of(wrong),
                List.of(failed(wrong), busy()), Optional.of(wrong),
                List.of(failed(silence)), Optional.of(silence));
        expected.forEach((answers, failure) -> {
            List<DistributedLock> members = new ArrayList<>();
            members.add(answering(CompletableFuture.completedFuture(Optional.of(withoutEnd()))));
            answers.forEach(answer -> members.add(answering(answer)));
            GroupAcquire<Optional<GroupLease>> attempt =
                    new GroupAcquire<>("a", members, null, OVER, Function.identity());
            if (failure.isEmpty()) {
                assertThat(attempt.awaitUninterruptibly()).isEmpty();
            } else {
                assertThatThrownBy(attempt::awaitUninterruptibly).isSameAs(failure.get());
            }
        });
    }

    /** A member that was busy, is waited for, and then fails, fails the attempt. */
    @Test
    void P10_silenceThatEndsTheWait_isTold() {
        CompletableFuture<Optional<GroupLease>> result = attempt(
                        List.of(member), null, Deadline.after(Duration.ofMinutes(1)))
                .start();
        requests.get(0).complete(Optional.empty());
        RuntimeException silence = new StoreUnavailableException("no answer", null);
        requests.get(1).completeExceptionally(silence);
        assertThatThrownBy(() -> result(result)).hasCause(silence);
    }

    /** The members bound them; a wait bounds the time in the line. */
    @Test
    void firstAnswers_areWaitedFor_alsoAfterTheTime() throws Exception {
        for (Deadline over : List.of(Deadline.after(Duration.ofNanos(1)), OVER)) {
            requests.clear();
            try (Interlock client = Interlock.inMemory()) {
                CompletableFuture<Optional<GroupLease>> free =
                        attempt(members("a", "b"), null, over).start();
                for (String name : List.of("a", "b")) {
                    assertThat(free).isNotDone();
                    answer(name, Optional.of(client.lock(name).acquire()));
                }
                assertThat(result(free)).isPresent();
            }
            CompletableFuture<Optional<GroupLease>> busy =
                    attempt(List.of(member), null, over).start();
            assertThat(busy).isNotDone();
            answer("a", Optional.empty());
            assertThat(result(busy)).isEmpty();
            assertThat(asked()).containsExactly("a", "b", "a");
        }
    }

    // ---- in order

    /** What it requested behind a member that may be refused would keep others from it in vain. */
    @Test
    void P18_tryOnce_requestsAMember_onlyWhenItHoldsAllBefore() throws Exception {
        for (LeaseTerm given : Arrays.asList(null, LeaseTerm.renewing())) {
            requests.clear();
            try (Interlock client = Interlock.inMemory()) {
                CompletableFuture<Optional<GroupLease>> result =
                        attempt(members("a", "b", "c"), given, Deadline.ONCE).start();
                assertThat(asked()).containsExactly("a");
                Lease a = client.lock("a").acquire();
                answer("a", Optional.of(a));
                assertThat(asked()).containsExactly("a", "b");
                answer("b", Optional.empty());
                assertThat(result(result)).isEmpty();
                assertThat(a.isValid()).isFalse();
                assertThat(asked()).containsExactly("a", "b");
            }
        }
    }

    @Test
    void P18_callerThatWaitsBriefly_waitsInOrder() throws Exception {
        try (Interlock client = Interlock.inMemory()) {
            CompletableFuture<Optional<GroupLease>> result = attempt(
                            members("a", "b", "c"), null, Deadline.after(Deadline.PATIENT.minusMillis(1)))
                    .start();
            answer("a", Optional.of(client.lock("a").acquire()));
            answer("b", Optional.empty());
            assertThat(asked()).containsExactly("a", "b", "b");
            answer("b", Optional.of(client.lock("b").acquire()));
            assertThat(asked()).containsExactly("a", "b", "b", "c");
            answer("c", Optional.of(client.lock("c").acquire()));
            assertThat(result(result)).isPresent();
        }
    }

    @Test
    void inOrder_endedLease_isRequestedAgain_withNothingBehindIt() throws Exception {
        try (Interlock client = Interlock.inMemory()) {
            CompletableFuture<Optional<GroupLease>> result = attempt(
                            members("a", "b", "c"), null, Deadline.after(Deadline.PATIENT.minusMillis(1)))
                    .start();
            Lease a = client.lock("a").acquire();
            answer("a", Optional.of(a));
            a.close();
            Lease b = client.lock("b").acquire();
            answer("b", Optional.of(b));
            assertThat(asked()).containsExactly("a", "b", "a");
            assertThat(b.isValid()).isFalse();
            assertThat(result).isNotDone();
        }
    }

    /** Else a term that is shorter than the stores take would keep it at work for ever. */
    @Test
    void inOrder_aLeaseThatHasEnded_failsACallerThatTriesOnce() throws Exception {
        try (Interlock client = Interlock.inMemory()) {
            CompletableFuture<Optional<GroupLease>> result =
                    attempt(members("a", "b"), null, Deadline.ONCE).start();
            Lease a = client.lock("a").acquire();
            answer("a", Optional.of(a));
            a.close();
            answer("b", Optional.of(client.lock("b").acquire()));
            assertThatThrownBy(() -> result(result))
                    .hasCauseInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("the lease of member 'a' was over");
            assertThat(client.lock("b").isLocked()).isFalse();
        }
    }

    /** The stores were so slow that the first lease is much older than the last. */
    @Test
    void P18_fixedTerm_beginsAnew_ifItsLeasesAreOfDifferentAges() throws Exception {
        for (int older : List.of(5, 20)) {
            List<Object> extended = Collections.synchronizedList(new ArrayList<>());
            List<DistributedLock> members = List.of(
                    answering(CompletableFuture.completedFuture(Optional.of(lasting(100 - older, extended)))),
                    answering(CompletableFuture.completedFuture(Optional.of(lasting(100, extended)))));
            Optional<GroupLease> lease = attempt(members, LeaseTerm.fixed(Duration.ofSeconds(100)), Deadline.ONCE)
                    .awaitUninterruptibly();
            assertThat(lease).isPresent();
            assertThat(extended).as("older by %s s", older).hasSize(older > 10 ? 2 : 0);
        }
    }

    private static Lease lasting(int seconds, List<Object> extended) {
        return (Lease) Proxy.newProxyInstance(
                GroupAcquireTest.class.getClassLoader(),
                new Class<?>[] {Lease.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isValid" -> true;
                    case "remaining" -> Duration.ofSeconds(seconds);
                    case "extend" -> {
                        extended.add(arguments[0]);
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    // ---- at once

    @Test
    void busyMember_isTriedOnce_thenWaitedForAsLongAsTheCaller() {
        LeaseTerm term = LeaseTerm.renewing();
        Duration wait = Duration.ofHours(1);
        for (LeaseTerm given : Arrays.asList(null, term)) {
            for (Deadline deadline : List.of(Deadline.ENDLESS, Deadline.after(wait))) {
                requests.clear();
                var unused = attempt(List.of(member), given, deadline).start();
                requests.get(0).complete(Optional.empty());

                assertThat(requests).hasSize(2);
                Request first = requests.get(0);
                Request second = requests.get(1);
                List<Object> terms = given == null ? List.of() : List.of(given);
                assertThat(first.method).isEqualTo("tryAcquireAsync");
                assertThat(first.arguments).isEqualTo(terms);
                if (deadline.isEndless()) {
                    assertThat(second.method).isEqualTo("acquireAsync");
                    assertThat(second.arguments).isEqualTo(terms);
                } else {
                    assertThat(second.method).isEqualTo("tryAcquireAsync");
                    assertThat((Duration) second.arguments.get(0)).isPositive().isLessThanOrEqualTo(wait);
                    assertThat(second.arguments.subList(1, second.arguments.size()))
                            .isEqualTo(terms);
                }
            }
        }
    }

    /** It holds only what is before the member that it waits for, and then asks again for what is missing. */
    @Test
    void firstOfTheBusyMembers_isWaitedFor_andThoseBehindAreReleased() throws Exception {
        try (Interlock client = Interlock.inMemory()) {
            Lease a = client.lock("a").acquire();
            Lease b = client.lock("b").acquire();
            Lease d = client.lock("d").acquire();
            CompletableFuture<Optional<GroupLease>> result = attempt(
                            members("a", "b", "c", "d"), null, Deadline.after(Duration.ofHours(1)))
                    .start();
            answer("a", Optional.of(a));
            answer("b", Optional.empty());
            answer("c", Optional.empty());
            answer("d", Optional.of(d));

            assertThat(asked()).containsExactly("a", "b", "c", "d", "b");
            assertThat(a.isValid()).isTrue();
            assertThat(d.isValid()).isFalse();
            answer("b", Optional.of(b));
            assertThat(asked()).containsExactly("a", "b", "c", "d", "b", "c", "d");
            answer("c", Optional.empty());
            answer("d", Optional.empty());
            assertThat(asked()).endsWith("c", "d", "c");
            assertThat(result).isNotDone();
            answer("c", Optional.empty());
            assertThat(result(result)).isEmpty();
            assertThat(a.isValid() || b.isValid()).isFalse();
        }
    }

    @Test
    void firstMember_isWaitedFor_ifAllAreBusy() {
        var unused = attempt(members("a", "b"), null, Deadline.ENDLESS).start();
        answer("a", Optional.empty());
        answer("b", Optional.empty());
        assertThat(asked()).containsExactly("a", "b", "a");
    }

    private List<String> asked() {
        return requests.stream().map(request -> request.member).toList();
    }

    /** Answers the last request to this member. */
    private void answer(String name, Optional<Lease> lease) {
        requests.stream()
                .filter(request -> request.member.equals(name))
                .reduce((first, second) -> second)
                .orElseThrow()
                .complete(lease);
    }

    /** A member that is asked again is not silent before it is so once more. */
    @Test
    void P10_silenceBeforeTheWait_isForgotten() throws Exception {
        CompletableFuture<Optional<GroupLease>> result = attempt(
                        List.of(member), null, Deadline.after(Duration.ofHours(1)))
                .start();
        requests.get(0).completeExceptionally(new StoreUnavailableException("no answer", null));
        assertThat(requests).hasSize(2);
        requests.get(1).complete(Optional.empty());
        assertThat(result(result)).isEmpty();
    }

    /** The caller gives up after all members are held, and before it has the lease. */
    @Test
    void leaseThatNobodyTakes_isReleased() throws Exception {
        try (Interlock client = Interlock.inMemory()) {
            Lease lease = client.lock("a").acquire();
            List<CompletableFuture<?>> results = new ArrayList<>();
            results.add(new GroupAcquire<>("a", List.of(member), null, Deadline.ENDLESS, made -> {
                        assertThat(results.get(0).cancel(false)).isTrue();
                        return made;
                    })
                    .start());
            requests.get(0).complete(Optional.of(lease));
            assertThat(results.get(0)).isCancelled();
            assertThat(lease.isValid()).isFalse();
        }
    }

    private static CompletableFuture<?> busy() {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    private static CompletableFuture<?> failed(RuntimeException failure) {
        return CompletableFuture.failedFuture(failure);
    }

    private static DistributedLock answering(CompletableFuture<?> answer) {
        return (DistributedLock) Proxy.newProxyInstance(
                GroupAcquireTest.class.getClassLoader(),
                new Class<?>[] {DistributedLock.class},
                (proxy, method, arguments) -> answer);
    }

    /** A lease whose release the store does not answer. */
    private static Lease withoutEnd() {
        return (Lease) Proxy.newProxyInstance(
                GroupAcquireTest.class.getClassLoader(),
                new Class<?>[] {Lease.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isValid" -> true;
                    case "releaseAsync" -> new CompletableFuture<>();
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
