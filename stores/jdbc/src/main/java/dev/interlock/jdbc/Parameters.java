package dev.interlock.jdbc;

import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.LockId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The values of named parameters. */
final class Parameters {

    /** The longest text about a party that is stored. */
    private static final int LONGEST_WORD = 250;

    private final Map<String, Object> byName = new HashMap<>();

    /** The parameters that identify a name. */
    static Parameters of(LockId id) {
        return new Parameters()
                .withName("name", id.name())
                .with("kind", id.kind().name());
    }

    /** The parameters that describe a claim. */
    static Parameters of(Claim claim) {
        Party party = claim.party();
        return of(claim.id())
                .with("owner", claim.owner().value())
                .with("lease", millis(claim.lease()))
                .withWord("host", party.host())
                .with("pid", party.pid())
                .withWord("application", party.application())
                .withWord("thread", party.thread());
    }

    Parameters with(String parameter, Object value) {
        byName.put(parameter, value);
        return this;
    }

    /** Adds a name of a lock, or the beginning of one. */
    Parameters withName(String parameter, String name) {
        return with(parameter, new Name(name));
    }

    private Parameters withWord(String parameter, String text) {
        return with(parameter, new Word(word(text)));
    }

    Object get(String parameter) {
        Object value = byName.get(parameter);
        if (value == null) {
            throw new IllegalArgumentException("A statement needs a parameter that it was not given: " + parameter);
        }
        return value;
    }

    /** Rounds up: a lease in the store must not end before the one in its client. */
    static long millis(Duration duration) {
        return duration.plusNanos(999_999).toMillis();
    }

    static long waitedMillis(Claim claim) {
        Duration waited = claim.waited();
        return waited == null ? 0 : waited.toMillis();
    }

    /** Shortens a text of somebody else, such as the name of a thread, to what every database can store. */
    private static String word(String text) {
        String valid = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).replace('\0', ' ');
        return valid.codePointCount(0, valid.length()) <= LONGEST_WORD
                ? valid
                : valid.substring(0, valid.offsetByCodePoints(0, LONGEST_WORD));
    }

    /** A name of a lock: any text, which each database encodes in its own way. */
    record Name(String text) {}

    /** A text of somebody else, of which each database stores what it can. */
    record Word(String text) {}
}
