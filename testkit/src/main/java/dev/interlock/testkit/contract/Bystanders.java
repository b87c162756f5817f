package dev.interlock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The threads that were there before, and those that the JVM starts for itself: whoever else is alive later was left
 * behind.
 */
final class Bystanders {

    /** Threads of the JVM and of the test runner, shared by all and started when first needed. */
    private static final Pattern SHARED = Pattern.compile(
            "(ForkJoinPool\\.commonPool|CompletableFutureDelayScheduler|junit|awaitility|surefire|Attach|process reaper"
                    + "|Cleaner|Common-Cleaner|VirtualThread|Read-Poller|Write-Poller|ForkJoinPool-|hiccups|caller|JFR|RMI).*");

    private final Set<Long> before = alive().stream().map(Thread::getId).collect(Collectors.toSet());

    /** Waits until no other thread is left. */
    void awaitNoOthers() {
        await().untilAsserted(() -> assertThat(others()).isEmpty());
    }

    private List<String> others() {
        return alive().stream()
                .filter(thread -> !before.contains(thread.getId()))
                .map(Thread::getName)
                .filter(name -> !SHARED.matcher(name).matches())
                .toList();
    }

    private static Set<Thread> alive() {
        return Thread.getAllStackTraces().keySet();
    }
}
