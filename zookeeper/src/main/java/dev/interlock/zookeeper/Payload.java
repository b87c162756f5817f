package dev.interlock.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Mode;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The data of a node, for people who look at locks; nothing is decided by it but how many permits a waiting claim
 * wants.
 *
 * @param owner the owner id
 * @param party who it is
 * @param lease the lease it asked for at first
 * @param inOrder whether it is of a fair lock; all are served in order
 * @param permits how many it wants of a semaphore; 0 otherwise
 * @param capacity of the semaphore as the claim knows it; 0 otherwise
 * @param fence the fence, if it is not the moment at which the node was made; 0 otherwise
 */
record Payload(String owner, Party party, Duration lease, boolean inOrder, int permits, int capacity, long fence) {

    private static final String WORD = "interlock";

    static Payload of(Claim claim, long fence) {
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

    byte[] encode() {
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

    /** Understands it; null if another library has written it. */
    static @Nullable Payload decode(byte[] data) {
        String[] words = new String(data, UTF_8).split(" ", -1);
        if (words.length < 11 || !words[0].equals(WORD)) {
            return null;
        }
        try {
            Party party = new Party(decode(words[2]), Long.parseLong(words[3]), decode(words[4]), decode(words[5]));
            return new Payload(
                    decode(words[1]),
                    party,
                    Duration.ofMillis(Long.parseLong(words[6])),
                    words[7].equals("fair"),
                    Integer.parseInt(words[8]),
                    Integer.parseInt(words[9]),
                    Long.parseLong(words[10]));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String encode(String word) {
        return URLEncoder.encode(word, UTF_8);
    }

    private static String decode(String word) {
        return URLDecoder.decode(word, UTF_8);
    }
}
