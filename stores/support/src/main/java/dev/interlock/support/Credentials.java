package dev.interlock.support;

import org.jspecify.annotations.Nullable;

/**
 * The user and the password of a URI, decoded.
 *
 * @param user the text before the first colon; may be empty
 * @param password the text after the first colon; null if there is no colon
 */
// The annotation of null is optional for callers: see the module.
@SuppressWarnings("exports")
public record Credentials(String user, @Nullable String password) {

    /** As in a URI, percent-encoded, without the {@code @}. The result contains the password. */
    public String encoded() {
        String encodedUser = PercentEncoding.encode(user);
        return password == null ? encodedUser : encodedUser + ":" + PercentEncoding.encode(password);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return password == null ? user : user + ":***";
    }
}
