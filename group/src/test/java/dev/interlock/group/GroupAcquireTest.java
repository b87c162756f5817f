package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.Patience;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class GroupAcquireTest {

    /** A request that the store grants although it was given up. */
    private static final class Stubborn extends CompletableFuture<Optional<Lease>> {
        @Override
        public boolean cancel(boolean mayInterrupt) {
            return false;
        }
    }

    private final List<Stubborn> requests = new ArrayList<>();

    private final DistributedLock member = (DistributedLock) Proxy.newProxyInstance(
            GroupAcquireTest.class.getClassLoader(),
            new Class<?>[] {DistributedLock.class},
            (proxy, method, arguments) -> {
                requests.add(new Stubborn());
                return requests.get(requests.size() - 1);
            });

    @Test
    void afterItWasGivenUp_whatComesLateGoesBack_andNothingIsAskedForAgain() throws Exception {
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
                    new GroupAcquire<>("a", members, null, Deadline.after(Duration.ZERO), Function.identity());
            if (failure.isEmpty()) {
                assertThat(attempt.awaitUninterruptibly()).isEmpty();
            } else {
                assertThatThrownBy(attempt::awaitUninterruptibly).isSameAs(failure.get());
            }
        });
    }

    /** A member that was busy, is waited for, and then fails, fails the attempt. */
    @Test
    void P10_silenceThatEndsTheWait_isTold_alsoAfterTheTime() throws Exception {
        GroupAcquire<Optional<GroupLease>> attempt = new GroupAcquire<>(
                "a",
                List.of(answering(CompletableFuture.completedFuture(Optional.of(withoutEnd()))), member),
                null,
                Deadline.after(Duration.ofMinutes(1)),
                Function.identity());
        CompletableFuture<Optional<GroupLease>> result = attempt.start();
        requests.get(0).complete(Optional.empty());
        RuntimeException silence = new StoreUnavailableException("no answer", null);
        requests.get(1).completeExceptionally(silence);
        attempt.timeOut();
        assertThatThrownBy(() -> result.get(Patience.seconds(), TimeUnit.SECONDS))
                .hasCause(silence);
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
