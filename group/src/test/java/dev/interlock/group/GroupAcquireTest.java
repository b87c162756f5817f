package dev.interlock.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
}
