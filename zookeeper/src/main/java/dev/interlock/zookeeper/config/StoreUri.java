package dev.interlock.zookeeper.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.framework.AuthInfo;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;

/**
 * The URI of a store: {@code zk://user:password@h1:2181,h2:2181/path?session=15s}.
 *
 * <p>Messages quote nothing before the last {@code @}, nor what should be hosts and ports, which is a user and a
 * password if the host has been forgotten.
 */
public final class StoreUri {

    public static final String SCHEME = "zk";

    private static final String FORM = "zk://user:password@h1:2181,h2:2181/path?session=15s";
    private static final Pattern WHOLE = Pattern.compile("(?is)zk://(?:(.*)@)?([^@/?]*)(/[^?@]*)?(?:\\?(.*))?");
    private static final Pattern HOST = Pattern.compile("([\\w.-]+|\\[[0-9a-fA-F:.]+])(:\\d{1,5})?");
    private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m)");

    private StoreUri() {}

    public static Settings parse(String uri) {
        Matcher whole = WHOLE.matcher(uri);
        if (!whole.matches()) {
            // What is not understood may be a password.
            throw new IllegalArgumentException("A ZooKeeper URI must have the form " + FORM);
        }
        String hosts = whole.group(2);
        // Behind a colon without credentials all else may be the end of a password.
        boolean isShown = whole.group(1) != null || hosts.indexOf(':') < 0;
        Settings settings = Settings.of(servers(hosts), base(orEmpty(whole.group(3)), isShown));
        return options(credentials(settings, whole.group(1)), whole.group(4), isShown);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static String servers(String hosts) {
        StringBuilder servers = new StringBuilder();
        for (String host : hosts.split(",", -1)) {
            Matcher form = HOST.matcher(host);
            if (!form.matches() || !isPort(form.group(2))) {
                throw new IllegalArgumentException(
                        "The servers of a ZooKeeper URI must be host or host:port, separated by commas, with a port from 1 to 65535; "
                                + "behind a password stands @host, as in " + FORM);
            }
            String port = form.group(2);
            servers.append(servers.length() == 0 ? "" : ",")
                    .append(form.group(1))
                    .append(port == null ? ":2181" : port);
        }
        return servers.toString();
    }

    private static boolean isPort(@Nullable String colonAndPort) {
        int port = colonAndPort == null ? 1 : Integer.parseInt(colonAndPort.substring(1));
        return port > 0 && port <= 65_535;
    }

    private static String base(String path, boolean isShown) {
        try {
            return base(path);
        } catch (IllegalArgumentException e) {
            throw isShown
                    ? e
                    : new IllegalArgumentException(
                            "The path of a ZooKeeper store must be one that ZooKeeper can hold, from the root; "
                                    + "behind a password stands @host");
        }
    }

    /** The path without a slash at its end; empty for the root. */
    public static String base(String path) {
        String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        if (base.isEmpty()) {
            return "";
        }
        try {
            PathUtils.validatePath(base);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The path of a ZooKeeper store must be one that ZooKeeper can hold, from the root: '" + path + "': "
                            + e.getMessage(),
                    e);
        }
        return base;
    }

    private static Settings credentials(Settings settings, @Nullable String text) {
        if (text == null) {
            return settings;
        }
        if (text.indexOf(':') < 1) {
            throw new IllegalArgumentException(
                    "The credentials of a ZooKeeper URI must be user:password, with a colon");
        }
        byte[] digest = decoded(text).getBytes(StandardCharsets.UTF_8);
        return settings.withCredentials(List.of(new AuthInfo("digest", digest))).withAcl(Settings.OF_CREATOR);
    }

    private static String decoded(String text) {
        try {
            // A plus sign is itself in this part of a URI.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // The cause's message quotes what it could not decode: it is left out.
            throw new IllegalArgumentException(
                    "User and password of a ZooKeeper URI must be percent-encoded: a % must be followed by two hexadecimal digits");
        }
    }

    private static Settings options(Settings settings, @Nullable String query, boolean isShown) {
        Settings chosen = settings;
        if (query == null || query.isEmpty()) {
            return chosen;
        }
        for (String option : query.split("&", -1)) {
            String name = option.replaceFirst("(?s)=.*", "");
            String value = option.substring(Math.min(option.length(), name.length() + 1));
            if (!name.equals("session")) {
                throw new IllegalArgumentException(
                        "The only option of a ZooKeeper URI is session" + (isShown ? ", not '" + name + "'" : ""));
            }
            Duration session = duration(value);
            chosen = chosen.withSession(session(session, session.toString()));
        }
        return chosen;
    }

    private static Duration duration(String value) {
        Matcher brief = SHORT.matcher(value.toLowerCase(Locale.ROOT));
        if (brief.matches()) {
            long number = Long.parseLong(brief.group(1));
            return switch (brief.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                default -> Duration.ofMinutes(number);
            };
        }
        try {
            return Duration.parse(value);
        } catch (DateTimeParseException e) {
            // The cause quotes the value, which is left out as every option's.
            throw new IllegalArgumentException("session must be a duration, as 15s, 500ms or PT15S");
        }
    }

    /** Checks it. */
    public static Duration session(Duration timeout, String said) {
        if (timeout.compareTo(Duration.ofMillis(100)) < 0 || timeout.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("The session's time-out must be from 100 ms to 1 hour: '" + said + "'");
        }
        return timeout;
    }
}
