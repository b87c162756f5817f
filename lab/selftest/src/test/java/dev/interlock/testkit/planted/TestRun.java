package dev.interlock.testkit.planted;

import dev.interlock.testkit.Patience;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The process that runs the tests of classes, as a default build does, until the first fails. */
final class TestRun implements TestExecutionListener {

    /** Exit codes: all tests have passed, or one has not, or there was none. */
    static final int PASSED = 0;

    static final int FAILED = 3;
    static final int EMPTY = 4;

    /** What is awaited, and has not come then, does not come. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private int passed;

    private TestRun() {}

    /** Runs the tests of the classes that are named. */
    public static void main(String[] arguments) {
        TestRun run = new TestRun();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Stream.of(arguments)
                        .map(DiscoverySelectors::selectClass)
                        .toList())
                .filters(TagFilter.excludeTags("long", "wide", "timing"))
                .build();
        Patience.limit(PATIENCE);
        LauncherFactory.create().execute(request, run);
        System.exit(run.passed > 0 ? PASSED : EMPTY);
    }

    /** Ends the process: what else fails does not matter. */
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            Throwable cause = result.getThrowable().orElse(null);
            if (cause != null) {
                cause.printStackTrace();
            }
            if (test.getParentId().isEmpty()) {
                // The engine could not load the class, which says nothing of the mistake.
                System.exit(EMPTY);
            }
            System.out.println("SEEN by " + test.getDisplayName() + ": " + firstLine(cause));
            System.exit(FAILED);
        } else if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
            passed++;
        }
    }

    private static String firstLine(@Nullable Throwable cause) {
        return String.valueOf(cause)
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse("");
    }
}
