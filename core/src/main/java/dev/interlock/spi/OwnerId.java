package dev.interlock.spi;

import java.util.regex.Pattern;

/**
 * The owner of a claim: unique to one acquisition, so that an acquisition whose outcome is unknown can be taken back
 * without touching another.
 *
 * @param value the text in the store, {@code <client id>:<decimal>}; other clients of the same format put a thread id
 *     after the colon
 */
public record OwnerId(String value) {

    private static final String LEFT = "left-";

    /** Of an acquisition by a client of Interlock. */
    private static final Pattern ACQUIRED =
            Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:[1-9]\\d{0,18}");

    /** The owner of acquisition {@code sequence} of the client {@code clientId}. */
    public static OwnerId of(String clientId, long sequence) {
        return new OwnerId(clientId + ':' + sequence);
    }

    /**
     * The owner of acquisition {@code sequence} of a client that may keep the claim when its holder has released it.
     * The decimal begins with a zero, so that a store can tell such a claim by its owner.
     */
    public static OwnerId retained(String clientId, long sequence) {
        return new OwnerId(clientId + ":0" + sequence);
    }

    /**
     * Whether the client may keep the claim although nobody uses it. A store with {@link Capability#RETENTION} notifies
     * such a client, by {@link Wake.Wanted}, of each acquire that is busy because of the claim, and at the grant if
     * others wait.
     */
    public boolean isRetained() {
        int digits = value.lastIndexOf(':') + 1;
        return digits > 0 && value.length() > digits + 1 && value.charAt(digits) == '0' && !isLeft();
    }

    /** The part before the last colon: the client that made the claim; the whole text if there is no colon. */
    public String clientId() {
        int colon = value.lastIndexOf(':');
        return colon < 0 ? value : value.substring(0, colon);
    }

    /**
     * The owner of the claim that stays when the claim of this owner is left to lapse: nobody renews or releases it.
     */
    public OwnerId left() {
        return new OwnerId(LEFT + value);
    }

    /** Whether an acquisition by a client of Interlock has this form of owner. */
    public boolean isOfAcquisition() {
        return ACQUIRED.matcher(value).matches();
    }

    /** Whether the claim was left to lapse, and has no holder. */
    public boolean isLeft() {
        return value.startsWith(LEFT);
    }

    @Override
    public String toString() {
        return value;
    }
}
