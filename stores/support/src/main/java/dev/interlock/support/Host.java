package dev.interlock.support;

import org.jspecify.annotations.Nullable;

/**
 * A host and a port of a URI.
 *
 * @param name a name or an address, as the URI has it; an IPv6 address without its brackets
 * @param port from 1 to 65535; 0 if the URI names none, and its form has no default
 */
public record Host(String name, int port) {

    private static final int LAST_PORT = 65_535;
    private static final int LONGEST_PORT = 5;

    /** Parses {@code name}, {@code name:port}, {@code [address]} or {@code [address]:port}; null if it is neither. */
    static @Nullable Host parse(String text, int defaultPort) {
        boolean isBracketed = text.startsWith("[");
        int end = text.indexOf(isBracketed ? ']' : ':');
        String name = text.substring(isBracketed ? 1 : 0, end < 0 ? text.length() : end);
        String rest = end < 0 ? "" : text.substring(isBracketed ? end + 1 : end);
        if ((isBracketed && end < 0) || !(isBracketed ? isAddress(name) : isName(name))) {
            return null;
        } else if (rest.isEmpty()) {
            return new Host(name, defaultPort);
        }
        int port = rest.startsWith(":") ? port(rest.substring(1)) : 0;
        return port == 0 ? null : new Host(name, port);
    }

    /** An IPv6 address, with or without a zone after a percent sign. */
    private static boolean isAddress(String text) {
        int zone = text.indexOf('%');
        String address = zone < 0 ? text : text.substring(0, zone);
        return isName(text.replace(':', '.'))
                && address.chars().allMatch(c -> "0123456789ABCDEFabcdef:.".indexOf(c) >= 0);
    }

    private static boolean isName(String text) {
        return !text.isEmpty()
                && text.chars()
                        .noneMatch(
                                c -> Character.isWhitespace(c) || Character.isISOControl(c) || "[]:#@".indexOf(c) >= 0);
    }

    /** The port; 0 if the text is none. */
    private static int port(String text) {
        boolean isNumber =
                !text.isEmpty() && text.length() <= LONGEST_PORT && text.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = isNumber ? Integer.parseInt(text) : 0;
        return number <= LAST_PORT ? number : 0;
    }

    /** As in a URI, with brackets around an IPv6 address; without a port if that is 0. */
    @Override
    public String toString() {
        String host = name.indexOf(':') < 0 ? name : "[" + name + "]";
        return port == 0 ? host : host + ":" + port;
    }
}
