package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.spi.OwnerId;
import io.lettuce.core.cluster.SlotHash;
import java.util.Arrays;

/**
 * The keys of one name. The lock's key is the name itself. A key beside it has the same slot in a cluster: it is {@code x:{name}}; or {@code x:name} if the name
 * has a tag of its own, which is a text in braces; or else, if a brace in the name would disturb that, {@code x:{number}:name} with the smallest number of the
 * same slot. Where the key beside it is the whole of what is locked, {@code x::name} keeps a name with a tag apart from the one
 * within its braces.
 */
final class Keys {

    static final String INBOX = "interlock_inbox:";
    private static final byte[] FENCE_BYTES = "interlock_fence:".getBytes(US_ASCII);
    private static final byte[] WAITERS_BYTES = "interlock_waiters:".getBytes(US_ASCII);
    private static final byte[] FORCED_BYTES = "interlock_forced:".getBytes(US_ASCII);
    private static final byte[] REDISSON_CHANNEL_BYTES = "redisson_lock__channel:".getBytes(US_ASCII);
    private static final byte[] REDISSON_SHARED_CHANNEL_BYTES = "redisson_rwlock:".getBytes(US_ASCII);
    private static final byte[] SEMAPHORE_BYTES = "interlock_semaphore:".getBytes(US_ASCII);
    private static final byte[] SEMAPHORE_WAITERS_BYTES = "interlock_semaphore_waiters:".getBytes(US_ASCII);
    private static final byte[] LATCH_BYTES = "interlock_latch:".getBytes(US_ASCII);
    private static final byte[] LATCH_WAITERS_BYTES = "interlock_latch_waiters:".getBytes(US_ASCII);
    private static final byte[] SHARED_BYTES = "interlock_rw:".getBytes(US_ASCII);
    private static final byte[] SHARED_WAITERS_BYTES = "interlock_rw_waiters:".getBytes(US_ASCII);
    private static final byte[] NONE = {};
    private static final byte[] OPEN = {'{'};
    private static final byte[] CLOSE = {'}'};

    private final byte[] name;
    private final byte[] before;
    private final byte[] after;

    Keys(String name) {
        this.name = name.getBytes(UTF_8);
        if (name.indexOf('{') < 0 && name.indexOf('}') < 0) {
            this.before = OPEN;
            this.after = CLOSE;
        } else {
            this.before = hasTag(name) ? NONE : Text.of("{" + Slots.numberOf(SlotHash.getSlot(this.name)) + "}:");
            this.after = NONE;
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

    /** The mark of a claim that was ended by force, where there may be several. */
    byte[] forced(OwnerId owner) {
        return joined(forced(), ":" + owner.value());
    }

    byte[] semaphore() {
        return apart(SEMAPHORE_BYTES);
    }

    byte[] semaphoreWaiters() {
        return apart(SEMAPHORE_WAITERS_BYTES);
    }

    byte[] latch() {
        return apart(LATCH_BYTES);
    }

    byte[] latchWaiters() {
        return apart(LATCH_WAITERS_BYTES);
    }

    /** Our holders of a read/write lock. */
    byte[] shared() {
        return apart(SHARED_BYTES);
    }

    byte[] sharedWaiters() {
        return apart(SHARED_WAITERS_BYTES);
    }

    /** What the keys begin with that live as long as a share of a read/write lock does. */
    byte[] sharesPrefix() {
        return beside(NONE);
    }

    /** The key that lives as long as this owner's share. */
    byte[] share(OwnerId owner) {
        return joined(sharesPrefix(), ":" + owner.value() + ":rwlock_timeout:1");
    }

    /** The channel on which clients of Redisson wait for the lock of this name. */
    byte[] redissonChannel() {
        return beside(REDISSON_CHANNEL_BYTES);
    }

    /** The channel on which they wait for the read/write lock of this name. */
    byte[] redissonSharedChannel() {
        return beside(REDISSON_SHARED_CHANNEL_BYTES);
    }

    /** The channel on which a client of ours hears wakes. */
    static String inboxChannel(String clientId) {
        return INBOX + clientId;
    }

    /** The client whose inbox this is. */
    static String clientOf(String inboxChannel) {
        return inboxChannel.substring(INBOX.length());
    }

    private byte[] apart(byte[] prefix) {
        return before.length > 0 ? beside(prefix) : beside(joined(prefix, ":"));
    }

    private static byte[] joined(byte[] head, String tail) {
        byte[] end = Text.of(tail);
        byte[] all = Arrays.copyOf(head, head.length + end.length);
        System.arraycopy(end, 0, all, head.length, end.length);
        return all;
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
