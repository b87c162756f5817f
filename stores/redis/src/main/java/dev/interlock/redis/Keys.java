package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.spi.OwnerId;
import io.lettuce.core.cluster.SlotHash;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * The keys of one name. The key of a lock is the name itself. A further key has the same slot in a cluster: it is
 * {@code x:{name}}; or {@code x:name} if the name has a hash tag, which is a text in braces; or else, if a brace in the
 * name would disturb that, {@code x:{number}:name} with the smallest number of the same slot. If the further key is the
 * only one of a kind of lock, or lists the waiting claims, it is {@code x::name} for a name with a hash tag, so that it
 * differs from that of the tag itself. Keys that clients of Redisson use as well follow their rule.
 */
final class Keys {

    private static final byte[] OPEN = {'{'};
    private static final byte[] CLOSE = {'}'};
    static final String INBOX = "interlock_inbox:";
    private static final byte[] FENCE_BYTES = "interlock_fence:".getBytes(US_ASCII);
    private static final byte[] WAITERS_BYTES = "interlock_waiters:".getBytes(US_ASCII);
    private static final byte[] FORCED_BYTES = "interlock_forced:".getBytes(US_ASCII);
    private static final byte[] GUARD_BYTES = "interlock_guard:".getBytes(US_ASCII);
    private static final byte[] REDISSON_CHANNEL_BYTES = "redisson_lock__channel:".getBytes(US_ASCII);
    private static final byte[] REDISSON_SHARED_CHANNEL_BYTES = "redisson_rwlock:".getBytes(US_ASCII);
    private static final byte[] SEMAPHORE_BYTES = "interlock_semaphore:".getBytes(US_ASCII);
    private static final byte[] SEMAPHORE_WAITERS_BYTES = "interlock_semaphore_waiters:".getBytes(US_ASCII);
    private static final byte[] LATCH_BYTES = "interlock_latch:".getBytes(US_ASCII);
    private static final byte[] LATCH_WAITERS_BYTES = "interlock_latch_waiters:".getBytes(US_ASCII);
    private static final byte[] SHARED_BYTES = "interlock_rw:".getBytes(US_ASCII);
    private static final byte[] SHARED_WAITERS_BYTES = "interlock_rw_waiters:".getBytes(US_ASCII);

    /** The prefixes of keys that are not themselves names of locks. */
    private static final Pattern BESIDE =
            Pattern.compile("interlock_(?:fence|forced|guard|latch|rw|semaphore|(?:latch_|rw_|semaphore_)?waiters):");

    private final byte[] name;
    private final byte[] before;
    private final byte[] after;

    Keys(String name) {
        this.name = name.getBytes(UTF_8);
        if (name.indexOf('{') < 0 && name.indexOf('}') < 0) {
            this.before = OPEN;
            this.after = CLOSE;
        } else {
            this.before =
                    hasTag(name) ? Bytes.EMPTY : Bytes.of("{" + SlotTags.numberOf(SlotHash.getSlot(this.name)) + "}:");
            this.after = Bytes.EMPTY;
        }
    }

    /** Whether a lock of this name could have the key of another lock's data: one would destroy the other. */
    static boolean isReserved(String name) {
        return name.startsWith("interlock_") && BESIDE.matcher(name).lookingAt();
    }

    byte[] lock() {
        return name;
    }

    byte[] fence() {
        return beside(FENCE_BYTES);
    }

    byte[] waiters() {
        return apart(WAITERS_BYTES);
    }

    byte[] forced() {
        return beside(FORCED_BYTES);
    }

    /** The mark of a claim that was ended by force, for kinds with several holders. */
    byte[] forced(OwnerId owner) {
        return joined(forced(), ":" + owner.value());
    }

    /** The largest token of a fenced value with this name. */
    byte[] guard() {
        return beside(GUARD_BYTES);
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

    /** This library's holders of a read/write lock. */
    byte[] shared() {
        return apart(SHARED_BYTES);
    }

    byte[] sharedWaiters() {
        return apart(SHARED_WAITERS_BYTES);
    }

    /**
     * The prefix of the keys that live as long as a share of a read/write lock. Redisson's rule names them: they have
     * the slot of the lock, except for names that have braces but no hash tag.
     */
    byte[] sharesPrefix() {
        return asRedisson(Bytes.EMPTY);
    }

    /** The key that lives as long as this owner's share. */
    byte[] share(OwnerId owner) {
        return joined(sharesPrefix(), ":" + owner.value() + ":rwlock_timeout:1");
    }

    /** The channel on which clients of Redisson wait for the lock of this name. */
    byte[] redissonChannel() {
        return asRedisson(REDISSON_CHANNEL_BYTES);
    }

    /** The channel on which clients of Redisson wait for the read/write lock of this name. */
    byte[] redissonSharedChannel() {
        return asRedisson(REDISSON_SHARED_CHANNEL_BYTES);
    }

    /** The channel on which a client of this library receives wakes. */
    static String inboxChannel(String clientId) {
        return INBOX + clientId;
    }

    /** The sharded channel of the client in the slot of this number. */
    static String inboxChannel(String clientId, int number) {
        return INBOX + '{' + number + "}:" + clientId;
    }

    /** The ordinary channel of the same client as this sharded one. */
    static String withoutNumber(String inboxChannel) {
        return INBOX + inboxChannel.substring(inboxChannel.indexOf("}:") + 2);
    }

    /** The client of this channel. */
    static String clientOf(String inboxChannel) {
        return inboxChannel.substring(INBOX.length());
    }

    /** A hash tag as a cluster defines it: a text between the first opening brace and the next closing one. */
    private static boolean hasTag(String name) {
        int open = name.indexOf('{');
        return open >= 0 && name.indexOf('}', open) > open + 1;
    }

    private byte[] apart(byte[] prefix) {
        boolean tagged = before.length + after.length == 0;
        return beside(tagged ? joined(prefix, ":") : prefix);
    }

    /** Redisson puts a name into braces if it has no opening brace. */
    private byte[] asRedisson(byte[] prefix) {
        for (byte character : name) {
            if (character == OPEN[0]) {
                return joined(prefix, Bytes.EMPTY, name, Bytes.EMPTY);
            }
        }
        return joined(prefix, OPEN, name, CLOSE);
    }

    private static byte[] joined(byte[] head, String tail) {
        byte[] end = Bytes.of(tail);
        byte[] all = Arrays.copyOf(head, head.length + end.length);
        System.arraycopy(end, 0, all, head.length, end.length);
        return all;
    }

    private byte[] beside(byte[] prefix) {
        return joined(prefix, before, name, after);
    }

    private static byte[] joined(byte[] prefix, byte[] before, byte[] name, byte[] after) {
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
