package dev.interlock.spring.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

/** Spring 7 stops the cached context of a test class while another one is used, and starts it again. */
class PausedContextsTest {

    @Test
    void testClasses_mayShareAContext_withAnotherOneBetween() {
        LauncherDiscoveryRequest three = LauncherDiscoveryRequestBuilder.request()
                .selectors(
                        selectClass(PausedContexts.First.class),
                        selectClass(PausedContexts.Second.class),
                        selectClass(PausedContexts.Third.class))
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(three, listener);
        assertThat(listener.getSummary().getFailures())
                .extracting(Failure::getException)
                .isEmpty();
        assertThat(listener.getSummary().getTestsSucceededCount()).isEqualTo(3);
    }
}
