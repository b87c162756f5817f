package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The keys of one name. The lock's key is the name itself; a key beside it is {@code x:{name}}, so that a cluster keeps both in one slot, or {@code x:name}
 * if the name has a brace of its own.
 */
final class Keys {

    static final String INBOX = "interlock_inbox:";
    private static final byte[] FENCE_BYTES = "interlock_fence:".getBytes(US_ASCII);
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
