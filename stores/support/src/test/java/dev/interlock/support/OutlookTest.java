package dev.interlock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Party;
import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.support.rules.Decision;
import dev.interlock.support.rules.NameRules;
import dev.interlock.support.rules.NameState;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OutlookTest {

    private static final NameRules RULES = new NameRules(TimeUnit.MILLISECONDS, 120, true, now -> now * 1_000);

    private long now = 1_000_000;

    @Test
    void heldName_isTheHoldersAgeAndLease_andThoseWhoCameBefore() {
        NameState state = poll(NameState.of(id(LockKind.LOCK)), claim(LockKind.LOCK, 1, Mode.fair()));
        now += 1_000;
        state = poll(state, claim(LockKind.LOCK, 2, Mode.fair()).waiting(Duration.ZERO));
        now += 1_000;
        Claim third = claim(LockKind.LOCK, 3, Mode.fair()).waiting(Duration.ZERO);

        assertThat(Outlook.of(state, third, now)).isEqualTo(new Outlook(1, 2_000, 28_000));
        assertThat(Outlook.of(state, third.waiting(Duration.ofMillis(1_001)), now)
                        .ahead())
                .isZero();
        state = poll(state, third);
        assertThat(Outlook.of(state, third, now).ahead()).isOne();
    }

    @Test
    void severalHolders_areTheOneThatEndsFirst() {
        NameState state = NameState.of(id(LockKind.READ_WRITE));
        state = poll(state, claim(LockKind.READ_WRITE, 1, Mode.shared()).withLease(Duration.ofSeconds(60)));
        now += 1_000;
        state = poll(state, claim(LockKind.READ_WRITE, 2, Mode.shared()));
        now += 1_000;

        Claim writer = claim(LockKind.READ_WRITE, 3, Mode.fair());
        assertThat(Outlook.of(state, writer, now)).isEqualTo(new Outlook(0, 1_000, 29_000));
    }

    @Test
    void reservedLock_isFreeSoon() {
        Claim holder = claim(LockKind.LOCK, 1, Mode.exclusive());
        NameState state = poll(NameState.of(id(LockKind.LOCK)), holder);
        state = poll(state, claim(LockKind.LOCK, 2, Mode.exclusive()).waiting(Duration.ZERO));
        now += 1_000;
        state = RULES.release(state, holder, now).state();
        now += 20;

        Claim other = claim(LockKind.LOCK, 3, Mode.exclusive());
        assertThat(Outlook.of(state, other, now)).isEqualTo(new Outlook(0, 0, 100));
    }

    @Test
    void latch_isHowLongTheClaimHasWaited_andNobodyIsAhead() {
        Command set = new Command(
                id(LockKind.LATCH),
                new Command.SetCount(1),
                OwnerId.of("client", 1),
                Duration.ofSeconds(30),
                Party.UNKNOWN);
        NameState state =
                RULES.execute(NameState.of(id(LockKind.LATCH)), set, now).state();
        state = poll(state, claim(LockKind.LATCH, 2, new Mode.AwaitZero()).waiting(Duration.ZERO));

        Claim waiting = claim(LockKind.LATCH, 3, new Mode.AwaitZero()).waiting(Duration.ofMillis(300));
        assertThat(Outlook.of(state, waiting, now)).isEqualTo(new Outlook(0, 300, 1_250));
    }

    private static LockId id(LockKind kind) {
        return new LockId("n", kind);
    }

    private static Claim claim(LockKind kind, int owner, Mode mode) {
        return Claim.of(id(kind), mode, OwnerId.of("client", owner), Duration.ofSeconds(30), Party.UNKNOWN);
    }

    private NameState poll(NameState state, Claim claim) {
        Decision<Attempt> decision = RULES.acquire(state, claim, "", now);
        return decision.state();
    }
}
