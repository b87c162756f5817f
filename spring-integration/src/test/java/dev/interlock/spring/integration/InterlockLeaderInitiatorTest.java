package dev.interlock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.AbstractLeaderEvent;

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
        InterlockLeaderInitiator made =
                new InterlockLeaderInitiator(client.election("election"), new AbstractCandidate("id", ROLE) {
                    @Override
                    public void onGranted(Context context) {
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
}
