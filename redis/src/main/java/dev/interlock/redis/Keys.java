package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/**
 * The keys of one name. The lock's key is the name itself; a key beside it is {@code x:{name}}, so that a cluster keeps both in one slot, or {@code x:name}
 * if the name has a brace of its own.
 */
final class Keys {

    static final String FENCE = "interlock_fence:";
    static final String INBOX = "interlock_inbox:";
    private static final byte[] FENCE_BYTES = FENCE.getBytes(US_ASCII);
    private static final byte[] WAITERS_BYTES = "interlock_waiters:".getBytes(US_ASCII);
    private static final byte[] FORCED_BYTES = "interlock_forced:".getBytes(US_ASCII);
    private static final byte[] REDISSON_CHANNEL_BYTES = "redisson_lock__channel:".getBytes(US_ASCII);

    private final byte[] name;
    private final boolean braced;

    Keys(String name) {
        this.name = name.getBytes(UTF_8);
        this.braced = name.indexOf('{') < 0;
    }

    byte[] lock() {
        return name;
    }

    byte[] fence() {
        return beside(FENCE_BYTES);
    }

    byte[] waiters() {
        return beside(WAITERS_BYTES);
    }

    byte[] forced() {
        return beside(FORCED_BYTES);
    }

    /** The channel on which clients of Redisson wait for this name. */
    byte[] redissonChannel() {
        return beside(REDISSON_CHANNEL_BYTES);
    }

    /** The channel on which a client of ours hears wakes. */
    static String inboxChannel(String clientId) {
        return INBOX + clientId;
    }

    /** The names that may stand behind this key of a fence: two, if one is the other in braces. */
    static List<String> namesOfFence(String key) {
        List<String> names = new ArrayList<>(2);
        String rest = key.substring(FENCE.length());
        if (rest.indexOf('{') >= 0) {
            names.add(rest);
        }
        if (rest.startsWith("{") && rest.endsWith("}") && rest.indexOf('{', 1) < 0) {
            names.add(rest.substring(1, rest.length() - 1));
        }
        names.removeIf(String::isEmpty);
        return names;
    }

    /** The patterns that match the fences of all names with this prefix, and perhaps of some others. */
    static List<String> fencePatterns(String prefix) {
        String literal = escape(prefix);
        List<String> patterns = new ArrayList<>(2);
        patterns.add(FENCE + literal + "*");
        if (prefix.indexOf('{') < 0) {
            patterns.add(FENCE + "{" + literal + "*");
        }
        return patterns;
    }

    private static String escape(String literal) {
        StringBuilder escaped = new StringBuilder(literal.length() + 8);
        for (int i = 0; i < literal.length(); i++) {
            char c = literal.charAt(i);
            if ("*?[]\\".indexOf(c) >= 0) {
                escaped.append('\\');
            }
            escaped.append(c);
        }
        return escaped.toString();
    }

    private byte[] beside(byte[] prefix) {
        int extra = braced ? 2 : 0;
        byte[] key = new byte[prefix.length + name.length + extra];
        System.arraycopy(prefix, 0, key, 0, prefix.length);
        int at = prefix.length;
        if (braced) {
            key[at++] = '{';
            key[key.length - 1] = '}';
        }
        System.arraycopy(name, 0, key, at, name.length);
        return key;
    }
}
