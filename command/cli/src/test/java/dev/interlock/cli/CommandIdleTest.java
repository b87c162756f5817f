package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.RedisServer;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What commands that wait send to their server, as a proxy counts it. */
@Tag(Effort.TIMING)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CommandIdleTest {

    private static final int SECONDS = 10;

    /**
     * A look inspects the name as each of four kinds, one after the other. The looks become as rare as one a second.
     */
    private static final int LOOKS = 4;

    /** A look at the beginning, or a poll, and an answer to what came before. */
    private static final int SLACK = 6;

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void commandsThatWait_sendNoMoreThanTheirPolls() throws Exception {
        LongAdder ofWait = new LongAdder();
        LongAdder ofRun = new LongAdder();
        try (RedisServer server = RedisServer.start();
                FaultProxy waitProxy = counting(server, ofWait);
                FaultProxy runProxy = counting(server, ofRun);
                Interlock holding = Interlock.connect(server.uri())) {
            Lease held = holding.lock("job").acquire();
            Cli cli = new Cli(directory);
            Cli.Running waits = cli.start("wait", "-v", "--store", server.uriAt(waitProxy.port()), "job");
            Cli.Running runs = cli.start("run", "--store", server.uriAt(runProxy.port()), "job", "--", "true");
            // By then its looks are a second apart.
            await().until(() -> ofWait.sum() > 6 * LOOKS);
            await().until(() -> !holding.lock("job").inspect().waiters().isEmpty());

            long waitBefore = ofWait.sum();
            long runBefore = ofRun.sum();
            long startNanos = System.nanoTime();
            Thread.sleep(SECONDS * 1_000L);
            long sentByWait = ofWait.sum() - waitBefore;
            long sentByRun = ofRun.sum() - runBefore;
            double seconds = (System.nanoTime() - startNanos) / 1e9;

            assertThat((double) sentByWait).as("wait").isLessThanOrEqualTo(LOOKS * seconds + SLACK);
            // The caller polls each second, less a random part of up to a quarter.
            assertThat((double) sentByRun).as("run").isLessThanOrEqualTo(seconds * 4 / 3 + SLACK);
            held.release();
            waits.result();
            runs.result().exited(0);
        }
    }

    private static FaultProxy counting(RedisServer server, LongAdder sent) {
        return FaultProxy.to("127.0.0.1", server.port(), () -> chunk -> {
            sent.increment();
            return chunk;
        });
    }
}
