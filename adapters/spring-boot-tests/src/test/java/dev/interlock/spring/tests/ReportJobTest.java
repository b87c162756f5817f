package dev.interlock.spring.tests;

import static dev.interlock.test.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.LockLostException;
import dev.interlock.LossCause;
import dev.interlock.StoreUnavailableException;
import dev.interlock.annotation.Locked;
import dev.interlock.spring.LockedJob;
import dev.interlock.spring.boot.InterlockAutoConfiguration;
import dev.interlock.test.InterlockTest;
import dev.interlock.test.InterlockTestAutoConfiguration;
import dev.interlock.test.Locks;
import dev.interlock.test.TestClock;
import dev.interlock.test.TestStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** {@code interlock-test} in an application: also the example of docs/testing.md. */
@SpringBootTest(
        classes = ReportJobTest.Application.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = "interlock.uri=memory:")
@InterlockTest
class ReportJobTest {

    @Autowired
    private ReportJob job;

    @Test
    void busy_isSkipped(Locks locks) {
        locks.hold("report");

        assertThat(job.report()).isEmpty();

        assertThatLock("report").wasNeverAcquired();
    }

    @Test
    void lostWhileItWorks_isReported(Locks locks) {
        job.workIs(() -> locks.lose("report", LossCause.DELETED));

        assertThatThrownBy(() -> job.report()).isInstanceOf(LockLostException.class);
    }

    @Test
    void storeIsDown_isReported(TestStore store) {
        store.silent();

        assertThatThrownBy(() -> job.report()).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void free_runsUnderTheLock() {
        job.workIs(() -> assertThatLock("report").isHeldByThisThread());

        assertThat(job.report()).contains("done");
        assertThatLock("report").isFree().wasAcquired(1);
    }

    @Test
    void parametersAreTheBeans(
            Interlock interlock,
            Locks locks,
            TestStore store,
            TestClock clock,
            @Autowired Interlock client,
            @Autowired Locks lockBean,
            @Autowired TestStore storeBean,
            @Autowired TestClock clockBean) {
        assertThat(interlock).isSameAs(client);
        assertThat(locks).isSameAs(lockBean);
        assertThat(store).isSameAs(storeBean);
        assertThat(clock).isSameAs(clockBean);
    }

    @Test
    void theAutoConfiguration_isFoundByBoot() {
        assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
                .contains(InterlockTestAutoConfiguration.class.getName());
    }

    @AfterEach
    void forget() {
        job.workIs(() -> {});
        Thread.interrupted();
    }

    // ---- what must fail

    private static List<String> failures(Class<?> tests) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(tests))
                                .build(),
                        listener);
        return listener.getSummary().getFailures().stream()
                .map(failure -> String.valueOf(failure.getException().getMessage()))
                .toList();
    }

    @SpringBootTest(
            classes = Application.class,
            webEnvironment = SpringBootTest.WebEnvironment.NONE,
            properties = "interlock.uri=redis://localhost:1")
    @InterlockTest
    static class WithoutTheProperty {

        @Test
        void wantsLocks(Locks locks) {
            locks.hold("report");
        }
    }

    @Test
    void withoutTheProperty_theMessageSaysWhatToSet() {
        assertThat(failures(WithoutTheProperty.class))
                .singleElement()
                .asString()
                .contains("interlock.uri=memory:");
    }

    @SpringBootTest(
            classes = {Application.class, WithItsOwnClient.Client.class},
            webEnvironment = SpringBootTest.WebEnvironment.NONE,
            properties = "interlock.uri=memory:")
    @InterlockTest
    static class WithItsOwnClient {

        @Test
        void wantsLocks(Locks locks) {
            locks.hold("report");
        }

        @Configuration
        static class Client {

            @Bean
            Interlock mine() {
                return Interlock.inMemory();
            }
        }
    }

    @Test
    void besideAClientOfTheApplication_theMessageNamesIt() {
        assertThat(failures(WithItsOwnClient.class))
                .singleElement()
                .asString()
                .contains("[mine]", "leave these beans out");
    }

    /** Its tests leave what they should not, and each finds nothing of the one before. */
    @SpringBootTest(
            classes = Application.class,
            webEnvironment = SpringBootTest.WebEnvironment.NONE,
            properties = "interlock.uri=memory:")
    @InterlockTest
    static class Leaving {

        @Autowired
        private ReportJob job;

        @RepeatedTest(2)
        void leavesToLapse() {
            assertThat(job.nightly()).contains("done");
            assertThatLock("nightly").isHeld();
        }

        @RepeatedTest(2)
        void leaks(Interlock interlock) {
            assertThat(interlock.lock("leak").tryLock()).isTrue();
            assertThat(interlock.lock("leak").tryLock()).isTrue();
            assertThat(interlock.readWriteLock("leak too").readLock().tryLock()).isTrue();
        }

        @RepeatedTest(2)
        void doesNotUnlockWhatItHasLost(Interlock interlock, Locks locks) {
            assertThat(interlock.lock("lost").tryLock()).isTrue();
            locks.lose("lost", LossCause.DELETED);
        }
    }

    @Test
    void whatATestLeaves_isNotInTheNext() {
        assertThat(failures(Leaving.class)).hasSize(2).allSatisfy(failure -> assertThat(failure)
                .contains("Still held", "'leak' by thread", "'leak too' by thread"));
    }

    @Configuration
    @ImportAutoConfiguration({InterlockTestAutoConfiguration.class, InterlockAutoConfiguration.class})
    static class Application {

        @Bean
        ReportJob reportJob() {
            return new ReportJob();
        }
    }

    /** The code under test. */
    static class ReportJob {

        private Runnable work = () -> {};

        public void workIs(Runnable newWork) {
            work = newWork;
        }

        @Locked(value = "report", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP)
        public Optional<String> report() {
            work.run();
            return Optional.of("done");
        }

        @LockedJob(name = "nightly", lockAtLeastFor = "5m")
        public Optional<String> nightly() {
            return Optional.of("done");
        }
    }
}
