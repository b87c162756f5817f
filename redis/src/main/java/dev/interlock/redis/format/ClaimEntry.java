package dev.interlock.redis.format;

import dev.interlock.Party;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Two numbers, a party and a mode, as they stand beside an owner. What may follow says where a waiter hears its wake,
 * which is for scripts to know.
 *
 * @param first of a holder its fence; of a waiter since when it has waited, in µs of the server's clock
 * @param second of a holder since when it has held; of a waiter when its entry is over; both in µs of the server's
 *     clock
 * @param party who it is
 * @param mode what it has or wants, as {@link ModeCodec} says it
 */
record ClaimEntry(long first, long second, Party party, String mode) {

    /** The word behind the four of the party, if it is not that of an inbox. */
    private static final int MODE = 4;

    private static final Pattern FORM = Pattern.compile("(-?\\d{1,18}) (\\d{1,18}) (.*)", Pattern.DOTALL);

    /** Null if there is none, or if somebody has written something else there. */
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
