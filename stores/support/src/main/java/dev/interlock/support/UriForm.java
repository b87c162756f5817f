package dev.interlock.support;

import java.util.List;

/**
 * The form of the URIs of one store.
 *
 * @param subject how messages call such a URI, with its article: {@code a Redis URI}
 * @param schemes the schemes of this form, in lower case, in the order in which messages list them
 * @param example the whole form, as messages show it: {@code redis://[user:password@]host[:port][/database]}
 * @param defaultPort the port of a host that names none; 0 if {@link Host#port()} is to be 0 then
 */
public record UriForm(String subject, List<String> schemes, String example, int defaultPort) {

    /** Copies the list. */
    public UriForm {
        schemes = List.copyOf(schemes);
    }
}
