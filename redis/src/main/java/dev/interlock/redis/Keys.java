package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.cluster.SlotHash;

/**
 * The keys of one name. The lock's key is the name itself. A key beside it has the same slot in a cluster: it is {@code x:{name}}; or {@code x:name} if the name
 * has a tag of its own, which is a text in braces; or else, if a brace in the name would disturb that, {@code x:{number}:name} with the smallest number of the
 * same slot.
 */
final class Keys {

    private static final byte[] OPEN = {'{'};
    private static final byte[] CLOSE = {'}'};
    static final String INBOX = "interlock_inbox:";
    private static final byte[] FENCE_BYTES = "interlock_fence:".getBytes(US_ASCII);
    private static final byte[] WAITERS_BYTES = "interlock_waiters:".getBytes(US_ASCII);
    private static final byte[] FORCED_BYTES = "interlock_forced:".getBytes(US_ASCII);
    private static final byte[] REDISSON_CHANNEL_BYTES = "redisson_lock__channel:".getBytes(US_ASCII);

    private final byte[] name;
    private final byte[] before;
    private final byte[] after;

    Keys(String name) {
        this.name = name.getBytes(UTF_8);
        if (name.indexOf('{') < 0 && name.indexOf('}') < 0) {
            this.before = OPEN;
            this.after = CLOSE;
        } else {
            this.before = hasTag(name) ? Text.EMPTY : Text.of("{" + Slots.numberOf(SlotHash.getSlot(this.name)) + "}:");
            this.after = Text.EMPTY;
        }
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

    /** As a cluster sees it: a text between the first opening brace and the first closing one behind it. */
    private static boolean hasTag(String name) {
        int open = name.indexOf('{');
        return open >= 0 && name.indexOf('}', open) > open + 1;
    }

    private byte[] beside(byte[] prefix) {
        byte[] key = new byte[prefix.length + before.length + name.length + after.length];
        System.arraycopy(prefix, 0, key, 0, prefix.length);
        int at = prefix.length;
        System.arraycopy(before, 0, key, at, before.length);
        at += before.length;
        System.arraycopy(name, 0, key, at, name.length);
        System.arraycopy(after, 0, key, at + name.length, after.length);
        return key;
    }
}
