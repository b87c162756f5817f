package dev.interlock.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A URI of a store on servers:
 * {@code scheme://[user:password@]host[:port][,host[:port]...][/path][?option=value[&option=value...]]}. Immutable.
 *
 * <p>The user and the password must be percent-encoded. They end at the last {@code @} of the URI, so that a password
 * that is not encoded is recognized and refused. Parsing takes time in proportion to the length, whatever the
 * characters.
 *
 * <p>Messages name the rule, the value that breaks it, and what to do. They never quote credentials, nor a host, which
 * may be a user and a password whose host has been forgotten; nor, in such a URI, a port, a path or an option, which
 * may be the rest of a password.
 */
// The annotation of null is optional for callers: see the module.
@SuppressWarnings("exports")
public final class StoreUri {

    private static final int LONGEST_SCHEME = 32;

    private final String scheme;
    private final @Nullable Credentials credentials;
    private final List<Host> hosts;
    private final String path;
    private final UriOptions options;
    private final boolean quotable;

    private StoreUri(UriForm form, String scheme, String afterScheme) {
        this.scheme = scheme;
        int at = afterScheme.lastIndexOf('@');
        this.credentials = at < 0 ? null : credentials(form, afterScheme.substring(0, at));
        String rest = afterScheme.substring(at + 1);
        int question = rest.indexOf('?');
        String beforeQuery = question < 0 ? rest : rest.substring(0, question);
        int slash = beforeQuery.indexOf('/');
        String authority = slash < 0 ? beforeQuery : beforeQuery.substring(0, slash);
        this.hosts = hosts(form, authority, at >= 0);
        this.path = slash < 0 ? "" : beforeQuery.substring(slash + 1);
        this.quotable = at >= 0 || authority.indexOf(':') < 0;
        // No password begins with the port that the hosts of this form have.
        boolean areHosts = quotable || hosts.stream().allMatch(host -> host.port() == form.defaultPort());
        this.options = new UriOptions(form.subject(), question < 0 ? "" : rest.substring(question + 1), areHosts);
    }

    /**
     * Parses a URI. Only the scheme decides which of the forms it has.
     *
     * @param forms the forms of a store's URIs, one of them in most cases
     * @throws IllegalArgumentException if the URI does not have the form of its scheme
     */
    public static StoreUri parse(String uri, UriForm... forms) {
        int colon = uri.indexOf("://");
        // Of a long text lower case may take time by the square of its length.
        String scheme = colon < 0 || colon > LONGEST_SCHEME
                ? ""
                : uri.substring(0, colon).toLowerCase(Locale.ROOT);
        for (UriForm form : forms) {
            if (form.schemes().contains(scheme)) {
                return new StoreUri(form, scheme, uri.substring(colon + 3));
            }
        }
        String wanted = List.of(forms).stream()
                .map(form -> form.schemes().stream().map(each -> each + "://").collect(Collectors.joining(" or "))
                        + ", as in " + form.example())
                .collect(Collectors.joining("; or with "));
        throw new IllegalArgumentException(
                Messages.capitalized(forms[0].subject()) + " must begin with " + wanted + withSlashes(uri, forms));
    }

    /** What was meant by {@code redis:host:6379}. The rest is not repeated: there may be a password in it. */
    private static String withSlashes(String uri, UriForm... forms) {
        for (UriForm form : forms) {
            for (String scheme : form.schemes()) {
                if (uri.regionMatches(true, 0, scheme + ":", 0, scheme.length() + 1)) {
                    return "; did you mean " + scheme + "://?";
                }
            }
        }
        return "";
    }

    private static Credentials credentials(UriForm form, String text) {
        if (text.chars().anyMatch(c -> "/?@".indexOf(c) >= 0)) {
            throw new IllegalArgumentException("User and password of " + form.subject()
                    + " must be percent-encoded: '/' as %2F, '?' as %3F, '@' as %40, '%' as %25");
        }
        String subject = "User and password of " + form.subject();
        int colon = text.indexOf(':');
        return colon < 0
                ? new Credentials(PercentEncoding.decode(subject, text), null)
                : new Credentials(
                        PercentEncoding.decode(subject, text.substring(0, colon)),
                        PercentEncoding.decode(subject, text.substring(colon + 1)));
    }

    /** @param hasCredentials whether they stand before: then a number in the place of a port is no password */
    private static List<Host> hosts(UriForm form, String authority, boolean hasCredentials) {
        List<Host> hosts = new ArrayList<>();
        for (String text : authority.split(",", -1)) {
            Host host = Host.parse(text, form.defaultPort());
            if (host == null) {
                String rule = "The hosts of " + form.subject()
                        + " must be host or host:port, separated by commas, with ports from 1 to 65535";
                String port = text.substring(text.lastIndexOf(':') + 1);
                boolean isNumber = !port.isEmpty() && port.chars().allMatch(c -> c >= '0' && c <= '9');
                throw new IllegalArgumentException(
                        rule + Messages.about(port, ": ", hasCredentials && isNumber) + ", as in " + form.example());
            }
            hosts.add(host);
        }
        return List.copyOf(hosts);
    }

    /** The scheme, in lower case. */
    public String scheme() {
        return scheme;
    }

    /** The user and the password; null if there is no {@code @}. */
    public @Nullable Credentials credentials() {
        return credentials;
    }

    /** The hosts, at least one. */
    public List<Host> hosts() {
        return hosts;
    }

    /** The path as it stands in the URI, without the first slash, not decoded; empty if there is none. */
    public String path() {
        return path;
    }

    /** The options, whose names are not checked yet. */
    public UriOptions options() {
        return options;
    }

    /**
     * The exception for a path that the store cannot take.
     *
     * @param rule what must be so, as a sentence without its full stop: {@code The database of a Redis URI must be a
     *     number, 0 or more}. The path is added where it may be quoted
     */
    public IllegalArgumentException invalidPath(String rule) {
        return new IllegalArgumentException(rule + Messages.about(path, ": ", quotable));
    }

    /** The URI without credentials and options; without a path, too, if that may be the rest of a password. */
    @Override
    public String toString() {
        return scheme + "://" + hosts.stream().map(Host::toString).collect(Collectors.joining(","))
                + (quotable && !path.isEmpty() ? "/" + path : "");
    }
}
