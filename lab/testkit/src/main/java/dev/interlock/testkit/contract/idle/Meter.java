package dev.interlock.testkit.contract.idle;

import dev.interlock.testkit.store.CountingStore;
import dev.interlock.testkit.store.Verb;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * What one client may ask while nothing happens, and what it has asked: of its store by verb, and of the server in
 * messages. All bounds are upper ones, from the settings and from the time that has passed: a slow machine asks less.
 * Not thread-safe, but for {@link #sent}.
 */
final class Meter {

    /** The last acknowledgements and close messages of what the client did before. */
    private static final int SLACK = 4;

    private final String what;
    private final CountingStore store;
    private final Prices prices;

    /** Messages to the server. */
    final LongAdder sent;

    /** How long it takes a verb at least to be asked this often; not asked at all if it is missing. */
    private final Map<Verb, Rate> rates = new EnumMap<>(Verb.class);

    private final Map<Verb, Long> before = new EnumMap<>(Verb.class);
    private long sentBefore;
    private long startNanos;

    private record Rate(int requests, Duration period) {

        /** The first of them may come at once. */
        long most(Duration elapsed) {
            return requests * (elapsed.dividedBy(period) + 1);
        }
    }

    Meter(String what, CountingStore store, LongAdder sent, Prices prices) {
        this.what = what;
        this.store = store;
        this.sent = sent;
        this.prices = prices;
    }

    /** So many claims wait, each alone in its line. */
    Meter polls(int claims) {
        rates.put(Verb.ACQUIRE, new Rate(claims, prices.poll()));
        return this;
    }

    /** A claim with this lease is held. It is renewed after a third, less a twelfth to join other claims. */
    Meter renews(Duration lease) {
        rates.put(Verb.RENEW, new Rate(1, lease.dividedBy(4)));
        return this;
    }

    /** So many inspections each time. */
    Meter looks(int inspections, Duration period) {
        rates.put(Verb.INSPECT, new Rate(inspections, period));
        return this;
    }

    /** Counts from now on. */
    void start() {
        // First, as the time is the last to be read in the end: it must not be shorter than that of the requests.
        startNanos = System.nanoTime();
        for (Verb verb : Verb.values()) {
            before.put(verb, store.requests(verb));
        }
        sentBefore = sent.sum();
    }

    /** Whether the client and its store have asked no more since the start. */
    boolean keepsBounds() {
        Map<Verb, Long> asked = asked();
        long messages = messages();
        Duration elapsed = elapsed();
        return messages <= mostMessages(elapsed)
                && asked.entrySet().stream().allMatch(each -> each.getValue() <= most(each.getKey(), elapsed));
    }

    private Map<Verb, Long> asked() {
        Map<Verb, Long> asked = new EnumMap<>(Verb.class);
        before.forEach((verb, count) -> asked.put(verb, store.requests(verb) - count));
        return asked;
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    private long most(Verb verb, Duration elapsed) {
        Rate rate = rates.get(verb);
        return rate == null ? 0 : rate.most(elapsed);
    }

    private long mostMessages(Duration elapsed) {
        return most(Verb.ACQUIRE, elapsed) * prices.acquire()
                + most(Verb.RENEW, elapsed) * prices.renew()
                + most(Verb.INSPECT, elapsed) * prices.inspect()
                + (long) Math.ceil(elapsed.toMillis() / 1000.0 * prices.alive())
                + SLACK;
    }

    private long messages() {
        return sent.sum() - sentBefore;
    }

    /** What was asked, of what may be. */
    @Override
    public String toString() {
        Map<Verb, Long> asked = asked();
        long messages = messages();
        Duration elapsed = elapsed();
        String verbs = asked.entrySet().stream()
                .filter(each -> each.getValue() > 0)
                .map(each -> each.getKey() + " " + each.getValue() + " of " + most(each.getKey(), elapsed) + ", ")
                .collect(Collectors.joining());
        return "\n" + what + ": " + verbs + "messages " + messages + " of " + mostMessages(elapsed);
    }
}
