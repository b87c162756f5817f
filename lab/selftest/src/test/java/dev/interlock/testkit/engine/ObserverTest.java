package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseOrigin;
import dev.interlock.LeaseTerm;
import dev.interlock.LockObserver;
import dev.interlock.LockOptions;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.store.FlakyStore;
import dev.interlock.testkit.store.FlakyStore.Rates;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Observers: what they are notified of, and that their failures do no harm (I9). */
class ObserverTest extends EngineSuite {

    @Test
    void observers_areToldTheTruth_andMayThrow() throws Exception {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        LockOptions options =
                LockOptions.builder().handOver(1, Duration.ofMinutes(1)).build();
        Interlock client = clients().open(b -> b.lockOptions(options)
                .observer(new Recorder(told))
                .observer((name, kind, mode) -> new LockObserver.Acquisition() {
                    @Override
                    public void acquired(long token, LeaseOrigin origin, Duration waited) {
                        throw new IllegalStateException("of the observer");
                    }
                }));
        DistributedLock lock = client.lock(clients().name());
        Lease lease = lock.acquire();
        long token = lease.token();
        Caller<Lease> next = Caller.start(lock::acquire).awaitBlocked();
        lease.close();
        Lease second = next.result();
        second.close();

        assertThat(told)
                .contains(
                        "acquired " + token + " STORE",
                        "ended " + token + " RELEASED",
                        "acquired " + second.token() + " HAND_OVER",
                        "ended " + second.token() + " RELEASED");
    }

    /** Whose renewal has failed, and what is left of its lease: less than a renewal is sent for, and less each time. */
    @Test
    void observers_areToldOfRenewalsThatFail() throws Exception {
        Duration length = RENEWED.length();
        Queue<String> told = new ConcurrentLinkedQueue<>();
        Queue<Duration> left = new ConcurrentLinkedQueue<>();
        FlakyStore store = new FlakyStore(clients().store(), 30, Rates.NONE.withFailedRenewals(1));
        Interlock client = clients()
                .open(
                        store,
                        b -> b.observer(new LockObserver() {
                            @Override
                            public @Nullable Acquisition acquiring(String name, LockKind kind, Mode mode) {
                                return null;
                            }

                            @Override
                            public void requested(String name, String owner) {
                                told.add(name + " " + owner);
                            }

                            @Override
                            public void renewalFailed(
                                    String name, String owner, Duration remaining, StoreUnavailableException failure) {
                                told.add(name + " " + owner);
                                left.add(remaining);
                            }
                        }));
        Lease lease = client.lock(clients().name()).acquire(LeaseTerm.renewing(length));

        await().until(() -> left.size() > 2);

        assertThat(Set.copyOf(told)).hasSize(1).allMatch(line -> line.startsWith(lease.name() + " "));
        assertThat(List.copyOf(left))
                .doesNotHaveDuplicates()
                .isSortedAccordingTo(Comparator.reverseOrder())
                .allMatch(rest -> rest.compareTo(length.multipliedBy(3).dividedBy(4)) < 0);
    }

    /** Writes down what it is told. */
    private record Recorder(Queue<String> told) implements LockObserver {

        @Override
        public Acquisition acquiring(String name, LockKind kind, Mode mode) {
            return new Acquisition() {
                private volatile long token;

                @Override
                public void acquired(long newToken, LeaseOrigin origin, Duration waited) {
                    token = newToken;
                    told.add("acquired " + token + " " + origin);
                }

                @Override
                public void ended(ReleaseOutcome outcome, Duration held) {
                    told.add("ended " + token + " " + outcome);
                }
            };
        }
    }
}
