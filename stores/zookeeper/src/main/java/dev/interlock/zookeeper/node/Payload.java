package dev.interlock.zookeeper.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The data of a claim's node, for people who look at locks. Clients decide nothing by it, except that one that does not
 * wait counts the permits that the claims before it want.
 *
 * @param owner the owner id
 * @param party the process and thread of the claim
 * @param lease the length of its lease when the data was written
 * @param inOrder whether it is a claim of a fair lock; all claims are served in order
 * @param permits the number of permits it wants of a semaphore; 0 otherwise
 * @param capacity the capacity of the semaphore as the claim knows it; 0 otherwise
 * @param fence the fence, if it is not the transaction that created the node; 0 otherwise
 */
public record Payload(
        String owner, Party party, Duration lease, boolean inOrder, int permits, int capacity, long fence) {

    /** The whole data of a node whose holder is requested to release it, as Curator's {@code Revoker} writes it. */
    static final String REVOKE = "__REVOKE__";

    private static final byte[] REVOKE_BYTES = REVOKE.getBytes(UTF_8);
    private static final String WORD = "interlock";

    /** In milliseconds: whoever shows a lease may count it in nanoseconds. */
    private static final long LONGEST_LEASE = TimeUnit.NANOSECONDS.toMillis(Long.MAX_VALUE);

    /** The data of this claim's node. */
    public static Payload of(Claim claim, long fence) {
        Mode.Permits permits = claim.mode() instanceof Mode.Permits wanted ? wanted : null;
        return new Payload(
                claim.owner().value(),
                claim.party(),
                claim.lease(),
                claim.mode().inOrder(),
                permits == null ? 0 : permits.count(),
                permits == null ? 0 : permits.capacity(),
                fence);
    }

    public byte[] encode() {
        String text = String.join(
                " ",
                WORD,
                encode(owner),
                encode(party.host()),
                Long.toString(party.pid()),
                encode(party.application()),
                encode(party.thread()),
                Long.toString(lease.toMillis()),
                inOrder ? "fair" : "-",
                Integer.toString(permits),
                Integer.toString(capacity),
                Long.toString(fence));
        return text.getBytes(UTF_8);
    }

    /** Decodes it; null if another library has written it. */
    public static @Nullable Payload decode(byte[] data) {
        String[] words = new String(data, UTF_8).split(" ", -1);
        if (words.length < 11 || !words[0].equals(WORD)) {
            return null;
        }
        try {
            long lease = Long.parseLong(words[6]);
            if (lease < 0 || lease > LONGEST_LEASE) {
                return null;
            }
            Party party = new Party(decode(words[2]), Long.parseLong(words[3]), decode(words[4]), decode(words[5]));
            return new Payload(
                    decode(words[1]),
                    party,
                    Duration.ofMillis(lease),
                    words[7].equals("fair"),
                    Integer.parseInt(words[8]),
                    Integer.parseInt(words[9]),
                    Long.parseLong(words[10]));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The data that requests a holder to release. */
    public static byte[] revoke() {
        return REVOKE_BYTES.clone();
    }

    /** Whether this is a request to release. */
    public static boolean isRevoke(byte[] data) {
        return Arrays.equals(data, REVOKE_BYTES);
    }

    private static String encode(String word) {
        return URLEncoder.encode(word, UTF_8);
    }

    private static String decode(String word) {
        return URLDecoder.decode(word, UTF_8);
    }
}
