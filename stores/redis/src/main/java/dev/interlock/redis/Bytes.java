package dev.interlock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Texts and numbers as the bytes of keys and arguments. */
final class Bytes {

    static final byte[] EMPTY = {};

    private Bytes() {}

    static byte[] of(String text) {
        return text.getBytes(UTF_8);
    }

    static byte[] of(long number) {
        return Long.toString(number).getBytes(US_ASCII);
    }

    static byte[] micros(Duration duration) {
        return of(TimeUnit.MICROSECONDS.convert(duration));
    }
}
