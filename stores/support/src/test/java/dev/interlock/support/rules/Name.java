package dev.interlock.support.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One name under the rules, and a clock in milliseconds that the test advances. */
final class Name {

    static final String CHANNEL = "channel";
    static final int RESERVED_MS = 120;

    final LockId id;
    final NameRules rules;
    NameState state;
    long now = 1_000_000;

    /** Whom the last event has woken. */
    List<Waiter> woken = List.of();

    /** A name of a store that wakes, or of one that spares writes, as {@code sparesWrites} says. */
    Name(LockKind kind, boolean sparesWrites) {
        this.id = new LockId("n", kind);
        this.rules = new NameRules(TimeUnit.MILLISECONDS, RESERVED_MS, sparesWrites, time -> time * 1_000);
        this.state = NameState.of(id);
    }

    Name(LockKind kind) {
        this(kind, false);
    }

    /** A claim with a lease of 30 s that does not wait. */
    Claim claim(int owner, Mode mode) {
        return Claim.of(id, mode, owner(owner), Duration.ofSeconds(30), Party.UNKNOWN);
    }

    /** A command that is remembered for 30 s. */
    Command command(int owner, Command.Action action) {
        return new Command(id, action, owner(owner), Duration.ofSeconds(30), Party.UNKNOWN);
    }

    /** A claim that waits, and has not waited before. */
    Claim waiting(int owner, Mode mode) {
        return claim(owner, mode).waiting(Duration.ZERO);
    }

    static OwnerId owner(int number) {
        return OwnerId.of("client", number);
    }

    /** Asks for a claim whose client can be woken. */
    Attempt acquire(Claim claim) {
        return acquire(claim, CHANNEL);
    }

    /** Asks for a claim whose client polls. */
    Attempt poll(Claim claim) {
        return acquire(claim, "");
    }

    private Attempt acquire(Claim claim, String channel) {
        Decision<Attempt> decision = rules.acquire(rules.expire(state, now), claim, channel, now);
        state = decision.state();
        woken = decision.woken();
        return decision.answer();
    }

    private boolean execute(Command command) {
        Decision<Boolean> decision = rules.execute(rules.expire(state, now), command, now);
        state = decision.state();
        woken = decision.woken();
        return decision.answer();
    }

    boolean release(Claim claim) {
        Decision<Boolean> decision = rules.release(rules.expire(state, now), claim, now);
        state = decision.state();
        woken = decision.woken();
        return decision.answer();
    }

    Renewal renew(Claim claim) {
        Decision<Renewal> decision = rules.renew(rules.expire(state, now), claim, now);
        state = decision.state();
        return decision.answer();
    }

    void pass(Duration time) {
        now += time.toMillis();
        state = rules.expire(state, now);
    }

    void assertGranted(Claim claim) {
        assertThat(acquire(claim)).isInstanceOf(Attempt.Granted.class);
    }

    void assertBusy(Claim claim) {
        assertThat(acquire(claim)).isInstanceOf(Attempt.Busy.class);
    }

    void assertExecuted(Command command) {
        assertThat(execute(command)).as("executed: %s", command).isTrue();
    }

    void assertRefused(Command command) {
        assertThat(execute(command)).as("executed: %s", command).isFalse();
    }

    void assertWoken(Claim... claims) {
        assertThat(woken).extracting(Waiter::owner).containsExactly(owners(claims));
    }

    void assertHeldBy(Claim... claims) {
        assertThat(state.holders()).extracting(Holder::owner).containsExactly(owners(claims));
    }

    void assertWaiting(Claim... claims) {
        assertThat(state.waiters()).extracting(Waiter::owner).containsExactly(owners(claims));
    }

    private static OwnerId[] owners(Claim... claims) {
        return List.of(claims).stream().map(Claim::owner).toArray(OwnerId[]::new);
    }

    static long fence(Attempt attempt) {
        return ((Attempt.Granted) attempt).fence();
    }

    static Duration retryAfter(Attempt attempt) {
        return ((Attempt.Busy) attempt).retryAfter();
    }
}
