package dev.interlock.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.LockStatus.Holder;
import dev.interlock.Party;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written of a wait is read as the same wait, and what is not one is left out. */
class RecordsTest {

    private static final String CLIENT = "0b5e2b0a-0000-4000-8000-000000000001";
    private static final Party PARTY = new Party("host", 7, "app", "");

    @Test
    void waits_areReadAsTheyWereWritten() {
        Wait plain = wait(3, LockId.lock("orders:42"), Mode.exclusive(), List.of());
        Wait hostile = wait(
                4,
                new LockId("a/b c\n'\u0000é\ud83d\ude00 ".repeat(20), LockKind.READ_WRITE),
                Mode.shared(),
                List.of(
                        new Hold(new LockId("s/x/1", LockKind.SEMAPHORE), 12, false),
                        new Hold(new LockId("%2F+", LockKind.READ_WRITE), 13, true)));
        Wait permits = wait(5, new LockId("s", LockKind.SEMAPHORE), new Mode.Permits(2, 9), List.of());

        assertThat(Records.parse(CLIENT, stored(plain, hostile, permits)).waits())
                .containsExactlyInAnyOrder(plain, hostile, permits);
        assertThat(Records.parse(CLIENT, stored(plain)).party().host()).isEqualTo("host");
    }

    @Test
    void pieces_areNoLongerThanAParticipant() {
        List<Hold> many = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            many.add(new Hold(LockId.lock("name-" + i), i + 1, false));
        }
        Wait wait = wait(Long.MAX_VALUE, LockId.lock("w"), Mode.exclusive(), many);

        LockStatus stored = stored(wait);

        assertThat(stored.holders())
                .allSatisfy(
                        holder -> assertThat(holder.party().thread().length()).isLessThanOrEqualTo(128));
        Wait read = Records.parse(CLIENT, stored).waits().get(0);
        assertThat(read.held()).as("as many as there is room for").hasSizeGreaterThan(200);
        assertThat(many).startsWith(read.held().toArray(Hold[]::new));
    }

    @Test
    void waitWithAMissingPiece_isLeftOut() {
        Wait wait = wait(3, LockId.lock("n".repeat(300)), Mode.exclusive(), List.of());
        LockStatus whole = stored(wait);
        for (int missing = 0; missing < whole.holders().size(); missing++) {
            List<Holder> rest = new ArrayList<>(whole.holders());
            rest.remove(missing);
            assertThat(Records.parse(CLIENT, status(rest)).waits()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "main",
                "1/0/1/",
                "1/0/1/1/2/LOCK/x/t",
                "1/0/1/1/2/NONE/x/t/n",
                "1/0/1/1/2/LOCK/x/t/",
                "1/0/1/1/2/LOCK/x/t/n/LOCK",
                "1/0/1/1/2/SEMAPHORE/p/t/n",
                "1/0/1/1/2/SEMAPHORE//t/n",
                "1/0/1/one/2/LOCK/x/t/n",
                "1/0/1/1/2/LOCK/x/%zz/n",
                "1/0/-1/1/2/LOCK/x/t/n",
                "99999999999999999999/0/1/1/2/LOCK/x/t/n",
            })
    void whatIsNoRecord_isLeftOut(String thread) {
        assertThat(Records.parse(CLIENT, status(List.of(holder(CLIENT + ":1", thread, 1024))))
                        .waits())
                .isEmpty();
    }

    @Test
    void recordOfAnotherClient_isLeftOut() {
        String text = "1/0/1/1/2/LOCK/x/t/n";

        assertThat(Records.parse(CLIENT, status(List.of(holder("other:1", text, 1024))))
                        .waits())
                .isEmpty();
        assertThat(Records.parse(CLIENT, status(List.of(holder(CLIENT + ":1", text, 1024))))
                        .waits())
                .hasSize(1);
    }

    private static Wait wait(long number, LockId id, Mode mode, List<Hold> held) {
        return new Wait(CLIENT, number, id, mode, number, number + 1, number * 7 & ~1023L, "thread 1/2", held);
    }

    private static LockStatus stored(Wait... waits) {
        List<Holder> holders = new ArrayList<>();
        for (Wait wait : waits) {
            List<String> pieces = Records.pieces(wait);
            for (int i = 0; i < pieces.size(); i++) {
                String text = wait.number() + "/" + i + "/" + pieces.size() + "/" + pieces.get(i);
                holders.add(holder(CLIENT + ":" + (holders.size() + 1), text, i == 0 ? wait.order() : 999));
            }
        }
        Collections.reverse(holders);
        return status(holders);
    }

    private static Holder holder(String owner, String thread, long token) {
        return new Holder(owner, PARTY.withThread(thread), Mode.shared(), Duration.ZERO, Duration.ZERO, token);
    }

    private static LockStatus status(List<Holder> holders) {
        return new LockStatus(Records.nameOf(CLIENT), LockKind.READ_WRITE, holders, List.of(), 1);
    }
}
