package dev.interlock.evidence;

import dev.interlock.testkit.Patience;
import dev.interlock.testkit.process.ChildJvm;
import dev.interlock.testkit.process.ClockAgent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** One subject under one fault: strikes again and again, and lets the clients recover in between. */
final class Trial implements AutoCloseable {

    /** The lease of every library. */
    static final Duration LEASE = Duration.ofSeconds(3);

    /** How long a fault lasts beyond the lease. */
    private static final Duration BEYOND = Duration.ofMillis(1_500);

    /** How long a fault lasts. */
    static final Duration OUTLASTING = LEASE.plus(BEYOND);

    private static final Duration CALM = Duration.ofMillis(300);
    private static final Duration CLOSING = Duration.ofSeconds(20);
    private static final String NAME = "evidence";

    /** In the history, who is struck by a fault that keeps neither a process nor the server from working. */
    private static final int NOBODY = -1;

    private final Subject subject;
    private final Fault fault;
    private final History history = new History();
    private final Resource resource = new Resource(history);
    private final Site site;
    private final List<TrialClient> clients = new ArrayList<>();
    private int numbers;

    private Trial(Subject subject, Fault fault) {
        this.subject = subject;
        this.fault = fault;
        site = subject.store().open(fault.setup());
    }

    /**
     * Runs it.
     *
     * @param strikes the most strikes
     * @param time how long it goes on striking; it strikes at least once
     * @param folder where its history is kept, as {@code subject-fault.history}
     */
    static Findings run(Subject subject, Fault fault, int strikes, Duration time, Path folder) throws Exception {
        try (Trial trial = new Trial(subject, fault)) {
            List<String> leftovers = trial.run(strikes, time);
            trial.history.write(folder.resolve(subject.id() + "-" + fault.id() + ".history"));
            return Checker.check(trial.history.events(), LEASE, leftovers);
        }
    }

    private List<String> run(int strikes, Duration time) throws Exception {
        for (int place = 0; place < Site.CLIENTS; place++) {
            start(place);
        }
        for (TrialClient client : clients) {
            if (!history.await(0, event -> isHold(event, client), Patience.FULL)) {
                throw new IllegalStateException(subject.id() + " does not work without a fault");
            }
        }
        long begun = System.nanoTime();
        try {
            for (int i = 0; i < strikes && System.nanoTime() - begun < time.toNanos(); i++) {
                fault.strike(this);
                recover();
            }
        } catch (NobodyHoldsException e) {
            // The history shows it. Nothing can be struck any more.
        }
        return finish();
    }

    private void start(int place) {
        int number = ++numbers;
        List<String> options = new ArrayList<>(List.of("-Xmx96m", "-Dslf4j.internal.verbosity=ERROR"));
        if (fault == Fault.CLOCK) {
            options.addAll(ClockAgent.options(Duration.ZERO));
        }
        ChildJvm jvm = ChildJvm.start(
                ClientMain.class,
                options,
                List.of(
                        subject.id(),
                        site.uri(place),
                        NAME,
                        LEASE.toString(),
                        Integer.toString(resource.port()),
                        Integer.toString(number)));
        clients.add(new TrialClient(number, place, jvm));
    }

    Site site() {
        return site;
    }

    /** The ids of the processes that ask for the lock. */
    List<Long> pids() {
        return clients.stream().map(client -> client.jvm().pid()).toList();
    }

    /** A process that holds the lock, and goes on with its work until it is told otherwise. Each in turn. */
    TrialClient holder() throws InterruptedException, NobodyHoldsException {
        TrialClient chosen = clients.remove(0);
        clients.add(chosen);
        int from = history.size();
        chosen.stay();
        if (!history.await(from, event -> event.client() == chosen.number() && event.what() == What.STAYS, grace())) {
            throw new NobodyHoldsException();
        }
        return chosen;
    }

    void strikes(TrialClient client) {
        history.add(client.number(), What.STRIKES);
    }

    void strikesServer() {
        history.add(0, What.STRIKES);
    }

    void healed(TrialClient client, boolean hit) {
        healed(client.number(), hit);
    }

    void healedServer(boolean hit) {
        healed(0, hit);
    }

    /** A fault begins that keeps nobody from working: no delay is excused by it. */
    void strikesNobody() {
        history.add(NOBODY, What.STRIKES);
    }

    /** It is over. */
    void healedNobody(boolean hit) {
        healed(NOBODY, hit);
    }

    private void healed(int client, boolean hit) {
        history.add(client, What.HEALED);
        if (hit) {
            history.add(client, What.HIT);
        }
    }

    void kill(TrialClient client) {
        client.kill();
        history.add(client.number(), What.KILLED);
    }

    /** Starts another process in the place of a killed one. */
    void replace(TrialClient killed) {
        clients.remove(killed);
        start(killed.place());
    }

    /** Waits for longer than a lease lasts. */
    void outlast() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(OUTLASTING.toNanos());
    }

    /** The place in the history where what comes next begins. */
    int mark() {
        return history.size();
    }

    /** Waits until this process has done something: so it goes on with the work that it was at. */
    void awaitStep(TrialClient client, int from) throws InterruptedException {
        history.await(from, event -> event.client() == client.number() && event.what() != What.HEALED, grace());
    }

    /** Waits until another process has written than this one, which is stopped. */
    void awaitSuccessor(TrialClient holder, int from) throws InterruptedException {
        history.await(from, event -> event.client() != holder.number() && isWrite(event), grace());
    }

    /** Waits until a process gets the lock: whoever has it then got it after this call. */
    void awaitNextHold() throws InterruptedException {
        history.await(mark(), event -> event.what() == What.HOLDS, grace());
    }

    void await(Callable<Boolean> state) throws Exception {
        long begun = System.nanoTime();
        while (!state.call()) {
            if (System.nanoTime() - begun > Patience.FULL.toNanos()) {
                throw new IllegalStateException("The fault does not strike: " + fault.id());
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Until each process has had the lock since, or has had more time than it should need. */
    private void recover() throws InterruptedException {
        long begun = System.nanoTime();
        int from = history.size();
        for (TrialClient client : clients) {
            if (!client.jvm().isAlive()) {
                throw new IllegalStateException("A client has ended by itself: " + client);
            }
            Duration left = grace().minusNanos(System.nanoTime() - begun);
            history.await(from, event -> isHold(event, client), left.isNegative() ? Duration.ZERO : left);
        }
        TimeUnit.NANOSECONDS.sleep(CALM.toNanos());
    }

    /** Lets all processes end; what they have left behind a lease and a second later. */
    private List<String> finish() throws Exception {
        List<TrialClient> present = List.copyOf(clients);
        present.forEach(client -> client.jvm().send("finish"));
        long begun = System.nanoTime();
        for (TrialClient client : present) {
            Duration left = grace().minusNanos(System.nanoTime() - begun);
            boolean leaves = history.await(
                    0,
                    event -> event.client() == client.number() && event.what() == What.LEAVES,
                    left.isNegative() ? Duration.ZERO : left);
            end(client, leaves);
        }
        TimeUnit.NANOSECONDS.sleep(LEASE.plusSeconds(1).toNanos());
        return site.leftovers();
    }

    /** One that still waits, or does not close, is killed. */
    private void end(TrialClient client, boolean leaves) {
        if (leaves) {
            try {
                client.jvm().await("closed", CLOSING);
            } catch (AssertionError e) {
                client.kill();
            }
        } else {
            kill(client);
        }
        client.jvm().close();
        clients.remove(client);
    }

    private static boolean isHold(Event event, TrialClient client) {
        return event.client() == client.number() && event.what() == What.HOLDS;
    }

    private static boolean isWrite(Event event) {
        return event.what() == What.WROTE || event.what() == What.REFUSED;
    }

    /** How long a process may wait until it gets the lock, with the server well. */
    private static Duration grace() {
        return LEASE.plus(Checker.GRACE).plusMillis(200);
    }

    @Override
    public void close() {
        clients.forEach(client -> client.jvm().close());
        resource.close();
        site.close();
    }
}
