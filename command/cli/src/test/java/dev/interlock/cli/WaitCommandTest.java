package dev.interlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedLatch;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.testkit.server.RedisServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code wait}: it ends when nobody holds the name, and takes nothing. */
final class WaitCommandTest {

    @TempDir
    private Path directory = Path.of(".");

    private Cli cli = new Cli(directory);
    private String store = "";

    @BeforeEach
    void newStore() {
        store = StoreUri.sqlite(directory.resolve("locks.db")).value();
        cli = new Cli(directory).with(DefaultStore.VARIABLE, store);
    }

    @Test
    void aFreeName_isNotWaitedFor_norTaken() {
        assertThat(wait("job").exited(0)).isEqualTo(new Cli.Result(0, "", ""));

        try (Interlock interlock = Interlock.connect(store)) {
            assertThat(interlock.administration().inspect("job")).isEmpty();
        }
    }

    @Test
    void aHeldName_isBusy_whenTheWaitIsOver() throws InterruptedException {
        try (Interlock interlock = Interlock.connect(store);
                Lease lease = interlock.lock("job").acquire()) {
            wait("-n", "job").exited(75);
            wait("-w", "120ms", "job").exited(75);
            assertThat(wait("-n", "-E", "3", "-v", "job").exited(3).errorLines())
                    .containsExactly("interlock: waiting for 'job'", "interlock: 'job' is busy");
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void aRelease_endsTheWait() throws InterruptedException {
        try (Interlock interlock = Interlock.connect(store)) {
            Lease lease = interlock.lock("job").acquire();
            Cli.Running waiting = cli.start("wait", "-v", "job");
            waiting.awaitError("waiting for 'job'");
            assertThat(waiting.process().isAlive()).isTrue();

            lease.release();

            waiting.result().exited(0);
        }
    }

    /** One permit of several, a share, or a count that is not zero: somebody may still be at work. */
    @Test
    void otherKinds_areFreeWhenNothingIsHeld() throws InterruptedException {
        try (Interlock interlock = Interlock.connect(store)) {
            DistributedLatch latch = interlock.latch("ready");
            latch.trySetCount(1);
            Lease permit = interlock.semaphore("slots", 4).acquire(1);
            Lease share = interlock.readWriteLock("book").readLock().acquire();
            for (String name : List.of("ready", "slots", "book")) {
                wait("-n", name).exited(75);
            }

            latch.countDown();
            permit.release();
            share.release();

            for (String name : List.of("ready", "slots", "book")) {
                wait("-n", name).exited(0);
            }
        }
    }

    @Test
    void aStoreThatIsGoneForAWhile_isAskedAgain() {
        try (RedisServer server = RedisServer.start();
                Interlock interlock = Interlock.connect(server.uri())) {
            interlock.lock("job").lock();
            Cli.Running waiting = cli.start("wait", "-v", "--store", server.uri(), "job");
            waiting.awaitError("waiting for 'job'");
            server.kill();
            waiting.awaitError("the store is unavailable");

            // It holds nothing any more.
            server.restart();

            waiting.result().exited(0);
        }
    }

    private Cli.Result wait(String... arguments) {
        String[] all = new String[arguments.length + 3];
        all[0] = "wait";
        all[1] = "--store";
        all[2] = store;
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return InProcess.run(all);
    }
}
