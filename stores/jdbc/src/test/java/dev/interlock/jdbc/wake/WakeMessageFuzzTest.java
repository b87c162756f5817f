package dev.interlock.jdbc.wake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Wake;
import dev.interlock.testkit.fuzz.Fuzz;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What anybody may send to a socket beside a file, or to a channel of PostgreSQL. */
class WakeMessageFuzzTest {

    @Test
    void message() {
        Fuzz.of(
                        "SQL wake",
                        WakeMessage.of(LockId.lock("orders:42"), "0b5e2b0a-0000-4000-8000-000000000001:7"),
                        WakeMessage.of(new LockId("\ud83d\ude00 \n", LockKind.LATCH), "x"))
                .words("LOCK ", "READ_WRITE ", "SEMAPHORE ", "LATCH ", "=", "_-", "//8")
                .run(input -> {
                    Optional<Wake> wake = WakeMessage.parse(input);
                    wake.ifPresent(read -> assertThat(read.owner()).isNotNull());
                    return wake.isPresent();
                });
    }
}
