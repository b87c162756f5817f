package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.QueuedAnswer;
import dev.interlock.spi.Renewal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A renewal of many claims in parts. */
class RenewalAnswerTest {

    private final QueuedAnswer<Map<Claim, Renewal>> one = new QueuedAnswer<>();
    private final QueuedAnswer<Map<Claim, Renewal>> two = new QueuedAnswer<>();
    private final RenewalAnswer answer = new RenewalAnswer(List.of(one, two));

    private static Map<Claim, Renewal> held(String name) {
        Claim claim = Claim.of(LockId.lock(name), new OwnerId("owner"), Duration.ofSeconds(30), Party.UNKNOWN);
        return Map.of(claim, Renewal.HELD);
    }

    @Test
    void allParts_areTheAnswer() {
        one.complete(held("a"));
        assertThat(answer).isNotDone();
        two.complete(held("b"));
        assertThat(answer.join().keySet())
                .extracting(claim -> claim.id().name())
                .containsExactlyInAnyOrder("a", "b");
    }

    /** Far from its server a large renewal would otherwise never be answered in time, and all its leases end. */
    @Test
    void whatIsKnown_isTheAnswer_whenNobodyWaitsAnyMore() {
        assertThat(one.begin()).isTrue();
        one.complete(held("a"));
        answer.cancel(false);
        assertThat(answer.join()).isEqualTo(held("a"));
        assertThat(two.begin()).as("the part that has not begun").isFalse();
    }

    @Test
    void withoutAnyPart_itIsCancelled() {
        answer.cancel(false);
        assertThat(answer).isCancelled();
        assertThat(one.begin()).isFalse();
    }

    @Test
    void aFailedPart_costsTheOthersNothing() {
        one.completeExceptionally(new SQLException("no"));
        two.complete(held("b"));
        assertThat(answer.join()).isEqualTo(held("b"));
    }

    @Test
    void onlyFailures_areAFailure() {
        SQLException no = new SQLException("no");
        one.completeExceptionally(no);
        two.completeExceptionally(new SQLException("no again"));
        assertThatThrownBy(answer::join).isInstanceOf(CompletionException.class).hasCause(no);
    }

    @Test
    void itIsInLine_whileItsNextPartIs() {
        assertThat(answer.isInLine()).isTrue();
        assertThat(one.begin()).isTrue();
        assertThat(answer.isInLine()).isFalse();
        one.complete(held("a"));
        assertThat(answer.isInLine()).isTrue();
    }

    @Test
    void noClaims_areAnsweredAtOnce() {
        assertThat(new RenewalAnswer(List.of()).join()).isEmpty();
    }
}
