package dev.interlock.reactor;

import static dev.interlock.test.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.test.InterlockTest;
import dev.interlock.test.Locks;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** {@code interlock-test} with publishers: the example of docs/testing.md. */
@InterlockTest
class TestedPublisherTest {

    @Test
    void busy_isWaitedFor(Interlock interlock, Locks locks) {
        Mono<String> settle = ReactiveLocks.mono(interlock.lock("settle:42"), lease -> Mono.just("settled"));

        locks.hold("settle:42");
        locks.whenWaiting("settle:42", () -> locks.release("settle:42"));

        assertThat(settle.block(Duration.ofMinutes(1))).isEqualTo("settled");
        assertThatLock("settle:42").isFree().wasAcquired(1);
    }
}
