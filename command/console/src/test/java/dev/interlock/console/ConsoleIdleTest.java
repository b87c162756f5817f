package dev.interlock.console;

import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.memory.MemoryStore;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.IdleCosts;
import dev.interlock.testkit.store.Verb;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a console asks that nobody looks at: it writes the history all the same, with one listing each second. */
@Tag(Effort.TIMING)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConsoleIdleTest {

    private static final Duration PERIOD = Duration.ofSeconds(1);

    @Test
    void consoleNobodyLooksAt_listsEachSecond() throws Exception {
        IdleCosts costs = new IdleCosts();
        try (MemoryStore store = new MemoryStore();
                Interlock user = Interlock.builder(store.session()).build()) {
            CountingStore counted = costs.expect("a console", 1, new CountingStore(store.session()));
            var unusedHeld = user.lock("held").acquire();
            var unusedWait = user.lock("held").acquireAsync();
            Console console = new Consoles()
                    .client("memory", Interlock.builder(counted).build(), false)
                    .period(PERIOD)
                    .start();
            try {
                await("the console looks").until(() -> counted.requests(Verb.LIST) > 0);
                costs.measure();
            } finally {
                console.close();
            }
        }
    }
}
