package dev.interlock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LeaderElection;
import dev.interlock.memory.MemoryStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.AbstractLeaderEvent;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.OnGrantedEvent;

/** Two candidates of Spring Integration in an election of two clients. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterlockLeaderInitiatorTest {

    private static final String ROLE = "leader";

    private final MemoryStore store = new MemoryStore();
    private final Interlock client = Interlock.builder(store).build();
    private final Interlock otherClient = Interlock.builder(store.session()).build();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<String> otherCalls = new CopyOnWriteArrayList<>();
    private final InterlockLeaderInitiator candidate = initiator(client, calls);
    private final InterlockLeaderInitiator other = initiator(otherClient, otherCalls);

    private static InterlockLeaderInitiator initiator(Interlock client, List<String> calls) {
        return initiator(client.election("election"), calls, () -> {});
    }

    private static InterlockLeaderInitiator initiator(
            LeaderElection election, List<String> calls, Runnable whenGranted) {
        InterlockLeaderInitiator made = new InterlockLeaderInitiator(election, new AbstractCandidate("id", ROLE) {
            @Override
            public void onGranted(Context context) {
                whenGranted.run();
                calls.add("granted " + context.isLeader());
            }

            @Override
            public void onRevoked(Context context) {
                calls.add("revoked " + context.isLeader());
            }
        });
        made.setApplicationEventPublisher(new ApplicationEventPublisher() {
            @Override
            public void publishEvent(ApplicationEvent event) {
                publishEvent((Object) event);
            }

            @Override
            public void publishEvent(Object event) {
                calls.add(event.getClass().getSimpleName() + " " + ((AbstractLeaderEvent) event).getRole());
            }
        });
        return made;
    }

    @AfterEach
    void stop() {
        candidate.destroy();
        other.destroy();
        client.close();
        otherClient.close();
    }

    /** An election elects on a thread of its own, and so perhaps before whoever joins knows that it has joined. */
    @Test
    void candidateThatIsGrantedWhileItJoins_isTheLeader() throws Exception {
        LeaderElection election = client.election("election");
        CountDownLatch granted = new CountDownLatch(1);
        LeaderElection slow = (LeaderElection) Proxy.newProxyInstance(
                LeaderElection.class.getClassLoader(),
                new Class<?>[] {LeaderElection.class},
                (proxy, method, arguments) -> {
                    Object answer = method.invoke(election, arguments);
                    if (method.getName().equals("join")) {
                        granted.await();
                    }
                    return answer;
                });
        InterlockLeaderInitiator early = initiator(slow, calls, granted::countDown);

        early.start();
        await().until(() -> calls.size() == 2);
        early.stop();

        assertThat(calls.get(0)).isEqualTo("granted true");
    }

    /** It is not granted what it could not begin: another one leads, and it tries again later. */
    @Test
    void candidateThatThrowsWhenGranted_givesWay_andTriesAgain() {
        AtomicInteger attempts = new AtomicInteger();
        InterlockLeaderInitiator failing = initiator(client.election("election"), calls, () -> {
            if (attempts.incrementAndGet() == 1) {
                throw new IllegalStateException("thrown by the test");
            }
        });
        failing.start();
        await().until(() -> calls.size() == 2);
        assertThat(calls).containsExactly("revoked false", "OnRevokedEvent leader");

        other.start();
        await().until(() -> otherCalls.size() == 2);
        other.stop();
        await().until(() -> calls.size() == 4);
        assertThat(calls).endsWith("granted true", "OnGrantedEvent leader");
        failing.stop();
    }

    @Test
    void grantsAndRevokes_areToldInOrder_andTheNextLeads() {
        candidate.start();
        candidate.start();
        await().until(() -> calls.size() == 2);
        assertThat(calls).containsExactly("granted true", "OnGrantedEvent leader");
        assertThat(candidate.getContext().isLeader()).isTrue();
        other.start();
        await().until(() -> client.election("election").inspect().waiters().size() == 1);

        candidate.getContext().yield();
        await().until(() -> otherCalls.size() == 2);
        assertThat(calls.subList(2, 4)).containsExactly("revoked false", "OnRevokedEvent leader");
        assertThat(other.getContext().isLeader()).isTrue();

        other.stop();
        assertThat(other.isRunning()).isFalse();
        assertThat(otherCalls).hasSize(4);
        await().until(() -> calls.size() == 6);
        candidate.stop();
        assertThat(client.lock("election").isLocked()).isFalse();
        candidate.start();
        await().until(() -> candidate.getContext().isLeader());
    }

    /** As if its listeners were called by a slow executor. */
    @Test
    void contextOfALeadership_thatIsUsedLate_leavesTheNextAlone() {
        List<Context> granted = new CopyOnWriteArrayList<>();
        candidate.setLeaderEventPublisher(new DefaultLeaderEventPublisher(event -> {
            if (event instanceof OnGrantedEvent grant) {
                granted.add(grant.getContext());
            }
        }));
        candidate.start();
        await().until(() -> granted.size() == 1);
        Context first = granted.get(0);
        assertThat(first.isLeader()).isTrue();
        first.yield();
        await().until(() -> granted.size() == 2);
        calls.clear();

        first.yield();

        assertThat(first.isLeader()).isFalse();
        assertThat(granted.get(1).isLeader()).isTrue();
        assertThat(candidate.getContext().isLeader()).isTrue();
        candidate.stop();
        candidate.start();
        await().until(() -> granted.size() == 3);
        granted.get(1).yield();
        assertThat(granted.get(2).isLeader()).isTrue();
        assertThat(calls).containsExactly("revoked false", "granted true");
        granted.get(2).yield();
        await().until(() -> calls.size() >= 3);
        assertThat(calls.get(2)).isEqualTo("revoked false");
    }

    /** Several of one phase are left at once: each tells when it has left, and none waits for the one before. */
    @Test
    void stopOfAPhase_doesNotWait_andTellsWhenItIsRevoked() throws Exception {
        CountDownLatch revoke = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        InterlockLeaderInitiator slow =
                new InterlockLeaderInitiator(client.election("slow"), new AbstractCandidate("id", ROLE) {
                    @Override
                    public void onGranted(Context context) {
                        calls.add("granted");
                    }

                    @Override
                    public void onRevoked(Context context) {
                        try {
                            revoke.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        calls.add("revoked");
                    }
                });
        slow.setApplicationEventPublisher(event -> {});
        slow.start();
        await().until(() -> calls.contains("granted"));
        slow.stop(stopped::countDown);
        assertThat(calls).doesNotContain("revoked");
        assertThat(stopped.getCount()).isEqualTo(1);
        revoke.countDown();
        stopped.await();
        assertThat(calls).endsWith("revoked");
    }

    /** A restart does not fail because the end of the time before takes long. */
    @Test
    void restart_beforeTheCandidateHasBeenRevoked_standsAgainAfterIt() {
        CountDownLatch revoke = new CountDownLatch(1);
        try (Interlock impatient = Interlock.builder(store.session())
                .closeTimeout(Duration.ofMillis(50))
                .build()) {
            InterlockLeaderInitiator slow =
                    new InterlockLeaderInitiator(impatient.election("slow"), new AbstractCandidate("id", ROLE) {
                        @Override
                        public void onGranted(Context context) {
                            calls.add("granted");
                        }

                        @Override
                        public void onRevoked(Context context) {
                            boolean over = false;
                            while (!over) {
                                try {
                                    revoke.await();
                                    over = true;
                                } catch (InterruptedException e) {
                                    // Stubborn.
                                }
                            }
                            calls.add("revoked");
                        }
                    });
            slow.setApplicationEventPublisher(event -> {});
            slow.start();
            await().until(() -> calls.contains("granted"));
            slow.stop();
            slow.start();
            assertThat(slow.isRunning()).isTrue();
            assertThat(slow.getContext().isLeader()).isFalse();
            revoke.countDown();
            await().until(() -> calls.size() == 3);
            assertThat(calls).containsExactly("granted", "revoked", "granted");
            slow.stop();
            assertThat(slow.isRunning()).isFalse();
        }
    }
}
