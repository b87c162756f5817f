package dev.interlock.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets tests that wait for a state look for it a hundred times a second. Awaitility looks for the first time after 100 ms, and tests wait thousands of times.
 *
 * <p>JUnit finds this extension by itself, where {@code junit.jupiter.extensions.autodetection.enabled} is set, as the build does.
 */
public final class AwaitPace implements BeforeAllCallback {

    private static final Duration PACE = Duration.ofMillis(10);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollInterval(PACE);
    }
}
