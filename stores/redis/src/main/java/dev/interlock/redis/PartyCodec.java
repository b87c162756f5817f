package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.interlock.Party;
import java.net.URLDecoder;
import java.net.URLEncoder;
import org.jspecify.annotations.Nullable;

/** A party as it stands in the store: host, pid, application, thread, each URL-encoded, separated by spaces. */
final class PartyCodec {

    /**
     * The last party and its encoding: parties of one process differ in their threads at most. A lost update only costs
     * another encoding.
     */
    private static volatile @Nullable Encoded last;

    private PartyCodec() {}

    static byte[] encode(Party party) {
        Encoded known = last;
        if (known != null && known.party.equals(party)) {
            return known.bytes;
        }
        String text = encode(party.host())
                + ' '
                + party.pid()
                + ' '
                + encode(party.application())
                + ' '
                + encode(party.thread());
        Encoded fresh = new Encoded(party, text.getBytes(UTF_8));
        last = fresh;
        return fresh.bytes;
    }

    /** Decodes a party. Returns {@link Party#UNKNOWN} if the text is not one: any client may have written it. */
    static Party decode(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length < 4) {
            return Party.UNKNOWN;
        }
        try {
            return new Party(
                    decodePart(parts[0]), Long.parseLong(parts[1]), decodePart(parts[2]), decodePart(parts[3]));
        } catch (IllegalArgumentException e) {
            return Party.UNKNOWN;
        }
    }

    private static String encode(String part) {
        return URLEncoder.encode(part, UTF_8);
    }

    private static String decodePart(String part) {
        return URLDecoder.decode(part, UTF_8);
    }

    private static final class Encoded {
        final Party party;
        final byte[] bytes;

        Encoded(Party party, byte[] bytes) {
            this.party = party;
            this.bytes = bytes;
        }
    }
}
