package dev.interlock.redis;

import java.util.HashMap;
import java.util.Map;

/** The reply to {@code INFO}, by its keys. Its values are a server's, and may have any form. */
final class ServerInfo {

    private final Map<String, String> values = new HashMap<>();

    ServerInfo(String text) {
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                values.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
    }

    /** The value; empty if there is none. */
    String text(String key) {
        return values.getOrDefault(key, "");
    }

    /** The value as a number; 0 if there is none. */
    long number(String key) {
        try {
            return Long.parseLong(text(key));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
