package dev.interlock.testkit.control;

import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.contract.lock.DistributedLockContract;
import dev.interlock.testkit.contract.store.LockStoreContract;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs single tests of the contracts against a store, as JUnit would. */
final class ContractRuns {

    private static volatile Function<MemoryStore, LockStore> opener = DelegatingStore::new;

    private ContractRuns() {}

    /** The names of the tests that failed, of these; none waits for an outcome longer than {@code patience}. */
    static Set<String> failures(
            Class<?> contract, Function<MemoryStore, LockStore> store, Duration patience, String... methods) {
        opener = store;
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (String method : methods) {
            request.selectors(DiscoverySelectors.selectMethod(contract, method));
        }
        Outcomes outcomes = new Outcomes();
        LauncherDiscoveryRequest built = request.build();
        Patience.limit(patience);
        try {
            LauncherFactory.create().execute(built, outcomes);
        } finally {
            Patience.limit(Patience.FULL);
        }
        if (outcomes.finished.get() != methods.length) {
            throw new AssertionError("Asked for " + methods.length + " tests, " + outcomes.finished + " ran");
        }
        return outcomes.failed;
    }

    private static final class Outcomes implements TestExecutionListener {
        final AtomicInteger finished = new AtomicInteger();
        final Set<String> failed = new LinkedHashSet<>();

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (!test.isTest()) {
                return;
            }
            finished.incrementAndGet();
            if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                String name = test.getDisplayName();
                failed.add(name.substring(0, name.indexOf('(')));
            }
        }
    }

    /** The verbs' contract on the store of this run. Not found by the build itself: it is not a top-level class. */
    static final class OfStore extends LockStoreContract {
        private final MemoryStore shared = new MemoryStore();

        @Override
        protected LockStore openStore() {
            return opener.apply(shared);
        }
    }

    /** The locks' contract on the store of this run. */
    static final class OfLock extends DistributedLockContract {
        private final MemoryStore shared = new MemoryStore();

        @Override
        protected LockStore openStore() {
            return opener.apply(shared);
        }
    }
}
