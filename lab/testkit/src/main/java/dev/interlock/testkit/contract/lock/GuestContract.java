package dev.interlock.testkit.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.testkit.Effort;
import dev.interlock.testkit.LiveHeap;
import dev.interlock.testkit.fixture.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A guest in a process and in a store: nothing piles up, nothing hums (I6, P22). How many names P22 uses, says the
 * system property {@value #NAMES} if it is there.
 */
@SuppressWarnings(
        "LockNotBeforeTry") // lock and unlock are what is tested; a failed test leaves its lock to the end of its
// client
interface GuestContract extends LockFixture {

    String NAMES = "interlock.names";

    int USERS = 8;

    /** Whoever keeps anything of each name keeps more than this. */
    int BYTES_OF_A_NAME = 16;

    /** So far the heap grows and shrinks anyhow. */
    int CHANCE = 32 * 1024;

    /** Names of this length, one after the other, would fill the heap by megabytes if anything kept them. */
    int NAME_LENGTH = 500;

    /** How many names are used once each; in the long form a hundred times as many. */
    default int namesUsedOnce() {
        return Effort.pick(storeScale(), 100 * storeScale());
    }

    @Tag(Effort.SCALED)
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    default void P22_manyNames_onceEach_leaveNothingBehind() throws Exception {
        int count = Integer.getInteger(NAMES, namesUsedOnce());
        Interlock client = clients().open();
        String prefix = clients().name();
        String filler = "n".repeat(NAME_LENGTH - prefix.length() - 10);
        // The second time nothing is new: not the verbs, and not the measuring.
        for (String warm : List.of("warm", "hot")) {
            useOnce(client, prefix + warm + filler, Math.min(count, 1000));
            await().untilAsserted(() -> assertThat(LiveHeap.bytes()).isPositive());
        }
        long before = LiveHeap.bytes();

        useOnce(client, prefix + filler, count);

        long limit = CHANCE + (long) count * BYTES_OF_A_NAME;
        await().untilAsserted(() -> assertThat(LiveHeap.bytes() - before)
                .as("growth of the heap, in bytes, after %d names of %d bytes", count, NAME_LENGTH)
                .isLessThan(limit));
        assertThat(client.administration().list(prefix, 10)).isEmpty();
    }

    private static void useOnce(Interlock client, String prefix, int count) {
        List<Caller<Boolean>> users = new ArrayList<>();
        for (int user = 0; user < USERS; user++) {
            int first = user;
            users.add(Caller.startAction(() -> {
                for (int i = first; i < count; i += USERS) {
                    useOnce(client.lock(prefix + i), i % 3 == 0);
                }
            }));
        }
        users.forEach(user -> user.result(Duration.ofDays(1)));
    }

    private static void useOnce(DistributedLock lock, boolean asLock) throws InterruptedException {
        if (asLock) {
            lock.lock();
            lock.unlock();
        } else {
            lock.acquire().close();
        }
    }
}
