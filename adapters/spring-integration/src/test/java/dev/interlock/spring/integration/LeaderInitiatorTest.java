package dev.interlock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring's election of a leader by a lock works on the registry, with two candidates in two processes. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaderInitiatorTest {

    private static final String ROLE = "leader";

    private final MemoryStore store = new MemoryStore();
    private final Interlock client =
            Interlock.builder(store).application("first").build();
    private final Interlock otherClient =
            Interlock.builder(store.session()).application("second").build();
    private final Events events = new Events();
    private final Events otherEvents = new Events();
    private final LockRegistryLeaderInitiator candidate = candidate(client, events);
    private final LockRegistryLeaderInitiator other = candidate(otherClient, otherEvents);

    private static LockRegistryLeaderInitiator candidate(Interlock client, Events events) {
        LockRegistryLeaderInitiator candidate = new LockRegistryLeaderInitiator(
                Line.asLockRegistry(Line.registry(client, "election", Duration.ofMinutes(5))),
                new DefaultCandidate("id", ROLE));
        candidate.setHeartBeatMillis(20);
        candidate.setBusyWaitMillis(5);
        candidate.setLeaderEventPublisher(events);
        candidate.setPublishFailedEvents(true);
        return candidate;
    }

    @AfterEach
    void stop() {
        candidate.destroy();
        other.destroy();
        client.close();
        otherClient.close();
    }

    @Test
    void startAndStop_grantAndRevoke() {
        assertThat(candidate.getContext().isLeader()).isFalse();
        candidate.start();
        await().until(() -> events.granted.get() == 1);
        assertThat(candidate.getContext().isLeader()).isTrue();
        candidate.stop();
        await().until(() -> events.revoked.get() == 1);
        assertThat(candidate.getContext().isLeader()).isFalse();
        await().until(() -> !client.lock("election:" + ROLE).isLocked());
    }

    @Test
    void leader_remainsOne_overManyHeartBeats() {
        candidate.start();
        await().until(() -> events.granted.get() == 1);
        other.start();
        await().until(() -> otherEvents.failed.get() >= 5);
        assertThat(candidate.getContext().isLeader()).isTrue();
        assertThat(other.getContext().isLeader()).isFalse();
        assertThat(events.revoked.get()).isZero();
    }

    @Test
    void leaderThatStops_isFollowedByTheOther() {
        candidate.start();
        await().until(() -> events.granted.get() == 1);
        other.start();
        candidate.stop();
        await().until(() -> otherEvents.granted.get() == 1);
        assertThat(other.getContext().isLeader()).isTrue();
        assertThat(candidate.getContext().isLeader()).isFalse();
    }

    @Test
    void leaderThatYields_isRevoked_andSomebodyLeadsAgain() {
        candidate.start();
        await().until(() -> events.granted.get() == 1);
        other.start();
        candidate.getContext().yield();
        await().until(() -> events.revoked.get() == 1);
        await().until(() -> events.granted.get() + otherEvents.granted.get() == 2);
    }

    @Test
    void leaderThatLosesTheLockToTheOther_isRevoked() {
        candidate.start();
        await().until(() -> events.granted.get() == 1);
        other.start();
        await().until(() -> otherEvents.failed.get() >= 1);
        await().until(() -> {
            // Again, if the leader was the first to come back.
            LockStatus seen = client.lock("election:" + ROLE).inspect();
            if (seen.holders().stream()
                    .allMatch(holder -> holder.party().application().equals("first"))) {
                client.administration().forceUnlock(seen);
            }
            return otherEvents.granted.get() > 0;
        });
        await().until(() -> events.revoked.get() > 0);
        await().until(() -> !candidate.getContext().isLeader());
    }

    @Test
    void leaderThatLosesTheLock_andFindsItFree_holdsItAgain() {
        candidate.start();
        await().until(() -> events.granted.get() == 1);
        client.administration().forceUnlock("election:" + ROLE);
        await().until(() -> client.lock("election:" + ROLE).isLocked());
        // An attempt that takes longer than a heart beat lets the leadership go for a moment.
        await().until(() -> candidate.getContext().isLeader());
    }

    private static final class Events implements LeaderEventPublisher {
        private final AtomicInteger granted = new AtomicInteger();
        private final AtomicInteger revoked = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();

        @Override
        public void publishOnGranted(Object source, Context context, String role) {
            granted.incrementAndGet();
        }

        @Override
        public void publishOnRevoked(Object source, Context context, String role) {
            revoked.incrementAndGet();
        }

        @Override
        public void publishOnFailedToAcquire(Object source, Context context, String role) {
            failed.incrementAndGet();
        }
    }
}
