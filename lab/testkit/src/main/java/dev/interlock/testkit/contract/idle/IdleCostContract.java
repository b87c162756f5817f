package dev.interlock.testkit.contract.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Candidacy;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LockOptions;
import dev.interlock.LockStatus;
import dev.interlock.StoreUnavailableException;
import dev.interlock.barrier.DistributedBarrier;
import dev.interlock.spi.Capability;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.Patience;
import dev.interlock.testkit.fixture.LockClients;
import dev.interlock.testkit.server.FaultProxy;
import dev.interlock.testkit.server.Tap;
import dev.interlock.testkit.store.CountingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What clients ask while nothing happens, on each path on which they wait or hold, with the settings that applications
 * have by default: of the store by verb, and of the server in messages, which a proxy counts. The test of a store
 * inherits this class, and says what its server gets for each request. All are measured at once, each with a client and
 * a connection of its own.
 *
 * <p>Only upper bounds, for the time that has passed; no time-out of the engine strikes. So a slow machine changes
 * nothing.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class IdleCostContract {

    /** Long enough for a dozen polls, and for one renewal, but not for three. */
    private static final Duration WINDOW = Duration.ofSeconds(10);

    /**
     * What costs too much does so in each of them. A machine that stands still for seconds may cost a session in one:
     * then claims enter anew.
     */
    private static final int WINDOWS = 3;

    /** A claim polls until it can be woken. */
    private static final Duration SETTLING = Duration.ofSeconds(20);

    private static final Duration MOMENT = Duration.ofSeconds(1);

    /** Callers of one client, which share a claim. */
    private static final int CALLERS = 100;

    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration BARRIER_LOOKS = Duration.ofSeconds(1);

    private LockClients clients;
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<Meter> meters = new ArrayList<>();
    private final List<Candidacy> candidacies = new ArrayList<>();

    /** The port of the server on loopback; 0 if the store has none. */
    protected abstract int serverPort();

    /** Opens a client of the same shared data, whose server it reaches on this port of loopback. */
    protected abstract LockStore openStore(int port);

    /** What the store costs. */
    protected abstract Prices prices();

    @BeforeEach
    final void begin() {
        clients = new LockClients(() -> openStore(serverPort()));
    }

    @AfterEach
    final void closeAll() {
        candidacies.forEach(Candidacy::leave);
        clients.closeAll();
        proxies.forEach(FaultProxy::close);
    }

    @Test
    public void nothingHappens_costsNoMoreThanTheSettingsSay() throws Exception {
        Interlock other = clients.open();
        client("a client at rest", meter -> meter)
                .lock(clients.name())
                .acquire()
                .close();
        holders();
        waiters(other);
        readersAndWriters(other);
        permitsAndLatches(other);
        elections();
        barrier(other);

        settle();
        boolean kept = false;
        for (int i = 0; i < WINDOWS && !kept; i++) {
            meters.forEach(Meter::start);
            Thread.sleep(WINDOW.toMillis());
            kept = meters.stream().allMatch(Meter::keepsBounds);
        }
        assertThat(kept).as("%s", meters).isTrue();
    }

    private void holders() throws InterruptedException {
        var unusedLease = client("a holder", meter -> meter.renews(LEASE))
                .lock(clients.name())
                .acquire();
        Interlock retaining = client("a retained lock", meter -> meter.renews(LEASE));
        if (retaining.capabilities().contains(Capability.RETENTION)) {
            retaining
                    .lock(clients.name(), options -> options.retained(Patience.FULL))
                    .acquire()
                    .close();
        }
    }

    private void waiters(Interlock other) throws InterruptedException {
        String name = clients.name();
        var unusedLock = other.lock(name).acquire();
        Interlock plain = client("callers of a lock", meter -> meter.polls(1));
        call(CALLERS, () -> plain.lock(name).acquireAsync(), other.lock(name)::inspect);

        String inOrder = clients.name();
        LockOptions fair = LockOptions.builder().fair(true).build();
        var unusedFair = other.lock(inOrder, fair).acquire();
        Interlock first = client("a caller of a fair lock", meter -> meter.polls(1));
        call(1, () -> first.lock(inOrder, fair).acquireAsync(), other.lock(inOrder)::inspect);
    }

    private void readersAndWriters(Interlock other) throws InterruptedException {
        String written = clients.name();
        var unusedWriter = other.readWriteLock(written).writeLock().acquire();
        Interlock readers = client("readers behind a writer", meter -> meter.polls(1));
        call(
                CALLERS,
                () -> readers.readWriteLock(written).readLock().acquireAsync(),
                other.readWriteLock(written)::inspect);

        String read = clients.name();
        var unusedReader = other.readWriteLock(read).readLock().acquire();
        Interlock writers = client("writers behind a reader", meter -> meter.polls(1));
        call(CALLERS, () -> writers.readWriteLock(read).writeLock().acquireAsync(), other.readWriteLock(read)::inspect);
    }

    private void permitsAndLatches(Interlock other) throws InterruptedException {
        String permits = clients.name();
        var unusedPermit = other.semaphore(permits, 1).acquire();
        Interlock semaphore = client("callers of a semaphore", meter -> meter.polls(1));
        call(CALLERS, () -> semaphore.semaphore(permits, 1).acquireAsync(), other.semaphore(permits, 1)::inspect);

        String zero = clients.name();
        other.latch(zero).trySetCount(1);
        Interlock latch = client("callers of a latch", meter -> meter.polls(1));
        call(CALLERS, () -> latch.latch(zero).awaitAsync(), other.latch(zero)::inspect);
    }

    private void elections() {
        String office = clients.name();
        Interlock leader = client("a leader", meter -> meter.renews(LEASE));
        Candidacy leads = leader.election(office).join(IdleCostContract::lead);
        candidacies.add(leads);
        await().until(leads::isLeader);
        Interlock candidate = client("a candidate", meter -> meter.polls(1));
        candidacies.add(candidate.election(office).join(IdleCostContract::lead));
        awaitWaiter(leader.election(office)::inspect);
        CountingStore asked = store("an observer", meter -> meter.looks(1, pollCap()));
        var unusedObservation = client(asked).election(office).observe(status -> {});
    }

    /** A party waits for a latch, holds permits, and looks: two counts, and the roster. */
    private void barrier(Interlock other) {
        String name = clients.name();
        IntSupplier waiting = DistributedBarrier.of(other, name, 3)::waiting;
        for (int party = 1; party <= 2; party++) {
            int arrived = party;
            Interlock client = client(
                    "party " + party + " of a barrier",
                    meter -> meter.polls(1).renews(LEASE).looks(3, BARRIER_LOOKS.multipliedBy(arrived)));
            var unusedParty = DistributedBarrier.of(client, name, 3).awaitAsync();
            await().until(() -> waiting.getAsInt() == arrived);
        }
    }

    private static void lead(Lease leadership) throws InterruptedException {
        Thread.sleep(Patience.limit().toMillis());
    }

    private Duration pollCap() {
        try (LockStore store = openStore(serverPort())) {
            return store.pollCap();
        }
    }

    /** Waits so many times. The others come when the first is listed: no caller asks whether there are permits. */
    private static void call(int callers, Supplier<CompletionStage<?>> call, Supplier<LockStatus> status) {
        var unusedFirst = call.get();
        awaitWaiter(status);
        for (int i = 1; i < callers; i++) {
            var unusedCall = call.get();
        }
    }

    private static void awaitWaiter(Supplier<LockStatus> status) {
        await().until(() -> status.get().waiters().size() == 1);
    }

    private Interlock client(String what, Function<Meter, Meter> bounds) {
        return client(store(what, bounds));
    }

    /** A client that is connected: no first request is given up, and released later. */
    private Interlock client(LockStore store) {
        Interlock client = clients.open(store, settings -> settings);
        await().ignoreException(StoreUnavailableException.class)
                .until(() -> !client.lock(clients.name()).isLocked());
        return client;
    }

    private CountingStore store(String what, Function<Meter, Meter> bounds) {
        LongAdder sent = new LongAdder();
        CountingStore store = new CountingStore(openStore(serverPort() == 0 ? 0 : counting(sent)));
        meters.add(bounds.apply(new Meter(what, store, sent, prices())));
        return store;
    }

    /** The port of a proxy that counts. */
    private int counting(LongAdder sent) {
        Tap tap = () -> chunk -> {
            sent.increment();
            return chunk;
        };
        FaultProxy proxy = FaultProxy.to("127.0.0.1", serverPort(), tap);
        proxies.add(proxy);
        return proxy.port();
    }

    /** Returns when all clients have kept their bounds for a moment, or too late: then the measurement says so. */
    private void settle() throws InterruptedException {
        long startNanos = System.nanoTime();
        boolean settled = false;
        while (!settled && System.nanoTime() - startNanos < SETTLING.toNanos()) {
            meters.forEach(Meter::start);
            Thread.sleep(MOMENT.toMillis());
            settled = meters.stream().allMatch(Meter::keepsBounds);
        }
    }
}
