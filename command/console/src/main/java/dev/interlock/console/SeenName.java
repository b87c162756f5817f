package dev.interlock.console;

import dev.interlock.LockStatus;
import dev.interlock.Party;
import dev.interlock.spi.LockKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A name in use, as one kind of lock, as a look has seen it. Immutable.
 *
 * @param key the name and the kind
 * @param count the capacity of a semaphore, the rest of a latch, else 1
 * @param holders the holders, the one that has held longest first
 * @param waiters the waiting claims, the one that has waited longest first
 */
record SeenName(Key key, int count, List<SeenClaim> holders, List<SeenClaim> waiters) {

    /** The thread of a candidate, as the module of elections calls it, with the name behind. */
    private static final String CANDIDATE = "interlock-election-";

    /** The most holders, and the most waiters, of an answer: a name may have a hundred thousand. */
    static final int MOST_CLAIMS = 1000;

    private static final Comparator<SeenClaim> LONGEST_FIRST = Comparator.comparing(SeenClaim::since);

    /** A name and a kind, in the order of the names. */
    record Key(String name, LockKind kind) implements Comparable<Key> {

        @Override
        public int compareTo(Key that) {
            int order = name.compareTo(that.name);
            return order == 0 ? kind.compareTo(that.kind) : order;
        }

        /** The kind, as the API names it. */
        String kindText() {
            return kind.name().toLowerCase(Locale.ROOT);
        }

        /** The fields that name it. */
        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("name", name);
            json.put("kind", kindText());
            return json;
        }
    }

    /** What a look at this moment has seen; {@code before} is what the look before has seen of the name. */
    static SeenName of(LockStatus status, Instant at, @Nullable SeenName before) {
        Map<String, SeenClaim> held = before == null ? Map.of() : byOwner(before.holders);
        Map<String, SeenClaim> waiting = before == null ? Map.of() : byOwner(before.waiters);
        List<SeenClaim> holders = new ArrayList<>();
        status.holders().forEach(holder -> holders.add(SeenClaim.of(holder, at, held.get(holder.owner()))));
        List<SeenClaim> waiters = new ArrayList<>();
        status.waiters().forEach(waiter -> waiters.add(SeenClaim.of(waiter, at, waiting.get(waiter.owner()))));
        holders.sort(LONGEST_FIRST);
        waiters.sort(LONGEST_FIRST);
        return new SeenName(
                new Key(status.name(), status.kind()), status.count(), List.copyOf(holders), List.copyOf(waiters));
    }

    private static Map<String, SeenClaim> byOwner(List<SeenClaim> claims) {
        Map<String, SeenClaim> map = new HashMap<>();
        claims.forEach(claim -> map.put(claim.owner(), claim));
        return map;
    }

    /** Whether a page would show the same of that one. */
    boolean looksLike(SeenName that) {
        return count == that.count
                && isAtRisk() == that.isAtRisk()
                && same(holders, that.holders)
                && same(waiters, that.waiters);
    }

    private static boolean same(List<SeenClaim> one, List<SeenClaim> other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < one.size(); i++) {
            if (!one.get(i).isSame(other.get(i))
                    || !one.get(i).mode().equals(other.get(i).mode())) {
                return false;
            }
        }
        return true;
    }

    /** Whether a holder is. */
    boolean isAtRisk() {
        return holders.stream().anyMatch(SeenClaim::isAtRisk);
    }

    /** Whether candidates of an election hold it or wait for it, by the name of their threads. */
    boolean isElection() {
        String thread = CANDIDATE + key.name;
        return key.kind == LockKind.LOCK
                && (holders.stream().anyMatch(claim -> claim.party().thread().equals(thread))
                        || waiters.stream()
                                .anyMatch(claim -> claim.party().thread().equals(thread)));
    }

    /** Whether the name, or a party that holds or waits, contains this text, which is in lower case. */
    boolean matches(String text) {
        return contains(key.name, text)
                || holders.stream().anyMatch(claim -> matches(claim.party(), text))
                || waiters.stream().anyMatch(claim -> matches(claim.party(), text));
    }

    private static boolean matches(Party party, String text) {
        return contains(party.host(), text)
                || contains(party.application(), text)
                || contains(party.thread(), text)
                || (party.pid() != 0 && String.valueOf(party.pid()).contains(text));
    }

    private static boolean contains(String text, String part) {
        return text.toLowerCase(Locale.ROOT).contains(part);
    }

    /**
     * In the shape of a list.
     *
     * @param holds how many holds have begun of late
     */
    Map<String, Object> row(String store, int holds) {
        Map<String, Object> json = common(store);
        json.put("held", holders.size());
        json.put("waiting", waiters.size());
        json.put("atRisk", isAtRisk());
        json.put("holds", holds);
        json.put("permits", permits());
        if (!waiters.isEmpty()) {
            json.put("waitingSince", Times.text(waiters.get(0).since()));
        }
        if (!holders.isEmpty()) {
            SeenClaim first = holders.get(0);
            json.put("since", Times.text(first.since()));
            json.put("token", String.valueOf(first.token()));
            Map<String, Object> holder = new LinkedHashMap<>();
            SeenClaim.putParty(holder, first.party());
            json.put("holder", holder);
        }
        return json;
    }

    /** With the numbers of holders and of waiters, and with those of them that came first. */
    Map<String, Object> lock(String store, Instant now) {
        Map<String, Object> json = common(store);
        json.put("held", holders.size());
        json.put("waiting", waiters.size());
        json.put("atRisk", isAtRisk());
        json.put("permits", permits());
        json.put("holders", first(holders, now));
        json.put("waiters", first(waiters, now));
        return json;
    }

    private int permits() {
        return holders.stream().mapToInt(SeenClaim::permits).sum();
    }

    private static List<Map<String, Object>> first(List<SeenClaim> claims, Instant now) {
        return claims.stream().limit(MOST_CLAIMS).map(claim -> claim.json(now)).toList();
    }

    private Map<String, Object> common(String store) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("store", store);
        json.putAll(key.json());
        json.put("count", count);
        json.put("election", isElection());
        return json;
    }
}
