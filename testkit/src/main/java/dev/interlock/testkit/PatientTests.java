package dev.interlock.testkit;

import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Makes {@link Patience} the default of every test JVM that has the test kit on its class path. */
public final class PatientTests implements LauncherSessionListener {

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(Patience.limit());
    }
}
