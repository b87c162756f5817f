package dev.interlock.zookeeper;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The capacity that a semaphore was set to, as it stands in a node of its own: the number, and for how many milliseconds it counts. */
final class Capacity {

    private static final Pattern FORM = Pattern.compile("(\\d{1,9}) (\\d{1,15})");

    private Capacity() {}

    static byte[] encode(int capacity, Duration life) {
        return (capacity + " " + life.toMillis()).getBytes(US_ASCII);
    }

    /** What it is set to; nothing if it is not, or was so long ago. */
    static OptionalInt of(Optional<Session.Read> read, @Nullable ServerClock clock) {
        if (read.isEmpty()) {
            return OptionalInt.empty();
        }
        Matcher form = FORM.matcher(new String(read.get().data, US_ASCII));
        if (!form.matches()) {
            return OptionalInt.empty();
        }
        Duration life = Duration.ofMillis(Long.parseLong(form.group(2)));
        boolean over = clock != null && clock.since(read.get().stat.getMtime()).compareTo(life) >= 0;
        return over ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(form.group(1)));
    }
}
