package dev.interlock.zookeeper.node;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The name of a lock as one part of a path. The slash, the percent sign and the characters that ZooKeeper cannot hold
 * are percent-encoded as in a URL, from their UTF-8; all others are kept. A name is never encoded with a percent sign
 * that two upper-case hexadecimal digits do not follow; the store's own nodes begin so.
 */
public final class NameEncoding {

    private static final String DIGITS = "0123456789ABCDEF";

    private NameEncoding() {}

    /** Encodes a name. */
    public static String encode(String name) {
        if (name.equals(".") || name.equals("..")) {
            return name.replace(".", "%2E");
        }
        if (name.equals("zookeeper")) {
            // ZooKeeper reserves it at the root.
            return "%7Aookeeper";
        }
        StringBuilder encoded = new StringBuilder(name.length() + 8);
        name.codePoints().forEach(point -> append(encoded, point));
        return encoded.toString();
    }

    private static void append(StringBuilder encoded, int point) {
        if (isPlain(point)) {
            encoded.appendCodePoint(point);
            return;
        }
        for (byte b : Character.toString(point).getBytes(StandardCharsets.UTF_8)) {
            encoded.append('%').append(DIGITS.charAt((b >> 4) & 15)).append(DIGITS.charAt(b & 15));
        }
    }

    private static boolean isPlain(int point) {
        return point >= ' '
                && point != '%'
                && point != '/'
                && !(point >= 0x7f && point <= 0x9f)
                && !(point >= 0xd800 && point <= 0xf8ff)
                && point < 0xfff0;
    }

    /** The name that is encoded so; null if there is none. */
    public static @Nullable String decode(String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] from = encoded.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < from.length; i++) {
            if (from[i] != '%') {
                bytes.write(from[i]);
            } else if (i + 2 < from.length && digit(from[i + 1]) >= 0 && digit(from[i + 2]) >= 0) {
                bytes.write(16 * digit(from[i + 1]) + digit(from[i + 2]));
                i += 2;
            } else {
                return null;
            }
        }
        String name = bytes.toString(StandardCharsets.UTF_8);
        return encode(name).equals(encoded) ? name : null;
    }

    private static int digit(byte b) {
        return DIGITS.indexOf((char) b);
    }
}
