package dev.interlock.etcd;

import static dev.interlock.support.PercentEncoding.encode;

import dev.interlock.spi.OwnerId;
import dev.interlock.spi.Printable;
import dev.interlock.spi.StoreRefusal;
import dev.interlock.support.PercentEncoding;
import dev.interlock.support.UriOptions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a semaphore or a latch besides its claims.
 *
 * @param count the capacity of a semaphore, or what is left of the count of a latch; 0 if it was not set
 * @param granted of a semaphore, the revision of the youngest claim that held when the capacity was set
 * @param setter of a latch, who has set it; empty if nobody has
 * @param counted of a latch, who has counted it down since; of a semaphore, who has added permits lately
 */
record State(int count, long granted, String setter, List<String> counted) {

    /** Of a name that nobody has set. */
    static final State UNSET = new State(0, 0, "", List.of());

    /**
     * Reads the value of a key.
     *
     * @throws IllegalStateException if it is not as this version writes it
     */
    static State of(StoredKey key) {
        try {
            UriOptions fields = UriOptions.parse("a state", key.value());
            return new State(
                    fields.number("count", 0, 0),
                    Long.parseLong(text(fields, "granted")),
                    text(fields, "setter"),
                    Stream.of(text(fields, "counted").split(","))
                            .filter(owner -> !owner.isEmpty())
                            .map(owner -> PercentEncoding.decode("An owner", owner))
                            .toList());
        } catch (IllegalArgumentException e) {
            throw new StoreRefusal(
                    "The state of a semaphore or a latch must be as this version writes it: key="
                            + Printable.of(key.name()),
                    e);
        }
    }

    private static String text(UriOptions fields, String name) {
        @Nullable String text = fields.text(name);
        return text == null ? "" : text;
    }

    boolean isSetBy(OwnerId owner) {
        return setter.equals(owner.value());
    }

    /** The value of a key. */
    String encoded() {
        String owners = counted.stream().map(PercentEncoding::encode).collect(Collectors.joining(","));
        return "count=" + count + "&granted=" + granted + "&setter=" + encode(setter) + "&counted=" + encode(owners);
    }
}
