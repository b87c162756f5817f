package dev.interlock.testkit;

import dev.interlock.StoreUnavailableException;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Makes {@link Patience} the default of every test JVM that has the test kit on its class path. A condition that cannot
 * be evaluated because the store did not answer in time is not met yet.
 */
public final class PatientTests implements LauncherSessionListener {

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(Patience.limit());
        Awaitility.ignoreExceptionByDefault(StoreUnavailableException.class);
    }
}
