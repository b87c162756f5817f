package dev.interlock.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockListener;
import dev.interlock.LockOptions;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.store.FlakyStore;
import dev.interlock.testkit.store.FlakyStore.Rates;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Listeners: what they are notified of, and that their failures do no harm (I9). */
class ListenerTest extends EngineSuite {

    @Test
    void listeners_areToldTheTruth_andMayThrow() throws Exception {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        LockOptions options = LockOptions.defaults().handOver(1, Duration.ofMinutes(1));
        Interlock client = clients().open(b -> b.lockOptions(options)
                .listener(new RecordingListener(told))
                .listener(new LockListener() {
                    @Override
                    public void acquired(String name, long token, Duration waited) {
                        throw new IllegalStateException("of the listener");
                    }
                }));
        DistributedLock lock = client.lock(clients().name());
        Lease lease = lock.acquire();
        long token = lease.token();
        Caller<Lease> next = Caller.start(lock::acquire).awaitBlocked();
        lease.close();
        Lease second = next.result();
        second.close();

        await().untilAsserted(() -> assertThat(told)
                .contains(
                        "acquired " + token,
                        "released " + token + " RELEASED",
                        "handedOver " + second.token(),
                        "acquired " + second.token(),
                        "released " + second.token() + " RELEASED"));
    }

    /** Whose renewal has failed, and what is left of its lease: less than a renewal is sent for, and less each time. */
    @Test
    void listeners_areToldOfRenewalsThatFail() throws Exception {
        Duration length = RENEWED.length();
        Queue<String> told = new ConcurrentLinkedQueue<>();
        Queue<Duration> left = new ConcurrentLinkedQueue<>();
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            FlakyStore store = new FlakyStore(clients().store(), 30, Rates.NONE.withFailedRenewals(1));
            Interlock client = clients()
                    .open(store, b -> b.callbackExecutor(one).listener(new LockListener() {
                        @Override
                        public void asked(String name, String owner) {
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
        } finally {
            one.shutdown();
        }
    }

    /** Writes down what it is told. */
    private static final class RecordingListener implements LockListener {

        private final Queue<String> told;

        RecordingListener(Queue<String> told) {
            this.told = told;
        }

        @Override
        public void acquired(String name, long token, Duration waited) {
            told.add("acquired " + token);
        }

        @Override
        public void handedOver(String name, long token) {
            told.add("handedOver " + token);
        }

        @Override
        public void released(String name, long token, ReleaseOutcome outcome, Duration held) {
            told.add("released " + token + " " + outcome);
        }
    }
}
