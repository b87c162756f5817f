package dev.interlock.redis;

import dev.interlock.Party;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The entry of an owner in the store: two numbers, a party and a mode. A suffix that may follow names the channel on
 * which a waiter receives its wake; only scripts use it.
 *
 * @param first the fence of a holder; the beginning of a waiter's wait, in µs of the server's clock
 * @param second the moment of a holder's grant; the end of a waiter's entry; both in µs of the server's clock
 * @param party the owner's party
 * @param mode its mode, as {@link ModeCodec} encodes it
 */
record ClaimEntry(long first, long second, Party party, String mode) {

    /** The index of the mode, behind the four words of the party. A suffix may stand in its place. */
    private static final int MODE = 4;

    private static final Pattern FORM = Pattern.compile("(-?\\d{1,18}) (\\d{1,18}) (.*)", Pattern.DOTALL);

    /** Parses an entry. Returns null if there is none, or if another client has written something else. */
    static @Nullable ClaimEntry parse(@Nullable String text) {
        if (text == null) {
            return null;
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        String rest = matcher.group(3);
        String[] words = rest.split(" ", -1);
        return new ClaimEntry(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                PartyCodec.decode(rest),
                words.length > MODE && !words[MODE].startsWith("@") ? words[MODE] : "");
    }
}
