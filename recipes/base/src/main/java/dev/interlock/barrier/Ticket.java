package dev.interlock.barrier;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the claim of a party says of itself, in the place of a participant's id.
 *
 * @param parties how many parties the barrier has
 * @param gate the number of the generation's gate
 * @param generation the number of the generation; 0 if this party opens one, whose number is the token of the claim
 */
record Ticket(int parties, int gate, long generation) {

    private static final Pattern FORM = Pattern.compile("(\\d{1,9})/(\\d{1,9})/(\\d{1,19})");

    /** Null if the text is no ticket. */
    static @Nullable Ticket parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        try {
            return new Ticket(
                    Integer.parseInt(matcher.group(1)),
                    Integer.parseInt(matcher.group(2)),
                    Long.parseLong(matcher.group(3)));
        } catch (NumberFormatException e) {
            // Nineteen digits may be too large a number.
            return null;
        }
    }

    String encode() {
        return parties + "/" + gate + "/" + generation;
    }
}
