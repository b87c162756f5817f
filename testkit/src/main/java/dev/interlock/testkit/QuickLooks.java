package dev.interlock.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets a test that waits for a state look at once, and often in the beginning: most states are there within a few milliseconds, and there are hundreds of waits.
 * The default of Awaitility is to look every 100 ms, for the first time after as long. Found by the launcher as a service.
 */
public final class QuickLooks implements LauncherSessionListener {

    private static final int LONGEST_MILLIS = 64;
    private static final int DOUBLINGS = 6;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval((count, previous) -> pause(count));
    }

    /** The pause before a look: it doubles each time, up to a bound. */
    static Duration pause(int count) {
        return Duration.ofMillis(count > DOUBLINGS ? LONGEST_MILLIS : 1L << count);
    }
}
