package dev.interlock.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** The percent-encoding of URIs, in UTF-8. A plus sign stands for itself. */
public final class PercentEncoding {

    private static final int HEX = 16;

    private PercentEncoding() {}

    /** Encodes all characters but letters, digits, and {@code . - _ *}. */
    public static String encode(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    /**
     * Decodes a part of a URI.
     *
     * @param subject how the message calls the text, which it does not quote: {@code The password of a Redis URI}
     * @throws IllegalArgumentException if two hexadecimal digits do not follow a percent sign, or the result is not
     *     UTF-8
     */
    public static String decode(String subject, String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] encoded = text.getBytes(UTF_8);
        ByteBuffer decoded = ByteBuffer.allocate(encoded.length);
        for (int i = 0; i < encoded.length; i++) {
            if (encoded[i] == '%') {
                int high = i + 2 < encoded.length ? Character.digit(encoded[i + 1], HEX) : -1;
                int low = i + 2 < encoded.length ? Character.digit(encoded[i + 2], HEX) : -1;
                if (high < 0 || low < 0) {
                    throw new IllegalArgumentException(subject
                            + " must be percent-encoded: two hexadecimal digits must follow a %; write %25 for itself");
                }
                decoded.put((byte) (high * HEX + low));
                i += 2;
            } else {
                decoded.put(encoded[i]);
            }
        }
        try {
            return UTF_8.newDecoder().decode(decoded.flip()).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(subject + " must be percent-encoded UTF-8", e);
        }
    }
}
