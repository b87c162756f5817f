package dev.interlock.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.testkit.fuzz.Fuzz;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records of waits, which any client may have written. Each input is a line for each piece. */
class RecordsFuzzTest {

    private static final String CLIENT = "0b5e2b0a-0000-4000-8000-000000000001";

    @Test
    void records() {
        Fuzz.of(
                        "deadlock records",
                        "3/0/1/5/9/LOCK/x/main/orders%3A42/READ_WRITE/s/17/other",
                        "4/0/2/5/9/SEMAPHORE/2-3/ma\n4/1/2/in/s/LOCK/x/9/n",
                        "1/0/1/-5/9223372036854775807/LATCH/x/t/n")
                .words("LOCK", "READ_WRITE", "SEMAPHORE", "LATCH", "/", "/x/", "/s/", "1-2", "%2F")
                .regressions("3/0/1/5/9/SEMAPHORE/2-0/main/n", "3/0/1/5/9/SEMAPHORE/0-2/main/n")
                .run(input -> {
                    List<LockStatus.Holder> holders = new ArrayList<>();
                    for (String piece : input.split("\n", -1)) {
                        holders.add(new LockStatus.Holder(
                                CLIENT + ":" + (holders.size() + 1),
                                new Party("host", 7, "app", piece),
                                Mode.shared(),
                                Duration.ZERO,
                                Duration.ofSeconds(9),
                                1024L * (holders.size() + 1)));
                    }
                    LockStatus status =
                            new LockStatus(Records.nameOf(CLIENT), LockKind.READ_WRITE, holders, List.of(), 1);
                    List<Wait> waits = Records.parse(CLIENT, status).waits();
                    for (Wait wait : waits) {
                        assertThat(wait.client()).isEqualTo(CLIENT);
                        if (wait.mode() instanceof Mode.Permits permits) {
                            assertThat(permits.count()).isPositive();
                            assertThat(permits.capacity()).isPositive();
                        }
                    }
                    return !waits.isEmpty();
                });
    }
}
