package dev.interlock.console;

import dev.interlock.Party;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A hold or a wait of the history.
 *
 * @param hold whether it is a hold
 * @param store the store's URI, without a password
 * @param name the name
 * @param kind the kind of lock, as the API names it
 * @param mode what was held or waited for
 * @param owner the owner of the claim
 * @param token its fencing token, 0 if none
 * @param party the process and thread
 * @param from when it began
 * @param lastSeen the last look that saw it; null while it goes on
 * @param to the look that found it gone; null while it goes on
 * @param end how it ended; null while it goes on
 */
public record Span(
        boolean hold,
        String store,
        String name,
        String kind,
        String mode,
        String owner,
        long token,
        Party party,
        Instant from,
        @Nullable Instant lastSeen,
        @Nullable Instant to,
        @Nullable End end) {

    /** How a hold or a wait ended. */
    public enum End {
        /** A hold that was gone before its lease was over: released, or deleted from the store. Nobody knows which. */
        ENDED,
        /** A hold whose lease was over: nobody renewed it. */
        LOST,
        /** A claim that was left to lapse, and has. */
        LAPSED,
        /** A hold that somebody ended by force: a console, or another client, which the store remembers. */
        FORCED,
        /** A wait whose claim holds now. */
        GRANTED,
        /** A wait that was granted and released between two looks, or that gave up. */
        GONE,
        /** It was gone when the console looked again after it had not seen the store. */
        UNSEEN;

        /** The word of the API. */
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** A hold or wait that a look has found. */
    static Span begun(String store, SeenName.Key key, SeenClaim claim) {
        return new Span(
                claim.holds(),
                store,
                key.name(),
                key.kindText(),
                claim.mode().toString(),
                claim.owner(),
                claim.token(),
                claim.party(),
                claim.since(),
                null,
                null,
                null);
    }

    /** The same, which has ended. */
    Span ended(Instant seenLast, Instant at, End how) {
        return new Span(hold, store, name, kind, mode, owner, token, party, from, seenLast, at, how);
    }

    /**
     * In the shape of the API.
     *
     * @param shownStore how the store is named there
     */
    public Map<String, Object> json(String shownStore) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", hold ? "hold" : "wait");
        json.put("store", shownStore);
        json.put("name", name);
        json.put("kind", kind);
        json.put("mode", mode);
        json.put("owner", owner);
        if (hold) {
            json.put("token", String.valueOf(token));
        }
        SeenClaim.putParty(json, party);
        json.put("from", Times.text(from));
        if (lastSeen != null) {
            json.put("lastSeen", Times.text(lastSeen));
        }
        if (to != null && end != null) {
            json.put("to", Times.text(to));
            json.put("end", end.text());
        }
        return json;
    }
}
