package dev.interlock.console;

import dev.interlock.Party;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Somebody has ended a claim by force, or asked its holder to let go, by a console: or was about to.
 *
 * @param type what was done
 * @param store the store's URI, without a password
 * @param name the name
 * @param kind the kind of lock, as the API names it
 * @param at when it was begun
 * @param by the address that the request came from
 * @param reason why, in the words of who did it
 * @param owner the owner of the claim
 * @param token its fencing token
 * @param party the process and thread that held
 * @param outcome what came of it
 */
public record Action(
        Type type,
        String store,
        String name,
        String kind,
        Instant at,
        String by,
        String reason,
        String owner,
        long token,
        Party party,
        Outcome outcome) {

    /** What was done. */
    public enum Type {
        /** The claim was ended by force. */
        FORCE,
        /** The holder was asked to let go. */
        ASK
    }

    /** What came of it. */
    public enum Outcome {
        /** It is under way; or the console has ended before it knew. */
        BEGUN,
        /** The claim is ended. */
        RELEASED,
        /** The holder's client was told. */
        ASKED,
        /** It did not hold any more. */
        GONE,
        /** The store did not answer, or refused: it is not known. */
        FAILED
    }

    /** The same with what came of it. */
    Action with(Outcome newOutcome) {
        return new Action(type, store, name, kind, at, by, reason, owner, token, party, newOutcome);
    }

    /**
     * In the shape of the API.
     *
     * @param shownStore how the store is named there
     */
    public Map<String, Object> json(String shownStore) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", type.name().toLowerCase(Locale.ROOT));
        json.put("store", shownStore);
        json.put("name", name);
        json.put("kind", kind);
        json.put("at", Times.text(at));
        json.put("by", by);
        json.put("reason", reason);
        json.put("owner", owner);
        json.put("token", String.valueOf(token));
        SeenClaim.putParty(json, party);
        json.put("outcome", outcome.name().toLowerCase(Locale.ROOT));
        return json;
    }
}
