package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.ReleaseOutcome;
import dev.interlock.StoreUnavailableException;
import dev.interlock.cli.common.Client;
import dev.interlock.cli.common.Durations;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.spi.LockStore;
import dev.interlock.support.Diagnosable;
import dev.interlock.support.Examination;
import dev.interlock.support.Finding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Examines a store: with a lock, as any client would use it, so that a right that lacks shows; then by what the store
 * itself can say.
 */
final class Examiner {

    static final String APPLICATION = "interlock doctor";

    private static final int SAMPLES = 5;
    private static final Duration LONG_TRIP = Duration.ofMillis(100);

    /** A waiting claim that is woken has its grant long before; one that polls may take longer. */
    private static final Duration WOKEN = Duration.ofMillis(700);

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LISTING = Duration.ofMillis(20);
    private static final Duration SMALL_DIFFERENCE = Duration.ofMillis(100);
    private static final Duration LARGE_DIFFERENCE = Duration.ofSeconds(1);

    /** A refusal comes before this; a server that is silent, or talks otherwise, takes longer. */
    private static final Duration SOON = Duration.ofSeconds(5);

    /** The advice where the message has it. */
    static final String SEE = "see the message";

    private static final String FILE =
            "correct what the message names: the place of the file, its mode or owner, or the"
                    + " room on its disk; or name another file by --store";

    /** What Redis says to everybody while somebody's script runs for long. */
    private static final String BUSY = "BUSY Redis is busy running a script";

    private static final String END_SCRIPT = "end the script by SCRIPT KILL, which works if it has written nothing, and"
            + " let its sender take smaller steps";

    private final StoreUri uri;
    private final String name;
    private final Examination found = new Examination();
    private @Nullable RuntimeException failure;

    /** Whether a server was there, and has refused the first request. */
    private boolean refusesSoon;

    /** @param name of the lock to hold for a moment */
    Examiner(StoreUri uri, String name) {
        this.uri = uri;
        this.name = name;
    }

    /**
     * The findings. What cannot be found out is one, too.
     *
     * @param waiting another client of the same store
     */
    List<Finding> findings(Interlock waiting) throws InterruptedException {
        LockStore store = Client.store(uri);
        try (Interlock client = Client.of(store, APPLICATION)) {
            if (answers(client)) {
                found.attempt("round trip", SEE, () -> roundTrips(store, client));
            } else if (!refusesSoon) {
                // It would not answer anything else either, each time after a long wait.
                return found.findings();
            }
            if (store instanceof Diagnosable diagnosable) {
                found.attempt("server", SEE, () -> diagnosable.diagnose().forEach(found::add));
            }
            found.attempt("listing", failure -> remedy(failure, "ls and top need it; locks do not"), () -> {
                client.administration().list(name, 1);
                found.good("listing", "the names that are held can be listed");
            });
            lock(client, waiting);
        }
        return found.findings();
    }

    /** Why the store could not be asked anything; null if it could. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    private boolean answers(Interlock client) {
        long startNanos = System.nanoTime();
        try {
            client.administration().inspect(name);
            return true;
        } catch (StoreUnavailableException | IllegalStateException | UnsupportedOperationException e) {
            boolean isSoon = System.nanoTime() - startNanos < SOON.toNanos();
            Hosts hosts = Hosts.of(uri);
            boolean isReached = hosts.look(found);
            refusesSoon = isReached && isSoon;
            failure = e;
            // A host that cannot be reached has its own advice: nobody has read the user's name yet.
            String advice = isReached ? hosts.advice(!isSoon) : "";
            found.bad("store", "it cannot be asked: " + message(e), remedy(e, advice));
            return false;
        }
    }

    /** What to do, where the failure itself says it. */
    private String remedy(Exception e, String other) {
        return uri.isFile() ? FILE : message(e).contains(BUSY) ? END_SCRIPT : other;
    }

    /** With that of the innermost cause, since the first may say only that an answer was late. */
    private static String message(Exception e) {
        return e instanceof StoreUnavailableException ? ErrorReporter.withCause(e) : String.valueOf(e.getMessage());
    }

    /** Of the clock where the store tells it, since that is one request. */
    private void roundTrips(LockStore store, Interlock client) {
        List<Duration> trips = new ArrayList<>();
        Duration best = PATIENCE;
        Duration difference = null;
        // The first request of a kind loads classes, too.
        clock(store, client);
        for (int i = 0; i < SAMPLES; i++) {
            Instant sent = Instant.now();
            long startNanos = System.nanoTime();
            Instant server = clock(store, client);
            Duration trip = Duration.ofNanos(System.nanoTime() - startNanos);
            trips.add(trip);
            if (server != null && trip.compareTo(best) < 0) {
                best = trip;
                difference = Duration.between(sent.plus(trip.dividedBy(2)), server);
            }
        }
        Duration median = trips.stream().sorted().toList().get(SAMPLES / 2);
        Duration worst = Collections.max(trips);
        String text = "half of the requests take less than " + Durations.precise(median) + ", the slowest "
                + Durations.precise(worst);
        if (median.compareTo(LONG_TRIP) >= 0) {
            found.warn("round trip", text, "use leases of some seconds at least, or a store that is nearer");
        } else if (worst.compareTo(LONG_TRIP) >= 0) {
            found.note("round trip", text, "look what holds the server or the network up now and then");
        } else {
            found.good("round trip", text);
        }
        if (difference != null) {
            compare(difference, best);
        }
    }

    /** One request; null if the store does not tell its clock. */
    private @Nullable Instant clock(LockStore store, Interlock client) {
        OptionalLong millis = store instanceof Diagnosable diagnosable ? diagnosable.readClock() : OptionalLong.empty();
        if (millis.isPresent()) {
            return Instant.ofEpochMilli(millis.getAsLong());
        }
        client.lock(name).inspect();
        return null;
    }

    /** Of two clocks it is known only that their difference is within half of the round trip. */
    private void compare(Duration difference, Duration trip) {
        Duration apart = difference.abs().minus(trip.dividedBy(2));
        String text = "the server's is " + Durations.precise(difference.abs())
                + (difference.isNegative() ? " behind" : " ahead of") + " this machine's";
        if (apart.compareTo(SMALL_DIFFERENCE) < 0) {
            found.good(
                    "clock",
                    "the server's is that of this machine, within "
                            + Durations.precise(difference.abs().plus(trip.dividedBy(2))));
        } else if (apart.compareTo(LARGE_DIFFERENCE) < 0) {
            found.note("clock", text, "leases end by the server's alone; let NTP set both");
        } else {
            found.warn(
                    "clock",
                    text,
                    "leases end by the server's alone, but a failover moves them to another: let NTP set all");
        }
    }

    private void lock(Interlock client, Interlock waiting) throws InterruptedException {
        Optional<Lease> lease;
        try {
            lease = client.lock(name).tryAcquire();
        } catch (RuntimeException e) {
            found.bad(
                    "lock",
                    "it cannot be acquired: " + message(e),
                    remedy(
                            e,
                            "give the user the rights that the page of this store lists, or name a lock that it may"
                                    + " use by --name"));
            return;
        }
        if (lease.isEmpty()) {
            found.note("lock", "it is held by somebody else", "name another one by --name");
            return;
        }
        found.good("lock", "it was acquired");
        CompletableFuture<Lease> next = waiting.lock(name).acquireAsync().toCompletableFuture();
        boolean listed = awaitWaiter(client);
        long startNanos = System.nanoTime();
        release(lease.get());
        if (listed) {
            await(next, startNanos);
        } else {
            next.cancel(true);
            found.bad("waiting", "a second client could not line up", "-v may say why");
        }
    }

    private boolean awaitWaiter(Interlock client) throws InterruptedException {
        long endNanos = System.nanoTime() + PATIENCE.toNanos();
        while (client.lock(name).inspect().waiters().isEmpty()) {
            if (System.nanoTime() - endNanos > 0) {
                return false;
            }
            Thread.sleep(LISTING.toMillis());
        }
        return true;
    }

    private void await(CompletableFuture<Lease> next, long startNanos) throws InterruptedException {
        try {
            Lease lease = next.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
            release(lease);
            if (took.compareTo(WOKEN) < 0) {
                found.good("waiting", "a second client had it " + Durations.precise(took) + " after the release");
            } else {
                found.warn(
                        "waiting",
                        "a second client had it only " + Durations.precise(took) + " after the release",
                        "waiting clients are not woken: see the rights in the page of this store");
            }
        } catch (ExecutionException e) {
            found.bad("waiting", "a second client did not get it: " + LockStore.causeOf(e), SEE);
        } catch (TimeoutException e) {
            next.cancel(true);
            found.bad(
                    "waiting",
                    "a second client did not get it within " + PATIENCE.toSeconds() + " s",
                    "-v may say why");
        }
    }

    private void release(Lease lease) {
        ReleaseOutcome outcome = lease.release();
        if (outcome.status() != ReleaseOutcome.Status.RELEASED) {
            found.bad("lock", "its release ended with " + outcome.status(), "-v may say why");
        }
    }
}
