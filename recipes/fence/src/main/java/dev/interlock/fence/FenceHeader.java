package dev.interlock.fence;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The header in which a request carries the token of the lease under which it was made: {@code Fencing-Token:
 * 1760967352000000; owner="worker-7"}.
 *
 * @param token the fencing token, positive
 * @param owner the holder of the lease; empty if the request does not name it
 */
@SuppressWarnings("exports")
public record FenceHeader(long token, String owner) {

    /** The name of the header of a request. */
    public static final String NAME = "Fencing-Token";

    /** The name of the header of an answer that refuses, whose value is the largest token seen. */
    public static final String MAXIMUM = "Fencing-Token-Maximum";

    private static final Pattern FORM =
            Pattern.compile("([1-9][0-9]{0,18})(?:\\s*;\\s*owner=\"([^\"\\\\\\p{Cntrl}]{1,128})\")?");

    private static final Pattern OWNER = Pattern.compile("[^\"\\\\\\p{Cntrl}]{0,128}");

    /**
     * Checks the parts.
     *
     * @param token the fencing token, positive
     * @param owner the holder of the lease; empty if the request does not name it
     * @throws IllegalArgumentException if the token is not positive, or the owner has more than 128 characters, a
     *     quote, a backslash or a control character
     */
    public FenceHeader {
        if (token <= 0) {
            throw new IllegalArgumentException("A fencing token must be positive: " + token);
        }
        if (!OWNER.matcher(owner).matches()) {
            throw new IllegalArgumentException(
                    "An owner has at most 128 characters, no quote, backslash or control character: '" + owner + "'");
        }
    }

    /**
     * {@return the header of a request under the lease with this token, without an owner}
     *
     * @param token the fencing token of the lease, positive
     * @throws IllegalArgumentException if the token is not positive
     */
    public static FenceHeader of(long token) {
        return new FenceHeader(token, "");
    }

    /**
     * Parses the value of the header. Returns null if it is no such value.
     *
     * @param value the value of the header
     * @return the header; null if {@code value} is no such value
     */
    public static @Nullable FenceHeader parse(String value) {
        Matcher matcher = FORM.matcher(value.trim());
        if (!matcher.matches()) {
            return null;
        }
        try {
            String owner = matcher.group(2);
            return new FenceHeader(Long.parseLong(matcher.group(1)), owner == null ? "" : owner);
        } catch (NumberFormatException e) {
            // Nineteen digits can be more than a long.
            return null;
        }
    }

    /** {@return the value of the header} */
    @Override
    public String toString() {
        return owner.isEmpty() ? Long.toString(token) : token + "; owner=\"" + owner + "\"";
    }
}
